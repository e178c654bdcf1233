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
nothing_changed() { [ "$code" = "$expected_code" ] && alike out expected.out && alike err expected.err || fail "$1: nothing changes"; }
# SQLite takes an error of the disk for damage of the file.
reason='Input/output error|disk I/O error|database disk image is malformed|its definition cannot be read|Too many open files'
# A whole answer, an error with the file and the reason, or a counted note: in JSON, or as a row of a facts file.
said() {
  if [ "$code" = "$expected_code" ] && alike out expected.out; then return; fi
  case $code in
    0) grep -E '"severity": "(data-loss|error)"' out | grep -qE "$reason" ||
      grep -F '{"table": "notes", "columns": ["id", "severity", "count", "text"],' out |
        grep -qE "\"(data-loss|error)\", [0-9]+, \"[^\"]*($reason)" || fail "$1: what was lost is noted" ;;
    2 | 3) grep -qE "$reason" err out && grep -qF -- "$named" err out || fail "$1: the file and the reason are said" ;;
    *) fail "$1: exit code 0, 2 or 3 expected" ;;
  esac
}

# --- Sweeps ---------------------------------------------------------------------------------------------------------

# every_second FILE ARGUMENT...: calls that want to be made again change nothing.
every_second() {
  local file=$1 fault; shift
  for fault in EINTR short; do
    faulted read 0 "$fault" "$file" "$@" <"${input:-/dev/null}" || fail "read $fault $file: $*: there is no such call"
    in_order "every second call $fault $file: $*"
    nothing_changed "every second call $fault $file: $*"
  done
}
all_faults() {  # FILE ARGUMENT...
  local file=$1; shift
  expected "$@"
  every_second "$file" "$@"
  named=${input:+-:}; named=${named:-$file}
  sweep read EINTR "$file" nothing_changed "$@"
  sweep read short "$file" nothing_changed "$@"
  sweep read EIO "$file" said "$@"
  [ -n "${input:-}" ] || sweep open EMFILE "$file" said "$@"
}

# Every call of reading fails while the facts are written out: all that was read, and its notes, in a fraction of the time that
# judging takes. The report is held against the same where calls fail throughout, and below, of one input, at every call.
input_faults() {  # FILE ARGUMENT...
  local file=$1 fault; shift
  all_faults "$file" facts --export - "$@"
  expected --format json "$@"
  every_second "$file" --format json "$@"
  for fault in read:EIO open:EMFILE; do
    [ "$fault" = read:EIO ] || [ -z "${input:-}" ] || continue  # the shell opens standard input
    faulted "${fault%:*}" -1 "${fault#*:}" "$file" --format json "$@" <"${input:-/dev/null}" ||
      fail "$fault $file: $*: there is no such call"
    in_order "all calls $fault $file: $*"; said "all calls $fault $file: $*"
  done
}

for name in "${inputs[@]}"; do input_faults "$name" "$name"; done
input_faults good.json folder
input_faults trainer_log.yaml --map "$examples/maps/trainer_log.yaml" "$examples/traces/trainer_log.csv"
input=good.json input_faults good.json -
all_faults good.json --format json good.json
all_faults good.json --format json --baseline good.json "$storm"
all_faults rule.yaml --format json --only-rules --rules rule.yaml "$storm"
all_faults rule.yaml rules check rule.yaml
all_faults rule.yaml rules fmt --check rule.yaml
for fault in open:EMFILE readdir:EIO; do  # folders that cannot be read, or not to their end
  named=folder; expected --format json folder
  sweep "${fault%:*}" "${fault#*:}" /folder said --format json "$work/folder"
  named=pack; expected rules check "$work/pack"
  sweep "${fault%:*}" "${fault#*:}" /pack said rules check "$work/pack"
  expected rules test "$work/pack"
  sweep "${fault%:*}" "${fault#*:}" /pack said rules test "$work/pack"
done
finish
