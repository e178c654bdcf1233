#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What inputs may cost: --max-memory, --max-unpacked, --max-time, and no memory at all. Usage: limits_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"

run limits; code_is 0 'the list'; out_has '| `--max-memory`; `LoadLimits::bytes` |' 'the list'; err_empty 'the list'

{ head -1 table.txt; yes "$(sed -n 2p table.txt)" | head -20000; } >long.txt
run long.txt --max-memory 200kB; code_is 2 'little memory'; err_has 'error[K761]' 'little memory'; err_has '200,000 bytes of facts' 'little memory'; out_empty 'little memory'
run table.txt long.txt --max-memory 200kB; code_is 0 'little memory for one of two'; out_has 'K609' 'little memory for one of two'
run long.txt --max-memory none; code_is 0 'no limit of memory'
run long.txt --max-memory 4GiB --max-unpacked 1TiB --max-time 100s; code_is 0 'limits that are kept'
gzip -k long.txt
run long.txt.gz --max-unpacked 100kB; code_is 0 'little unpacked'; out_has 'K765' 'little unpacked'
for wrong in '--max-memory 5QB' '--max-memory x' '--max-memory 0' '--max-unpacked -1' '--max-time 5' '--max-time 1us'; do
  # shellcheck disable=SC2086
  run table.txt $wrong; code_is 2 "$wrong"; err_has "${wrong#* }" "$wrong"
done

# A pipe that nobody writes to: only the clock ends it.
mkfifo pipe
sleep 60 >pipe &
writer=$!
run pipe --max-time 300ms; code_is 2 'too much time'; err_has 'error[K768]' 'too much time'; out_empty 'too much time'
kill "$writer" 2>/dev/null

# Whatever the system gives, kdiag ends by itself: with a report, an error, or K767.
if command -v prlimit >/dev/null && [ "${KDIAG_NO_ADDRESS_LIMIT:-}" = "" ] && ! nm "$kdiag" 2>/dev/null | grep -q __asan; then
  {
    printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"g"}],"traceEvents":['
    for _ in $(seq 30); do head -c 1500000 /dev/zero | tr '\0' ' '
      printf '{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":4,"args":{"device":0,"stream":7}},'; done
    printf '{}]}'
  } | gzip >wide.json.gz
  for mebibytes in 40 60 80 100 120 160 240 400; do
    prlimit --as=$((mebibytes << 20)) "$kdiag" --threads 8 --quiet wide.json.gz >out 2>err </dev/null; code=$?
    case $code in 0 | 2 | 70 | 127) ;; *) fail "with $mebibytes MiB" ;; esac
    [ $code != 70 ] || err_has 'error[K767]' "with $mebibytes MiB"
  done
fi
finish
