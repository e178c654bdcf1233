#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A gate for Jenkins, or any server that runs a shell: [FAIL_ON=medium] gate.sh TRACE [NORMAL_TRACE]
# It leaves kdiag.xml for the list of tests (`junit 'kdiag.xml'` in a Jenkinsfile) and kdiag.html to look at, and ends with
# kdiag's exit code: 1 a finding or a regression, 2 no readable trace, 3 wrong rules. `tests/cli/ci_test.sh` runs it.
set -eu
trace=$1
normal=${2-}

code=0
if [ -n "$normal" ]; then
  kdiag compare "$normal" "$trace" --fail-above 5% --format junit --output kdiag.xml || code=$?
else
  kdiag --fail-on "${FAIL_ON:-high}" --format junit --output kdiag.xml "$trace" || code=$?
fi
kdiag --quiet --format html --output kdiag.html "$trace" || true
exit $code
