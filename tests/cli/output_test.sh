#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where results are written: never over what is read, through links, to descriptors. Usage: output_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

cp table.txt original.txt
write_rule '  impact: sum(kernels, dur)'
cp rule.yaml rule.before

# What is read is not replaced, whatever it is called.
ln -s table.txt link.txt; ln table.txt hard.txt; mkdir pack; cp rule.yaml pack/rule.yaml
untouched() { cmp -s table.txt original.txt && cmp -s rule.yaml rule.before || fail "$1: an input was replaced"; }
refused() {
  local about=$1; shift
  run "$@"; code_is 2 "$about"; out_empty "$about"; err_has 'would be replaced' "$about"; untouched "$about"
}
refused 'the trace' --output table.txt table.txt
refused 'the trace by another name' --output "$PWD/../${PWD##*/}/table.txt" table.txt
refused 'the trace through a link' --output link.txt table.txt
refused 'the trace by a hard link' --output hard.txt table.txt
refused 'a run of the trace' --output table.txt 'table.txt#1'
refused 'a rule file' --rules rule.yaml --output rule.yaml table.txt
refused 'a file of a folder of rules' --rules pack --output pack/rule.yaml table.txt
refused 'a baseline' --baseline hard.txt --output table.txt original.txt
refused 'a side of a comparison' compare original.txt table.txt --output table.txt
refused 'a trace that is exported' facts --export table.txt table.txt
refused 'a rule file that is checked' rules check rule.yaml --format json --output rule.yaml
"$kdiag" - --output table.txt <table.txt >out 2>err; code=$?; code_is 2 'standard input'; untouched 'standard input'
mkdir -p runs/first; cp table.txt runs/first/table.txt; cp table.txt runs/other.txt; ln -s ../table.txt runs/link.txt
refused 'a trace of a folder' --output table.txt runs
refused 'a trace of a folder that is compared' compare original.txt runs --output table.txt
rm runs/link.txt; cp runs/first/table.txt kept.txt
run --output runs/first/table.txt runs; code_is 2 'a trace below a folder'; cmp -s kept.txt runs/first/table.txt || fail 'a trace below a folder is replaced'
for _ in 1 2; do run --output runs/report.txt runs; code_is 0 'a report beside traces'; done
rm hard.txt link.txt
run --output table.json --format json table.txt; code_is 0 'another file'; err_empty 'another file'
run --output table.json --format json table.txt; code_is 0 'an earlier report'; err_empty 'an earlier report'

# Links stay, with a file behind them or none.
ln -s later/report.txt dangling; mkdir later
run --output dangling table.txt; code_is 0 'a link to no file'
[ -L dangling ] && grep -q table.txt later/report.txt || fail 'a link to no file is written through'
ln -s dangling second; chmod 640 later/report.txt; : >later/report.txt
run --output second table.txt; code_is 0 'a chain of links'
[ -L second ] && [ -L dangling ] && [ -s later/report.txt ] || fail 'a chain of links is written through'
[ "$(stat -c %a later/report.txt)" = 640 ] || fail 'the rights of a file stay'
ln -s round circle; ln -s circle round
run --output circle table.txt; code_is 2 'links in a circle'; err_has circle 'links in a circle'
ln -s nowhere/report.txt lost
run --output lost table.txt; code_is 2 'a link into no folder'; err_has lost 'a link into no folder'

# Descriptors are written to, and what stands in the files behind them stays.
echo before >log
"$kdiag" table.txt --output /dev/stdout >>log 2>err; code=$?; code_is 0 '/dev/stdout'
[ "$(head -1 log)" = before ] && grep -q table.txt log || fail '/dev/stdout goes on in its file'
"$kdiag" table.txt --output /dev/fd/7 7>>log 2>err; code=$?; code_is 0 '/dev/fd/7'
[ "$(head -1 log)" = before ] || fail '/dev/fd/7 goes on in its file'
run --output /dev/fd/9 table.txt; code_is 2 'a descriptor that is not open'
mkfifo pipe; cat pipe >taken & reader=$!
run --output pipe table.txt; code_is 0 'a pipe'; wait "$reader"; grep -q table.txt taken || fail 'a pipe is written to'

# Standard streams that are closed: no file that is opened takes their place.
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
  eval "\"$kdiag\" --output closed.txt table.txt $closed"; code=$?
  [ "$code" = 0 ] || fail "a file with $closed"
  grep -q table.txt closed.txt || fail "the file is written with $closed"
  eval "\"$kdiag\" --output closed.txt no-such-trace 2>err $closed"; code=$?
  [ "$code" = 2 ] || fail "an error with $closed"
  grep -q K610 closed.txt && fail "no error goes to the file with $closed"
  untouched "$closed"
done
"$kdiag" table.txt >&- 2>err; code=$?; code_is 2 'no standard output'; err_has 'standard output' 'no standard output'

# Nothing half written is left, and the file of before stays.
cp table.json before.json
if [ -w /dev/full ]; then run --output /dev/full table.txt; code_is 2 'a full device'; err_has 'No space left' 'a full device'; fi
(ulimit -f 1; trap '' XFSZ; "$kdiag" facts --format json --output table.json table.txt >out 2>err); code=$?
code_is 2 'a limit of the size'; cmp -s table.json before.json || fail 'a limit of the size: the file of before stays'
(ulimit -f 1; "$kdiag" facts --format json --output table.json table.txt >out 2>err); code=$?
code_is 2 'the signal of that limit'; err_has 'File too large' 'the signal of that limit'
[ -z "$(find . -name '.kdiag-*')" ] || fail 'no temporary file is left'

finish
