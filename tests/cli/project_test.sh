#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A team's repository: project file, two packs, waivers, known findings, and three recordings of one program.
# Usage: project_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
team=$(realpath "$(dirname "$0")/team")
. "$(dirname "$0")/harness.sh"

cp -r "$team" repository && mkdir -p repository/traces/deep && cd repository || exit 1
storm=$examples/traces/item_storm.sh
"$storm" 640 >traces/monday.json      # the program
"$storm" 590 >traces/tuesday.json     # the same, recorded again
"$storm" 1 fixed >traces/fixed.json   # the program, mended
today=(--today 2026-11-26)

# A report wraps its lines: what is looked for stands on one.
report_on() { run --today "$@"; tr -s ' \n' ' ' <out >flat; mv flat out; }
report() { report_on "${today[1]}" "$@"; }
listed() { "$kdiag" "${today[@]}" "$@" 2>err | grep -E '^ *[0-9]+ +[A-Z]+ '; }
names() { grep -oE '"(rule|fingerprint)": "[^"]*"' "$1" | paste - - | sort -u; }
name_of() { grep -A40 "\"rule\": \"$2\"" "$1" | grep -m1 -oE 'v1:[0-9a-f]{16}'; }

# --- The gate: what is waived does not count, what expired counts again, what a rule of the team finds counts. ---
report traces/monday.json; code_is 1 'a finding of the house'
out_has '1 finding is accepted: host.sync-stall (critical)' 'one line for what is waived'
out_has 'house.loss-reads' 'the rule of a pack'
out_has '--fail-on medium: failed, house.loss-reads (medium); 1 finding is waived' 'the gate'
out_has 'kdiag.yaml:23 limits.*: expired on 2026-06-30 (perf), 1 finding counts again' 'an expired waiver'
out_has 'kdiag.yaml:27 copy: waives nothing that was found' 'an unused waiver'
if grep -q fp32-matmul out; then fail 'an ignored rule'; fi
if listed traces/monday.json | grep -q host.sync-stall; then fail 'a waived finding stands in the list'; fi
report --all traces/monday.json
out_has 'The host waits for the device in aten::item' 'waived findings in full under --all'
out_has 'Waived by training-infra until 2026-12-31: the loss is read on purpose' 'why it is waived'
out_has 'explains Kernels run' 'a waived cause explains its symptoms'
out_has 'Name v1:' 'the fingerprint'
report_on 2027-01-01 traces/monday.json; code_is 1 'all expired'
out_has 'kdiag.yaml:18 host.sync-stall: expired on 2026-12-31 (training-infra), 1 finding counts again' 'all expired'
report_on 2026-12-31 traces/monday.json; out_has '1 finding is accepted' 'the last day'
report --set host.sync-stall.share=20% traces/fixed.json; code_is 0 'the mended program'
out_has 'kdiag.yaml:18 host.sync-stall: waives nothing that was found' 'a waiver that is not needed any more'

# --- Formats. ---
run "${today[@]}" --format json --output monday.json traces/monday.json; code_is 1 json
grep -q '"waived": {"reason": "the loss is read' monday.json || fail 'a waived finding in JSON'
grep -q '"waives": "copy", "state": "unused", "findings": 0' monday.json || fail 'waivers in JSON'
run "${today[@]}" --format sarif traces/monday.json
out_has '"kind": "external"' 'a suppression'; out_has '"kdiag/v1": "v1:' 'a partial fingerprint'
[ "$(grep -c '"suppressions"' out)" = 1 ] || fail 'one finding is suppressed'
run "${today[@]}" --format markdown traces/monday.json; out_has '**Waived:** by training' Markdown
run "${today[@]}" --format junit traces/monday.json; out_has '<skipped message="waived by training' JUnit

# --- Fingerprints: the same for the next recording of the program. ---
run "${today[@]}" --format json --output tuesday.json traces/tuesday.json
[ "$(names monday.json)" = "$(names tuesday.json)" ] || fail 'other fingerprints in the next recording'
sed 's/aten::item/aten::nonzero/; s/aten::_local_scalar_dense/aten::nonzero/' traces/monday.json >traces/other.json
run "${today[@]}" --format json --output other.json traces/other.json
[ "$(name_of monday.json host.sync-stall)" != "$(name_of other.json host.sync-stall)" ] || fail 'another culprit'

