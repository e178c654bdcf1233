#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writing while the machine fails: the reason is said, the exit code is 2, the file of before stays, and no temporary file is
# left. Temporary copies have the same in $TMPDIR. Usage: write_faults_test.sh KDIAG EXAMPLES FAULTS FIXTURES
examples=$(realpath "$2"); fixtures=$(realpath "$4")
. "$(dirname "$0")/fault_harness.sh"

cp "$examples/traces/item_storm.json" storm.json
"$kdiag" --format json storm.json >whole.json 2>err || fail 'a report'
"$kdiag" facts --export whole.facts storm.json 2>err || fail 'a facts file'
mkdir temporary; export TMPDIR=$work/temporary

shopt -s dotglob globstar nullglob
nothing_left() {  # ABOUT
  local left=(**/.kdiag-* temporary/*)
  [ "${#left[@]}" = 0 ] || fail "$1: a temporary file is left: ${left[*]}"
}
err_says() {  # TEXT TEXT: a line of standard error has both
  local line
  while IFS= read -r line; do [[ $line == *"$1"* && $line == *"$2"* ]] && return; done <err
  return 1
}

# --- Results --------------------------------------------------------------------------------------------------------

echo before >before.txt
refused() {  # ABOUT
  [ "$code" = 2 ] || fail "$1: exit code 2 expected"
  err_says "cannot write $target" "$reason" || fail "$1: the file and the reason are said"
  [ "$target" = 'standard output' ] || alike "$target" before.txt || fail "$1: the file of before stays"
  nothing_left "$1"
}
whole() {  # ABOUT
  [ "$code" = 0 ] && [ ! -s err ] && alike "$written" "$expected" || fail "$1: the result is whole"
  nothing_left "$1"
}
# results FILE EXPECTED ARGUMENT...: what comes to FILE, which is EXPECTED without a fault. `place`: whose calls fail.
results() {
  target=$1; expected=$2; shift 2
  written=$target; [ "$target" != 'standard output' ] || written=out
  sweep write EINTR "$place" whole "$@"
  sweep write short "$place" whole "$@"
  local at error
  for at in EIO:'Input/output error' ENOSPC:'No space left on device' EDQUOT:'Disk quota exceeded'; do
    error=${at%%:*}; reason=${at#*:}
    for call in "${calls[@]}"; do
      [ "$target" = 'standard output' ] || cp before.txt "$target"
      sweep "$call" "$error" "$([ "$call" = rename ] && echo "$target" || echo "$place")" refused "$@"
    done
  done
}
place=.kdiag- calls=(open write close rename)
results report.json whole.json --format json --output report.json storm.json
results exported.facts whole.facts facts --export exported.facts storm.json
"$kdiag" facts storm.json kernels --format csv >whole.csv 2>err || fail 'a table'
results kernels.csv whole.csv facts storm.json kernels --format csv --output kernels.csv
"$kdiag" facts storm.json --format sqlite >whole.db 2>err || fail 'a database'
results facts.db whole.db facts storm.json --format sqlite --output facts.db
place=/out calls=(write)
results 'standard output' whole.json --format json storm.json

# --- Temporary copies of an output ----------------------------------------------------------------------------------

not_made() {  # ABOUT
  [ "$code" = 2 ] && has err 'a temporary file for the output could not be written' || fail "$1: it is said"
  [ -s facts.db ] && fail "$1: nothing is written"
  nothing_left "$1"
}
: >facts.db
faulted open 1 ENOSPC "$TMPDIR/kdiag-" facts storm.json --format sqlite --output facts.db || fail 'a full folder: no open'
not_made 'a full folder: open'
for error in ENOSPC EIO; do
  : >facts.db
  sweep write "$error" "$TMPDIR/kdiag-" not_made facts storm.json --format sqlite --output facts.db
done
written=facts.db expected=whole.db
sweep write EINTR "$TMPDIR/kdiag-" whole facts storm.json --format sqlite --output facts.db
sweep write short "$TMPDIR/kdiag-" whole facts storm.json --format sqlite --output facts.db
for signal in INT TERM HUP; do
  faulted write 1 SIG$signal .kdiag- facts storm.json --format sqlite --output facts.db || fail "a database: no SIG$signal"
  code_is 130 "a database: SIG$signal"; err_empty "a database: SIG$signal"; nothing_left "a database: SIG$signal"
done

# --- Temporary copies -----------------------------------------------------------------------------------------------

cp "$fixtures/nsys_sqlite/normal.in" base.sqlite
gzip -c base.sqlite >base.sqlite.gz
"$kdiag" --format json base.sqlite.gz >whole.json 2>err || fail 'a packed database'
no_copy() {  # ABOUT
  [ "$code" = 2 ] && err_says base.sqlite.gz "$reason" || fail "$1: the file and the reason are said"
  nothing_left "$1"
}
"$kdiag" facts --export packed.facts base.sqlite.gz 2>err || fail 'facts of a packed database'
written=out
for fault in EINTR short; do  # all that was read, at each call; a report, which takes longer, where calls fail throughout
  expected=packed.facts; sweep write "$fault" "$TMPDIR/kdiag-" whole facts --export - base.sqlite.gz
  expected=whole.json
  faulted write 0 "$fault" "$TMPDIR/kdiag-" --format json base.sqlite.gz || fail "a report: no write $fault"
  in_order "a report, every second write $fault"; whole "a report, every second write $fault"
done
for call in open write close; do
  reason='No space left on device'
  faulted "$call" 1 ENOSPC "$TMPDIR/kdiag-" --format json base.sqlite.gz || fail "a full folder: no $call"
  no_copy "a full folder: $call"
done
for signal in INT TERM HUP; do
  faulted write 1 SIG$signal "$TMPDIR/kdiag-" --format json base.sqlite.gz || fail "a copy: no SIG$signal"
  code_is 130 "a copy: SIG$signal"; err_empty "a copy: SIG$signal"; nothing_left "a copy: SIG$signal"
  # The command ends without the call that would have removed the copy.
  for call in write read; do
    stuck "$call" 1 "$TMPDIR/kdiag-" "$signal" --format json base.sqlite.gz
    code_is 130 "a copy, stuck: SIG$signal"; err_empty "a copy, stuck: SIG$signal"; nothing_left "a copy, stuck: SIG$signal"
    stuck "$call" 1 "$TMPDIR/kdiag-" "$signal" facts storm.json --format sqlite
    code_is 130 "an output, stuck: SIG$signal"; err_empty "an output, stuck: SIG$signal"; nothing_left "an output, stuck: SIG$signal"
  done
done

# What needs no copy needs no folder for it.
for folder in /nowhere "$work/whole.json"; do
  TMPDIR=$folder run --format json storm.json; code_is 0 "TMPDIR=$folder"; err_empty "TMPDIR=$folder"
  TMPDIR=$folder run --format json base.sqlite; code_is 0 "TMPDIR=$folder: a database"
  cmp -s out <(sed 's/base\.sqlite\.gz/base.sqlite/' whole.json) || fail "TMPDIR=$folder: the same report"
done
# A full and a read-only folder, and /tmp that is one, where this may make file systems of its own.
own_mounts() {  # COMMAND: run by a shell in a namespace with a tiny file system on the folder `tiny`
  unshare -m bash -c "mount -t tmpfs -o size=8k none '$work/tiny' && { $1; }"
}
mkdir tiny
if own_mounts true 2>/dev/null; then
  reason='No space left on device'
  own_mounts "TMPDIR=$work/tiny '$kdiag' base.sqlite.gz" >out 2>err; code=$?; no_copy 'a full file system'
  own_mounts "cd tiny && echo before >r && '$kdiag' --format json --output r ../storm.json; c=\$?; cat r; ls -A | wc -l; exit \$c" >out 2>err
  code=$?; code_is 2 'a full file system'; err_has "$reason" 'a full file system'
  [ "$(cat out)" = $'before\n1' ] || fail 'a full file system: the file of before stays, alone'
  reason='Read-only file system'
  own_mounts "mount -o remount,ro '$work/tiny'; TMPDIR=$work/tiny '$kdiag' base.sqlite.gz" >out 2>err; code=$?
  no_copy 'a read-only folder'
  read_only='unset TMPDIR; mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp &&'
  own_mounts "$read_only '$kdiag' --format json base.sqlite" >out 2>err; code=$?; code_is 0 'a read-only /tmp'
  cmp -s out <(sed 's/\.gz"/"/' whole.json) || fail 'a read-only /tmp: the same report'
  # The copy then lies elsewhere; where nothing can be written, there is none.
  own_mounts "$read_only '$kdiag' --format json base.sqlite.gz" >out 2>err; code=$?; code_is 0 'a read-only /tmp: a copy'
  cmp -s out whole.json || fail 'a read-only /tmp: the same report of a copy'
  for folder in /var/tmp /dev/shm; do read_only+=" mount --bind $folder $folder && mount -o remount,bind,ro $folder &&"; done
  own_mounts "$read_only '$kdiag' base.sqlite.gz" >out 2>err; code=$?; no_copy 'nothing can be written'
else
  echo 'skipped: file systems of its own'
fi
finish
