#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag rules list, show and docs. Usage: rules_list_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

cat >own.yaml <<'RULE'
kdiag: 1
pack: {name: own}
rules:
# The first one.
- rule: test.first
  title: First
  tags: [slow, "odd|tag"]
  explains: [gpu.low-utilization]
  when: |
    # indented comments belong to the rule
    exists(kernels)

# A comment below the first and above the second.
- title: Second
  rule: test.second
  enabled: false
  when: exists(copies)
RULE

run rules list; code_is 0 list; out_has 'role     subject  summary' list; out_has 'gpu.low-utilization' list; err_empty list
run rules list --rules own.yaml --area test; code_is 0 'list by area'; out_has test.first 'list by area'; out_has disabled 'list by area'
if grep -q clock.throttled out; then fail 'list by area'; fi
run rules list --rules own.yaml --tag slow --format json; code_is 0 'list as JSON'; out_has '"tags": ["slow", "odd|tag"]' 'list as JSON'
out_has '"line": 5' 'list as JSON'
run rules list --area gup; code_is 2 'a misspelt area'; out_empty 'a misspelt area'; err_has "did you mean 'gpu'" 'a misspelt area'
run rules list --rules own.yaml --tag slwo; code_is 2 'a misspelt tag'; err_has "did you mean 'slow'" 'a misspelt tag'

run rules show test.first --rules own.yaml; code_is 0 show; out_has 'own.yaml:5' show; out_has '- rule: test.first' show
out_has '    exists(kernels)' show
if grep -q 'A comment below' out; then fail 'show ends with the rule'; fi
run rules show test.frist --rules own.yaml; code_is 2 'show what is not there'; err_has "did you mean 'test.first'" 'show what is not there'

run rules docs test.first --rules own.yaml; code_is 0 docs; out_has '# test.first' docs
out_has 'Explains [gpu.low-utilization](gpu.low-utilization.md)' docs; out_has 'tags slow, odd\|tag' docs
run rules docs gpu.low-utilization --rules own.yaml; out_has '[test.first](test.first.md)' 'docs of the symptom'; out_has '--set gpu.low-utilization.floor=VALUE' 'docs of parameters'
run rules docs --rules own.yaml; code_is 0 'docs of all'; out_has '# clock.throttled' 'docs of all'; out_has '# Rules' 'docs of all'
run rules docs --rules own.yaml --output site/rules; code_is 0 'docs in a folder'; out_empty 'docs in a folder'
[ -s site/rules/test.first.md ] && grep -q 'test.first.md' site/rules/index.md || fail 'docs in a folder'
for page in site/rules/*.md; do
  grep -o '([a-z.-]*\.md)' "$page" | tr -d '()' | while read -r link; do [ -e "site/rules/$link" ] || echo "$link"; done
done >dead
[ ! -s dead ] || fail "docs link to pages that are not there: $(cat dead)"
: >file; run rules docs --output file; code_is 2 'a file where a folder is to be'; err_has 'cannot make the folder' 'a file where a folder is to be'
run rules docs no.such; code_is 2 'docs of no rule'

finish