# --- Known findings: only what is new fails. ---
report --known monday.json traces/tuesday.json; code_is 0 'nothing is new'
out_has 'are in monday.json, 0 are new' 'what is known'
out_has 'no other finding is as severe; 1 finding is waived; 1 finding is known' 'the gate'
report --known monday.json traces/fixed.json; code_is 0 'the mended program'
out_has 'gone: house.loss-reads: The host reads 3 small values a step' 'what vanished'
report --known monday.json --select limits traces/monday.json
out_has 'cannot tell, its rule was not judged: host.sync-stall' 'what was not judged has not vanished'
run --no-config --ignore host --format json --output other.json traces/monday.json; code_is 0 'without the host'
report --no-config --fail-on high --known other.json traces/monday.json; code_is 1 'a new finding fails'
out_has 'host.sync-stall (critical)' 'a new finding fails'; out_has '· new' 'a new finding is marked'
run --known missing.json traces/monday.json; code_is 2 'no known findings'; err_has 'missing.json' 'no known findings'
run --known kdiag.yaml traces/monday.json; code_is 2 'no report'; err_has 'K789' 'no report'

run --known monday.json --format json --output monday.json traces/monday.json; code_is 2 'the known findings are no output'
run --output kdiag.yaml traces/monday.json; code_is 2 'the project file is no output'

# --- kdiag waive writes the entry. ---
run waive monday.json house.loss-reads --reason "it's known" --owner us --until 2027-01-31; code_is 0 waive
out_has '  - rule: house.loss-reads' waive; out_has "reason: 'it''s known'" waive
run waive monday.json house.loss-reads --reason 'it is known' --write; code_is 0 'waive --write'
report traces/monday.json; code_is 0 'the new waiver holds'; out_has '2 findings are accepted' 'the new waiver holds'
run "${today[@]}" traces/tuesday.json; code_is 0 'and for the next recording'
cmp -s "$team/kdiag.yaml" <(head -"$(wc -l <"$team/kdiag.yaml")" kdiag.yaml) || fail 'the rest of the file stays'
cp "$team/kdiag.yaml" .
run waive monday.json no.such --reason x; code_is 2 'no such finding'; err_has 'no.such' 'no such finding'
run waive monday.json --reason x --output monday.json; code_is 2 'the report is no output'
run waive kdiag.yaml --reason x; code_is 2 'no report to waive from'

# --- The project file: found upwards, and the command line wins. ---
cd traces/deep || exit 1
run "${today[@]}" ../monday.json; code_is 1 'from a folder below'; out_has 'house.loss-reads' 'from a folder below'
run config show; code_is 0 'config show'
out_has '# ../../kdiag.yaml' 'config show'; out_has '../../rules/house' 'paths'; out_has 'kdiag.yaml:6' 'places'
out_has 'fail_on: medium' 'config show'
run config show --fail-on low; out_has 'fail_on: low' 'the command line wins'; out_has '# --fail-on' 'and is named'
cd ../.. || exit 1
run --fail-on critical "${today[@]}" traces/monday.json; code_is 0 'the command line wins'
run --no-config traces/monday.json; code_is 0 'without a project file'; out_has 'kernel.fp32-matmul' 'without a project file'
if grep -q house.loss-reads out; then fail 'without a project file'; fi
report --select house traces/monday.json; out_has '1 rule: 1 fired' 'one area'
if listed --ignore 'host.*' traces/monday.json | grep -q sync-stall; then fail 'an ignored area'; fi
run --ignore 'host.*' "${today[@]}" traces/monday.json; out_has kernel.fp32-matmul 'which replaces the list of the file'
run rules list; out_has limits.slow-step 'rules list has the rules of the project'
run explain house.loss-reads; code_is 0 explain
run rules docs house.loss-reads; code_is 0 'rules docs has the rules of the project'
run --no-config rules docs house.loss-reads; code_is 2 'and without the file has not'
run rules new --from traces/monday.json --rule house.loss-reads; code_is 0 'rules new cuts a test for a rule of the project'

