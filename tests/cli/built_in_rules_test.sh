#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests of the built-in rules hold, and each rule has one that fires, one that is clear, one that cannot tell, and a
# second one in which it stays silent: a run that looks alike.
# Usage: built_in_rules_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

run rules test --coverage --format json; code_is 0 'the tests of the built-in rules'
grep -q '"failed": 0, "todo"' out || fail 'a test failed'
rules=$(grep -c '"fired": [0-9]*, "clear": [0-9]*, "inconclusive": [0-9]*' out)
[ "$rules" -ge 70 ] || fail "$rules rules were judged"
grep -E '"(fired|clear|inconclusive)": 0,' out && fail 'these rules never had an outcome'
grep -E '"clear": 1, "inconclusive": [0-9]*, "not_applicable": 0,' out && fail 'these rules were silent once only'
finish
