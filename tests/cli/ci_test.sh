#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of the example workflows, step by step, as a runner would. Usage: ci_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"
PATH=$(dirname "$kdiag"):$PATH
export GITHUB_STEP_SUMMARY=$work/summary.md
ln -s "$examples" examples

# steps_of FILE KEY: each block below `KEY |`, without its indentation, as one file: step1.sh, step2.sh, ...
steps_of() {
  rm -f step*.sh
  awk -v key="$2" 'index($0, key " |") { step++; match($0, /^ */); depth = RLENGTH; inside = 1; next }
    inside { match($0, /^ */); if (RLENGTH <= depth) inside = 0; else { sub(/^ */, ""); print >("step" step ".sh") } }' \
    "examples/ci/$1"
}
step() { bash -eo pipefail "step$1.sh" >out 2>err; code=$?; }

# --- performance.yml: two traces compared. ---
steps_of performance.yml 'run:'
for number in 1 2; do step $number; code_is 0 "step $number"; done
step 3; code_is 1 'a change that is slower'
grep -q 'failures="[1-9]' kdiag.xml || fail 'JUnit tells the failure'
grep -q '"compare.regression"' kdiag.sarif || fail 'SARIF tells the regression'
grep -q '### Gate' summary.md && grep -q -- '--fail-above 5%: failed' summary.md || fail 'the summary tells the gate'
[ "$(wc -c <summary.md)" -lt 1048576 ] || fail 'a summary of a step is at most 1 MiB'

cp baseline.json change.json; rm -f summary.md
step 3; code_is 0 'a change that is no slower'
grep -q 'failures="0"' kdiag.xml || fail 'JUnit without a failure'

# --- findings.yml: annotations, code scanning, the summary. ---
rm -f -- *.json *.sarif *.xml summary.md
steps_of findings.yml 'run:'
for number in 1 2; do step $number; code_is 0 "step $number of the findings"; done
grep -q 'failures="0"' rules.xml || fail 'the tests of the rules'
step 3; code_is 1 'a new finding'
out_has '::error title=kdiag --fail-on high::' 'the gate as an annotation'
out_has '::error file=train.py,line=57,title=host.sync-stall%3A The host waits' 'a finding as an annotation'
grep -q '"ruleId": "host.sync-stall"' kdiag.sarif || fail 'a finding in SARIF'
grep -q -- '--fail-on high: failed' summary.md || fail 'the summary tells the gate'
cp main.json change.json
step 3; code_is 0 'nothing new'
if grep -q '^::error' out; then fail 'nothing new, and an error'; fi

# --- gitlab-ci.yml ---
rm -f -- *.json *.xml
steps_of gitlab-ci.yml '-'
step 1; code_is 0 'the trace'
step 2; code_is 1 'GitLab fails, too'
grep -q '"check_name": "host.sync-stall"' gl-code-quality-report.json || fail 'a finding of Code Quality'
grep -q '"path": "train.py"' gl-code-quality-report.json || fail 'each has a path'
grep -q 'failures="[1-9]' kdiag.xml || fail 'JUnit tells the failure to GitLab'

# --- gate.sh ---
examples/traces/item_storm.sh 40 >good.json
FAIL_ON=critical examples/ci/gate.sh good.json >out 2>err; code=$?; code_is 0 'a good run'
examples/ci/gate.sh change.json >out 2>err; code=$?; code_is 1 'a finding'
[ -s kdiag.html ] || fail 'a page to look at'
examples/ci/gate.sh change.json good.json >out 2>err; code=$?; code_is 1 'a regression'
examples/ci/gate.sh missing.json >out 2>err; code=$?; code_is 2 'no trace'
finish
