#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reading while the machine fails: calls that are interrupted or give one byte change nothing, an error of the disk is said,
# with the file and the reason, or what it cost is noted. Usage: read_faults_test.sh KDIAG EXAMPLES FAULTS FIXTURES
examples=$(realpath "$2"); fixtures=$(realpath "$4")
. "$(dirname "$0")/fault_harness.sh"

# --- What is read ---------------------------------------------------------------------------------------------------

storm=$examples/traces/item_storm.json
"$examples/traces/item_storm.sh" 40 >good.json
{ sed '$d' "$storm"; for i in $(seq 4000); do  # more than one piece of reading
    echo ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op$i\",\"pid\":9,\"tid\":9,\"ts\":$((9000000 + i * 9)),\"dur\":5,\"args\":{}}"
  done; tail -1 "$storm"; } >long.json
gzip -c long.json >packed.json.gz
cp "$fixtures/nsys_sqlite/normal.in" base.sqlite
gzip -c base.sqlite >base.sqlite.gz
cp "$fixtures/nvidia_smi_csv/two_gpus.in" telemetry.csv
cp "$fixtures/nvidia_smi_xml/one.in" telemetry.xml
cp "$fixtures/xla_xplane/gpu.in" device.xplane.pb
"$kdiag" facts --export exported.facts good.json 2>err || fail 'a facts file'
mkdir folder; cp good.json telemetry.csv folder
tar -czf folder.tar.gz folder
inputs=(good.json long.json packed.json.gz base.sqlite base.sqlite.gz telemetry.csv telemetry.xml device.xplane.pb
  exported.facts table.txt folder.tar.gz)
command -v zstd >zstd.path && zstd -q long.json -o packed.json.zst && inputs+=(packed.json.zst)
command -v zip >zip.path && zip -qr folder.zip folder && inputs+=(folder.zip)
write_rule '  tests:' '  - facts: {kernels: [{name: gemm, dur: 5us}]}' '    expect: fired'
mkdir pack; cp rule.yaml pack

# --- What must be true ----------------------------------------------------------------------------------------------

expected() {  # ARGUMENT...: what is said without a fault
  "$kdiag" "$@" >expected.out 2>expected.err <"${input:-/dev/null}"; expected_code=$?
}
nothing_changed() { [ "$code" = "$expected_code" ] && cmp -s out expected.out && cmp -s err expected.err || fail "$1: nothing changes"; }
# SQLite takes an error of the disk for damage of the file.
reason='Input/output error|disk I/O error|database disk image is malformed|its definition cannot be read|Too many open files'
# A whole answer, an error with the file and the reason, or a counted note.
said() {
  if [ "$code" = "$expected_code" ] && cmp -s out expected.out; then return; fi
  case $code in
    0) grep -E '"severity": "(data-loss|error)"' out | grep -qE "$reason" || fail "$1: what was lost is noted" ;;
    2 | 3) grep -qE "$reason" err out && grep -qF -- "$named" err out || fail "$1: the file and the reason are said" ;;
    *) fail "$1: exit code 0, 2 or 3 expected" ;;
  esac
}

# --- Sweeps ---------------------------------------------------------------------------------------------------------

all_faults() {  # FILE ARGUMENT...
  local file=$1; shift
  expected "$@"
  faulted read 0 EINTR "$file" "$@" <"${input:-/dev/null}" || fail "read EINTR $file: $*: there is no such call"
  nothing_changed "every second call EINTR $file: $*"
  faulted read 0 short "$file" "$@" <"${input:-/dev/null}"
  nothing_changed "every second call of one byte $file: $*"
  named=${input:+-:}; named=${named:-$file}
  sweep read EINTR "$file" nothing_changed "$@"
  sweep read short "$file" nothing_changed "$@"
  sweep read EIO "$file" said "$@"
  [ -n "${input:-}" ] || sweep open EMFILE "$file" said "$@"
}

for name in "${inputs[@]}"; do all_faults "$name" --format json "$name"; done
all_faults good.json --format json folder
all_faults good.json --format json --baseline good.json "$storm"
all_faults rule.yaml --format json --rules rule.yaml "$storm"
all_faults trainer_log.yaml --format json --map "$examples/maps/trainer_log.yaml" "$examples/traces/trainer_log.csv"
all_faults rule.yaml rules check rule.yaml
all_faults rule.yaml rules fmt --check rule.yaml
input=good.json all_faults good.json --format json -
for fault in open:EMFILE readdir:EIO; do  # folders that cannot be read, or not to their end
  named=folder; expected --format json folder
  sweep "${fault%:*}" "${fault#*:}" /folder said --format json "$work/folder"
  named=pack; expected rules check "$work/pack"
  sweep "${fault%:*}" "${fault#*:}" /pack said rules check "$work/pack"
  expected rules test "$work/pack"
  sweep "${fault%:*}" "${fault#*:}" /pack said rules test "$work/pack"
done
finish
