#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Threads that cannot be started, a clock of the day that leaps, and signals in the middle of work: the report stays the same,
# or the command says why not, or it ends with 130 and leaves nothing. Usage: process_faults_test.sh KDIAG EXAMPLES FAULTS
examples=$(realpath "$2")
. "$(dirname "$0")/fault_harness.sh"

storm=$examples/traces/item_storm.json
{ sed '$d' "$storm"; awk 'BEGIN { for (i = 0; i < 30000; ++i)  # pieces for several threads
    printf ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op%d\",\"pid\":9,\"tid\":9,\"ts\":%d,\"dur\":5,\"args\":{}}\n", i % 50, 9000000 + i * 9 }'
  tail -1 "$storm"; } >long.json
long_work='for i = 1, 1e9 do local text = i .. "" end'
cat >long.lua <<RULE
return { id = "test.long", title = "It takes long", detect = function(kd) $long_work end }
RULE
{ echo 'kdiag: 1'; echo 'rules:'; for i in $(seq 400); do cat <<RULE; done; } >long.yaml
- rule: test.long-$i
  title: It takes long
  when: count(ops as a where exists(ops where name == a.name and start > a.start + ${i}ns and dur > a.dur)) > 9000000
RULE
head -5 long.yaml >rule.yaml

same() { [ "$code" = 0 ] && [ ! -s err ] && alike out expected || fail "$1: the same report"; }
expect() { "$kdiag" "$@" >expected 2>err || fail "without a fault: $*"; }

# --- Threads --------------------------------------------------------------------------------------------------------

expect --format json --threads 4 long.json
sweep thread EAGAIN '' same --format json --threads 4 long.json
faulted thread -1 EAGAIN '' --format json --threads 4 long.json || fail 'no thread at all: none is started'
same 'no thread at all'
expect facts --export - --threads 4 long.json
faulted thread -1 EAGAIN '' facts --export - --threads 4 long.json; same 'an export without threads'
faulted thread -1 EAGAIN '' rules test --only-rules "$examples/rules"; code_is 0 'tests of rules without threads'
faulted thread -1 EAGAIN '' --max-time 60min "$storm"; code_is 2 'a time limit without threads'
err_has K768 'a time limit without threads'; err_has 'no thread' 'a time limit without threads'; out_empty 'a time limit without threads'

# --- Clocks ---------------------------------------------------------------------------------------------------------

expect --format json "$storm"
KDIAG_FAULT_CALL=clock KDIAG_FAULT=jump LD_PRELOAD=$faults run --format json --max-time 60min "$storm"; same 'a clock that leaps'
cat >short.lua <<'RULE'
return { id = "test.short", title = "It looks at the clock", detect = function(kd) for i = 1, 1e5 do local text = i .. "" end end }
RULE
expect --format json --only-rules --rules short.lua "$storm"
KDIAG_FAULT_CALL=clock KDIAG_FAULT=jump LD_PRELOAD=$faults run --format json --max-time 60min --only-rules --rules short.lua "$storm"
same 'a script while the clock leaps'; grep -qF '"failed": 0' out || fail 'a script while the clock leaps: no limit is exceeded'

# What nobody writes to is waited for as long as the time lasts.
mkfifo pipe
run pipe --max-time 100ms; code_is 2 'a pipe without a writer'; err_has K768 'a pipe without a writer'
run --rules pipe --max-time 100ms "$storm"; code_is 2 'rules from a pipe without a writer'; err_has K768 'rules from a pipe without a writer'

# --- Signals --------------------------------------------------------------------------------------------------------

echo before >before.txt; cp before.txt kept.txt
interrupted() {  # ABOUT
  code_is 130 "$1"; out_empty "$1"; err_empty "$1"
  alike kept.txt before.txt || fail "$1: the file of before stays"
  [ -z "$(find . -name '.kdiag-*')" ] || fail "$1: a temporary file is left"
}
for signal in INT TERM HUP; do
  stuck read 2 /long.json "$signal" --output kept.txt "$work/long.json"
  interrupted "stuck in a call: SIG$signal"
  # Each time at a call of that phase: opening and reading of rules, reading of a trace, a script that looks at the clock
  # while it judges, the question whether a report is for a terminal, the making of a file, writing.
  for phase in 'open 1 /rule.yaml' 'read 1 /rule.yaml' 'read 2 /long.json' 'open 1 .kdiag-'; do
    read -r call at file <<<"$phase"
    faulted "$call" "$at" "SIG$signal" "$file" --rules "$work/rule.yaml" --output kept.txt "$work/long.json" ||
      fail "$phase: there is no such call"
    interrupted "$phase: SIG$signal"
  done
  faulted write 1 "SIG$signal" .kdiag- facts --export kept.txt long.json || fail 'an export writes nothing'
  interrupted "exporting: SIG$signal"
  faulted clock 50 "SIG$signal" '' --only-rules --rules long.lua --output kept.txt "$storm" || fail 'a script looks at no clock'
  interrupted "judging by a script: SIG$signal"
  faulted isatty 1 "SIG$signal" /out "$storm" || fail 'a terminal is not asked for'
  interrupted "rendering: SIG$signal"
  # Expressions call nothing: the signal comes once more time was worked than reading takes. All rules take minutes.
  "$kdiag" --only-rules --rules long.yaml --output kept.txt long.json >out 2>err & child=$!
  for _ in $(seq 3000); do
    [ "$(awk '{ print ($14 + $15 >= 100) }' "/proc/$child/stat" 2>/dev/null || echo 1)" = 1 ] && break
    sleep 0.02
  done
  kill "-$signal" "$child"; timeout "$limit" tail --pid="$child" -f /dev/null || kill -KILL "$child"
  wait "$child" 2>/dev/null; code=$?
  interrupted "judging by expressions: SIG$signal"
done
finish
