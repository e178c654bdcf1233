#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of the example workflow, step by step, as a runner would. Usage: ci_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"
PATH=$(dirname "$kdiag"):$PATH
export GITHUB_STEP_SUMMARY=$work/summary.md
ln -s "$examples" examples

# Each block below `run: |`, without its indentation, as one file: step1.sh, step2.sh, ...
awk '/^ *run: \|$/ { step++; match($0, /^ */); depth = RLENGTH; inside = 1; next }
     inside { match($0, /^ */); if (RLENGTH <= depth) inside = 0; else { sub(/^ */, ""); print >("step" step ".sh") } }' \
  examples/ci/performance.yml

for step in 1 2; do bash -eo pipefail "step$step.sh" >out 2>err; code=$?; code_is 0 "step $step"; done
bash -eo pipefail step3.sh >out 2>err; code=$?; code_is 1 'a change that is slower'
grep -q 'failures="[1-9]' kdiag.xml || fail 'JUnit tells the failure'
grep -q '"compare.regression"' kdiag.sarif || fail 'SARIF tells the regression'
grep -q '### Gate' summary.md && grep -q -- '--fail-above 5%: failed' summary.md || fail 'the summary tells the gate'
[ "$(wc -c <summary.md)" -lt 1048576 ] || fail 'a summary of a step is at most 1 MiB'

cp baseline.json change.json; rm -f summary.md
bash -eo pipefail step3.sh >out 2>err; code=$?; code_is 0 'a change that is no slower'
grep -q 'failures="0"' kdiag.xml || fail 'JUnit without a failure'
finish
