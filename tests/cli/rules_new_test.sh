#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag rules new: what it makes is valid and tested. Usage: rules_new_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"

run rules new team.first-rule; code_is 0 'to standard output'; out_has 'rule: team.first-rule' 'to standard output'
out_has 'pack: {name: team' 'to standard output'
run rules new team.first-rule --output new.yaml; code_is 0 'to a file'; out_empty 'to a file'
run rules check --werror new.yaml; code_is 0 'the new file is valid'; err_empty 'the new file is valid'
run rules test new.yaml; code_is 0 'the tests of the new file pass'
run rules fmt --check new.yaml; code_is 0 'the new file is formatted'
echo mine >new.yaml
run rules new team.first-rule --output new.yaml; code_is 2 'a file is not replaced'; err_has '--force' 'a file is not replaced'
[ "$(cat new.yaml)" = mine ] || fail 'a file is not replaced'
run rules new team.first-rule --output new.yaml --force; code_is 0 'force'; grep -q team.first-rule new.yaml || fail force
run rules new Team; code_is 2 'no id'; err_has 'area.name' 'no id'; out_empty 'no id'
run rules new clock.throttled; code_is 2 'a built-in id'; err_has 'rules show clock.throttled' 'a built-in id'

# A test cut out of a trace passes where it is pasted.
"$kdiag" rules show host.sync-stall | sed -n '/^rule:/,$p' | sed 's/host.sync-stall/mine.stall/; /symptom_of\|explains/d' >rule
# The parameters of its pack are not the rule's.
pack_params=$(sed -n '/^params:/,/^define:/p' "$examples/../rules/host_sync/pack.yaml" | sed '/^define:/d')
paste_into() {
  { printf 'kdiag: 1\npack: {name: mine}\nimport: [std]\n%s\n' "$pack_params"; printf 'rules:\n'
    cat rule | sed '1s/^/- /; 2,$s/^/  /'; echo '  tests:'; sed 's/^/  /' "$1"; } >pasted.yaml
}
run rules new --from "$examples/traces/item_storm.json" --rule host.sync-stall; code_is 0 'a cut test'; out_has 'expect: fired' 'a cut test'
[ "$(wc -l <out)" -lt 20 ] || fail 'a cut test is small'
cp out cut; paste_into cut; run rules test pasted.yaml; code_is 0 'a cut test passes'
run rules new --from "$examples/traces/item_storm.json" --rule host.sync-stall; cmp -s out cut || fail 'a cut test is the same every time'
run rules new --from table.txt --rule host.sync-stall; code_is 0 'a cut test that cannot tell'; out_has 'inconclusive: {missing:' 'a cut test that cannot tell'
cp out cut; paste_into cut; run rules test pasted.yaml; code_is 0 'a cut test that cannot tell passes'
run rules new --from table.txt --rule host.sync-stal; code_is 2 'a cut of no rule'; err_has "did you mean 'host.sync-stall'" 'a cut of no rule'
run rules new --from missing.json --rule host.sync-stall; code_is 2 'a cut of no trace'; out_empty 'a cut of no trace'
run rules new; code_is 2 'nothing named'; err_has 'RULE is missing' 'nothing named'

finish
