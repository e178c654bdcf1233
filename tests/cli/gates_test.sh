#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The exit codes of gates: each way to compare, each verdict, each condition. Usage: gates_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"
slow=$2/traces/item_storm.json
fixed=fixed.json
"$2"/traces/item_storm.sh 640 fixed >"$fixed"

# The codes do not depend on which rules found what: one that fires on each run with a timeline, most on the slow one, and one
# that cannot tell stand for the built-in ones, which take most of a run to read. Those judge in the last two parts.
cat >two.yaml <<'RULE'
kdiag: 1
rules:
- rule: test.sync
  title: The host waits
  for_each: device
  let:
    waits: idle where cause == "host_sync"
  when: sum(waits, dur) / run.wall > 5%
  severity: [critical: "true"]
  impact: spans(waits)
- rule: test.registers
  title: Kernels take many registers
  when: max(kernels, regs) > 200
RULE

# gate CODES OPTION...: the exit codes of a neutral pair, a regression, an improvement and one without a verdict.
# `compare A B` and `--baseline A B --gate changes` must agree on all of them.
gate() {
  local codes=($1) place=0 pair
  shift
  for pair in "$slow $slow" "$fixed $slow" "$slow $fixed" "$slow table.txt"; do
    local normal=${pair% *} abnormal=${pair#* }
    run compare "${by[@]}" "$normal" "$abnormal" "$@"; code_is "${codes[$place]}" "compare $pair $*"
    run "${by[@]}" --baseline "$normal" "$abnormal" --gate changes "$@"; code_is "${codes[$place]}" "--baseline $pair --gate changes $*"
    place=$((place + 1))
  done
}
# findings CODES OPTION...: the same where all findings of the judged run count, as they do of a run alone.
findings() {
  local codes=($1) place=0 pair
  shift
  for pair in "$slow $slow" "$fixed $slow" "$slow $fixed" "$slow table.txt"; do
    local normal=${pair% *} abnormal=${pair#* }
    run "${by[@]}" --baseline "$normal" "$abnormal" "$@"; code_is "${codes[$place]}" "--baseline $pair $*"
    run compare "${by[@]}" "$normal" "$abnormal" --gate findings "$@"; code_is "${codes[$place]}" "compare $pair --gate findings $*"
    place=$((place + 1))
  done
}

#     neutral, regression, improvement, inconclusive
by=()
gate     '0 1 0 0' --fail-on critical
findings '1 1 1 0' --fail-on critical
findings '5 5 5 5' --strict
by=(--only-rules --rules two.yaml)
gate     '0 0 0 0'
gate     '0 0 0 0' --fail-on never
gate     '0 1 0 0' --fail-on critical
gate     '0 1 0 0' --fail-on info
gate     '0 1 0 0' --fail-above 5%
gate     '0 1 0 0' --fail-above 1us
gate     '0 0 0 0' --fail-above 100000%
gate     '0 1 0 0' --fail-above idle.host_sync=1us
gate     '0 0 0 0' --fail-above idle.host_sync=1000s
gate     '0 0 0 5' --strict
gate     '0 1 0 5' --strict --fail-on info --fail-above 5%
findings '0 0 0 0'
findings '0 0 0 0' --fail-on never
findings '1 1 1 0' --fail-on critical
findings '1 1 1 0' --fail-on info
findings '0 1 0 0' --fail-above 5%
findings '0 1 0 0' --fail-above idle.host_sync=1us
findings '5 5 5 5' --strict
findings '1 1 1 5' --strict --fail-on critical

# Four recordings of the normal run: the same codes where they are alike.
for cost in 632 636 644; do "$2"/traces/item_storm.sh $cost fixed >"fixed$cost.json"; done
healthy() { # CODE ABNORMAL OPTION...
  local code_wanted=$1 abnormal=$2
  shift 2
  run compare "${by[@]}" --normal fixed632.json --normal fixed636.json --normal "$fixed" --normal fixed644.json --abnormal "$abnormal" "$@"
  code_is "$code_wanted" "four recordings, $abnormal $*"
  run "${by[@]}" --baseline fixed632.json --baseline fixed636.json --baseline "$fixed" --baseline fixed644.json "$abnormal" --gate changes "$@"
  code_is "$code_wanted" "four baselines, $abnormal $*"
}
"$2"/traces/item_storm.sh 200 fixed >quick.json
for conditions in '--fail-on critical' '--fail-on info' '--fail-above 5%' '--fail-above idle.host_sync=1us' '--strict'; do
  fails=1; open=0; [ "$conditions" = --strict ] && fails=0 && open=5
  healthy 0 "$fixed" $conditions; healthy $fails "$slow" $conditions; healthy 0 quick.json $conditions
  healthy $open table.txt $conditions
done

# Which condition decided, and why.
run --baseline "$slow" "$slow" --fail-on critical
out_has '--fail-on critical: failed, host.sync-stall (critical) neither came nor grew' 'a finding of both runs'
run compare "$slow" "$slow" --fail-on critical
out_has '--fail-on critical: passed, host.sync-stall (critical) neither came nor grew' 'a finding of both runs'
run compare "$fixed" "$slow" --fail-above 5%; out_has '--fail-above 5%: failed, the cycle took' 'a limit'
run "$slow" --fail-on high; code_is 1 'a run alone'; out_has '--fail-on high: failed, host.sync-stall (critical)' 'a run alone'
run "$slow"; if grep -q '^ gate' out; then fail 'nothing was asked'; fi
run compare "$fixed" "$slow" --fail-on high --format json; code_is 1 JSON; out_has '"condition": "--fail-on high", "outcome": "failed"' JSON
run compare "$fixed" "$slow" --fail-on high --format markdown; code_is 1 Markdown; out_has '### Gate' Markdown
run compare "$fixed" "$slow" --fail-on high --format junit; code_is 1 JUnit; out_has '<failure type="gate"' JUnit
out_has '<failure type="critical" message="' 'a finding in JUnit'
run "$slow" --format junit; code_is 0 'JUnit of a run alone'; out_has 'failures="0"' 'JUnit of a run alone'

# Conditions that look at nothing.
run "$slow" --fail-above 5%; code_is 2 'a limit on a run alone'; err_has '--baseline good.json' 'a limit on a run alone'
run "$slow" --gate changes; code_is 2 'changes of a run alone'; err_has '--gate changes' 'changes of a run alone'
run --baseline "$fixed" "$slow" --fail-above idle.host_sinc=1us; code_is 2 'a part that is none'; err_has 'it has compute' 'a part that is none'
run --baseline "$fixed" "$slow" table.txt --fail-above 5%; code_is 2 'several runs'; err_has 'no comparison of two runs' 'several runs'
finish