# --- Parameters for inputs and devices. ---
cp traces/monday.json traces/lenient.json
run "${today[@]}" traces/lenient.json; code_is 0 'parameters for an input'
if grep -q house.loss-reads out; then fail 'parameters for an input'; fi
run "${today[@]}" --all traces/monday.json; out_has 'limits.slow-step' 'parameters for a device'
sed 's/A100/H100/' traces/monday.json >traces/h100.json
report traces/h100.json; code_is 1 'another device'
if grep -q 'limits.slow-step ' out; then fail 'parameters for another device'; fi
out_has 'host.sync-stall (critical)' 'a waiver whose condition does not hold'

# --- Other verbs judge by the same rules. ---
run plan --for house.loss-reads traces/monday.json; code_is 0 'plan knows the rules of the team'
run --no-config plan --for house.loss-reads traces/monday.json; code_is 3 'and without the file does not'
printf '%s\n' 'kdiag_project: 1' 'ignore: [host.sync-stall]' >quiet.yaml
run annotate --output annotated.json traces/monday.json; code_is 0 annotate
grep -q '"rule":"host.sync-stall"' annotated.json || fail 'a finding among the events'
run --config quiet.yaml annotate --output annotated.json traces/monday.json; code_is 0 annotate
if grep -q '"rule":"host.sync-stall"' annotated.json; then fail 'an ignored rule among the events'; fi

# --- Limits of comparisons. ---
printf '%s\n' 'kdiag_project: 1' 'fail_above: [5%, idle.host_sync=10ms]' >limits.yaml
run --config limits.yaml compare traces/fixed.json traces/monday.json; code_is 1 'a limit of the file'
out_has '--fail-above 5%: failed' 'a limit of the file'
run --config limits.yaml compare traces/monday.json traces/monday.json; code_is 0 'within the limits'
run --config limits.yaml compare --fail-above 10000% traces/fixed.json traces/monday.json; code_is 0 'the command line wins'
run --config limits.yaml traces/monday.json; code_is 0 'a run alone is compared with nothing'
run --config limits.yaml config show; out_has 'fail_above: [5%, idle.host_sync=10ms]' 'config show'

# --- Mistakes, at their place and before any trace is read. ---
wrong() { printf '%s\n' 'kdiag_project: 1' "$1" >wrong.yaml; run --config wrong.yaml missing.json; code_is 3 "$1"; err_has "$2" "$1"; }
wrong 'rule: x' "unknown key 'rule' in a project file"
wrong 'fail_on: hihg' "did you mean 'high'?"
wrong 'select: [hots]' "did you mean 'host'?"
wrong 'params: {host.sync-stal: {share: 1}}' "did you mean 'host.sync-stall'?"
wrong 'params: {host.sync-stall: {shar: 1}}' 'wrong.yaml:2:28: error[K304]'
wrong 'waivers: [{rule: host.sync-stall}]' 'error[K112]'
wrong 'waivers: [{reason: x}]' 'neither `rule` nor `fingerprint`'
wrong 'waivers: [{rule: host.sync-stal, reason: x}]' "did you mean 'host.sync-stall'?"
wrong 'waivers: [{fingerprint: abc, reason: x}]' "'abc' is no fingerprint"
wrong 'waivers: [{rule: host, reason: x, until: 2026-02-30}]' "'2026-02-30' is no date"
wrong 'waivers: [{rule: host, reason: x, when: count(kernel) > 1}]' 'the table is `kernels`'
wrong 'waivers: [{rule: host, reason: x, when: count(kernels)}]' 'wrong.yaml:2:41'
printf '%s\n' 'kdiag_project: 1' 'fail_above: [5 percent]' >wrong.yaml
run --config wrong.yaml compare traces/monday.json traces/fixed.json; code_is 3 'no limit'; err_has 'wrong.yaml:2' 'no limit'
wrong 'builtin: false' 'no rule is left to judge by'
run --no-config --select host --ignore host traces/monday.json; code_is 3 'nothing is chosen'
run --config missing.yaml traces/monday.json; code_is 3 'no project file'; err_has missing.yaml 'no project file'
printf 'kdiag: 1\n' >wrong.yaml
run --config wrong.yaml traces/monday.json; code_is 3 'a rule file'; err_has 'kdiag_project: 1' 'a rule file'
finish
