#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Signals while the command reads and writes. The command waits for a pipe, so that each arrives in the phase it is meant
# for. Usage: signals_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

asleep() {  # PID: once it is the command, catches signals, and waits for something
  for _ in $(seq 500); do
    [ "$(readlink "/proc/$1/exe")" = "$kdiag" ] && grep -q '^SigCgt:.*[1-9a-f]' "/proc/$1/status" &&
      grep -q '^State:.S' "/proc/$1/status" && return
    sleep 0.02
  done 2>/dev/null
}
ended() {  # PID: leaves $code; what does not end is killed
  for _ in $(seq 500); do
    grep -q '^State:.[^Z]' "/proc/$1/status" 2>/dev/null || break
    sleep 0.02
  done
  kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null; code=$?
}
interrupted_is() {  # PID SIGNAL ABOUT
  asleep "$1"
  kill "-$2" "$1"; ended "$1"
  code_is 130 "$3: SIG$2"; err_empty "$3: SIG$2"
  [ -z "$(find . -name '.kdiag-*')" ] || fail "$3: SIG$2: a temporary file is left"
}

mkfifo in to
cp table.txt before.txt; cp table.txt kept.txt
for signal in INT TERM HUP; do
  # Before a byte has come, within the first ones, and within the records.
  for start in '' '{"traceEvents": [' '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {}},'; do
    "$kdiag" in --output kept.txt >out 2>err & child=$!
    exec 3>in; printf '%s' "$start" >&3
    interrupted_is "$child" "$signal" "reading '${start:0:20}'"
    exec 3>&-
    cmp -s kept.txt before.txt || fail "reading: SIG$signal: the file of before stays"
  done
  # While a facts file is written piece by piece.
  "$kdiag" facts --export kept.txt in >out 2>err & child=$!
  exec 3>in; printf '{"traceEvents": [' >&3
  interrupted_is "$child" "$signal" 'exporting'
  exec 3>&-
  cmp -s kept.txt before.txt || fail "exporting: SIG$signal: the file of before stays"
  # While nobody takes what is written: a pipe without a reader, and a full one.
  "$kdiag" table.txt --output to >out 2>err & child=$!
  interrupted_is "$child" "$signal" 'no reader'
  exec 4<>to
  "$kdiag" rules docs >to 2>err & child=$!
  interrupted_is "$child" "$signal" 'a slow reader'
  exec 4>&-
done

# nohup: a hangup that was ignored stays so.
(trap '' HUP; exec "$kdiag" in --output report.txt >out 2>err) & child=$!
exec 3>in; asleep "$child"; kill -HUP "$child"; cat table.txt >&3; exec 3>&-
wait "$child"; code=$?; code_is 0 'an ignored hangup'; grep -q in report.txt || fail 'an ignored hangup: the report is written'

# A reader that goes away.
"$kdiag" rules docs 2>err | head -1 >out; code=${PIPESTATUS[0]}; code_is 0 'SIGPIPE'; err_empty 'SIGPIPE'

finish
