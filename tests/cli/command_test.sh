#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the command prints where, and with which exit code. Usage: command_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"

cat >late.yaml <<'RULE'
kdiag: 1
rules:
- rule: test.long-gemm
  title: A kernel takes long
  when: max(kernels, dur) > 1us
  severity: [high: "true"]
  impact: sum(kernels, dur)
RULE
sed 's/max(/maximum(/' late.yaml >broken.yaml

run --help; code_is 0 help; out_has 'Exit codes' help; err_empty help
run --version; code_is 0 version; out_has 'kdiag 0.' version
run; code_is 2 'no arguments'; out_empty 'no arguments'; err_has 'no trace is given' 'no arguments'
run --fomat json table.txt; code_is 2 'misspelt option'; err_has "did you mean '--format'" 'misspelt option'; out_empty 'misspelt option'
run --format yaml table.txt; code_is 2 'unknown format'; err_has 'json, junit, markdown, perfetto, sarif, text' 'unknown format'
run --steps 9..5 table.txt; code_is 2 'inverted steps'; err_has '5..15' 'inverted steps'
run --from 3 table.txt; code_is 2 'time without unit'; err_has '200ms' 'time without unit'
run --set margin=5 table.txt; code_is 2 'setting without rule'; err_has 'rule.param=value' 'setting without rule'
run fact table.txt; code_is 2 'misspelt verb'; err_has "did you mean 'facts'" 'misspelt verb'
run --only-rules table.txt; code_is 2 'no rules left'; err_has '--rules' 'no rules left'
run formats; code_is 0 formats; out_has kernel-table formats; err_empty formats
run facts --catalogue; code_is 0 catalogue; out_has sm_clock_rated catalogue

run --model-flops 6,2e12 table.txt; code_is 2 'operations with a comma'; err_has '6.2TFLOP' 'operations with a comma'
run --model-flops 0.1TFLOP "$2/traces/item_storm.json"; code_is 0 operations; out_has 'MFU 9.' operations; err_empty operations
run --model-flops 6.2TFLOP table.txt; code_is 0 'operations without steps'; err_has 'needs steps' 'operations without steps'
# 6 N for each token: the 0.1 TFLOP above.
run --parameters 16.666667M --tokens 1k "$2/traces/item_storm.json"; code_is 0 'a model'; out_has 'MFU 9.' 'a model'; err_empty 'a model'
# A model that is none of the trace's.
run --parameters 6.7B --tokens 32k "$2/traces/item_storm.json"; code_is 0 'too much'; out_has 'MFU' 'too much'; err_has 'more than the device can' 'too much'
run --parameters 1e20 --tokens 1e20 table.txt; code_is 2 'far too much'; err_has '32,000' 'far too much'; out_empty 'far too much'
run --parameters 7B table.txt; code_is 2 'parameters without tokens'; err_has '--tokens' 'parameters without tokens'
run --parameters 7G --tokens 1 table.txt; code_is 2 'parameters of another unit'; err_has '6.7B' 'parameters of another unit'
run --parameters 7B --tokens 1k --model-flops 1TFLOP table.txt; code_is 2 'operations twice'; err_has '--model-flops' 'operations twice'
run --parameters 7B --tokens 4k table.txt; code_is 0 'a model without steps'; err_has '--parameters and --tokens are' 'a model without steps'

run table.txt; code_is 0 diagnosis; out_has table.txt diagnosis; err_empty diagnosis
if grep -q $'\x1b' out; then fail 'no colours without a terminal'; fi
run --format json table.txt; code_is 0 'JSON report'; out_has '"kdiag.report/1"' 'JSON report'
run --format html --output page.html table.txt; code_is 0 'a page'; out_empty 'a page'; err_empty 'a page'
grep -q '^<!doctype html>' page.html || fail 'a page is HTML'
run --format html table.txt; code_is 0 'a page into a pipe'; out_has '<!doctype html>' 'a page into a pipe'
script -qec "'$kdiag' --format html table.txt" /dev/null >out </dev/null || true
grep -q -e '--output report.html' out || fail 'a page is not for a terminal'
if grep -q doctype out; then fail 'a page does not go to a terminal'; fi
run --timings table.txt; code_is 0 timings; out_has 'reading and checking rules' timings; err_empty timings
run --timings --format json table.txt; code_is 0 'JSON timings'; out_has '"by_rule"' 'JSON timings'
run --timings --format sarif table.txt; code_is 2 'SARIF timings'; err_has '--format json' 'SARIF timings'; out_empty 'SARIF timings'
run --format json --rules late.yaml --fail-on high table.txt; code_is 1 'fail-on reached'; out_has test.long-gemm 'fail-on reached'
run --rules late.yaml --fail-on critical table.txt; code_is 0 'fail-on not reached'
run --rules late.yaml --only-rules table.txt; code_is 0 'own rules alone'; out_has test.long-gemm 'own rules alone'
run --rules broken.yaml table.txt; code_is 3 'invalid rule'; out_empty 'invalid rule'; err_has broken.yaml 'invalid rule'
run --rules broken.yaml missing.json; code_is 3 'rules come before traces'; out_empty 'rules come before traces'
echo nonsense >nonsense.txt
run --rules broken.yaml nonsense.txt; code_is 3 'the trace is wrong, too'; ! has err nonsense || fail 'of what was read ahead nothing is told'
mkfifo nobody_writes
run --rules broken.yaml nobody_writes --max-time 20s; code_is 3 'invalid rule, and a pipe'; err_has broken.yaml 'invalid rule, and a pipe'
run --rules broken.yaml table.txt nobody_writes --max-time 20s; code_is 3 'invalid rule, and a pipe among traces'
rm nobody_writes
run --rules missing.yaml table.txt; code_is 3 'missing rule file'; err_has missing.yaml 'missing rule file'
sed '/title/i\  status: incubating' late.yaml >young.yaml
run --rules young.yaml --fail-on high table.txt; code_is 0 'incubating rules wait'
run --rules young.yaml --fail-on high --incubating table.txt; code_is 1 'incubating rules on demand'
run explain --rules young.yaml test.long-gemm table.txt; code_is 0 'incubating rules are explained'; out_has FIRED 'incubating rules are explained'
printf 'kdiag: 1\nimport: [./late.yaml]\noverrides:\n- {rule: test.long-gemm, set: {severity: low}}\n' >site.yaml
run --rules site.yaml --fail-on high table.txt; code_is 0 'an override in force'
run --rules site.yaml --fail-on low table.txt; code_is 1 'an imported rule'
run rules show test.long-gemm --rules site.yaml; out_has 'site.yaml:4: severity' 'rules show names who changed it'
run rules check late.yaml; code_is 0 'rules check'; err_has 'note[K422]' 'rules check advises authors'
run rules check --quiet late.yaml; code_is 0 'quiet rules check'; err_empty 'quiet rules check'
run rules check broken.yaml; code_is 3 'rules check finds mistakes'; err_has maximum 'rules check finds mistakes'
run rules test late.yaml; code_is 4 'no tests'; err_has 'no tests' 'no tests'; out_empty 'no tests'
sed '$a\  tests:\n  - name: a long one\n    facts: {kernels: [{name: k, dur: 2us}]}\n    expect: fired' late.yaml >tested.yaml
run rules test tested.yaml; code_is 0 'tests pass'; out_has '1 passed, 0 failed' 'tests pass'; err_empty 'tests pass'
sed 's/dur: 2us/dur: 1us/' tested.yaml >failing.yaml
run rules test failing.yaml; code_is 4 'a test fails'; out_has 'a long one' 'a test fails'
out_has 'got      clear (1' 'a test fails'
run rules test --verbose tested.yaml; code_is 0 'verbose tests'; out_has 'passed test.long-gemm: a long one' 'verbose tests'
run rules test --only-rules tested.yaml; code_is 0 'tests without the built-in rules'
run rules test --filter short tested.yaml; code_is 4 'no test is chosen'; err_has '--filter' 'no test is chosen'
run rules test --run '^a l' tested.yaml; code_is 0 'a test is chosen'; out_has '1 passed' 'a test is chosen'
run rules test --run '(' tested.yaml; code_is 2 'a wrong pattern'; err_has 'missing )' 'a wrong pattern'
run rules test --format json --output tests.json failing.yaml; code_is 4 'JSON of tests'; out_empty 'JSON of tests'
grep -q '"kdiag.rule-tests/1"' tests.json || fail 'JSON of tests has its schema'
run rules test --format junit tested.yaml; code_is 0 'JUnit'; out_has '<testcase classname="test.long-gemm"' JUnit
run rules test --coverage tested.yaml; code_is 0 'coverage'; out_has 'was never clear or inconclusive' coverage
run rules test --min-coverage 50 tested.yaml; code_is 4 'too little coverage'; out_has 'coverage 33 %' 'too little coverage'
run rules test --min-coverage 20 tested.yaml; code_is 0 'enough coverage'
run rules test missing.yaml; code_is 3 'missing tests'; err_has missing.yaml 'missing tests'
mkdir -p pack/tests empty
run rules test empty; code_is 4 'an empty folder'; err_has 'no tests were found in empty' 'an empty folder'
cp tested.yaml pack/rules.yaml; cp table.txt pack/tests/
printf 'services: {}\n' >pack/compose.yml
printf 'kdiag_test: 1\nrules: ../rules.yaml\ntests:\n- name: the table\n  trace: table.txt\n  expect: {findings: [{rule: test.long-gemm, severity: high}], only: true}\n  eval: [{expr: count(kernels), equals: 2}]\n' >pack/tests/table.yaml
run rules test pack; code_is 0 'a folder'; out_has '2 passed, 0 failed' 'a folder'; out_has 'compose.yml: skipped' 'a folder'
(cd pack/tests && "$kdiag" rules test table.yaml >out 2>err) || fail 'a test file from its own folder'
sed -i 's/expect: {findings/expect: {findigs/' pack/tests/table.yaml
run rules test pack; code_is 3 'a broken test file'; err_has "did you mean 'findings'?" 'a broken test file'; out_empty 'a broken test file'
run rules check pack/tests/table.yaml; code_is 3 'a test file is no rule file'; err_has 'rules test' 'a test file is no rule file'
run rules list --rules late.yaml; code_is 0 'rules list'; out_has test.long-gemm 'rules list'
out_has host.sync-stall 'rules list'
run rules list --rules late.yaml --only-rules; code_is 0 'own rules listed'
if grep -q host.sync-stall out; then fail 'own rules listed: no built-in ones expected'; fi
run rules show test.long-gemm --rules late.yaml; code_is 0 'rules show'; out_has test.long-gemm 'rules show'
run explain host.sync-stall; code_is 0 'explain without a trace'; out_has host.sync-stall 'explain without a trace'
run rules tset; code_is 2 'misspelt verb of rules'; err_has "did you mean 'test'" 'misspelt verb of rules'

run query 'sum(kernels, dur)' table.txt; code_is 0 query; out_has 12 query
run query --format json 'sum(kernels, dur)' table.txt; code_is 0 'query as JSON'; out_has 12000 'query as JSON'
run query 'sum(kernels, durr)' table.txt; code_is 2 'wrong query'; err_has "did you mean 'dur'" 'wrong query'; out_empty 'wrong query'
run query --strict 'max(ops, dur)' table.txt; code_is 5 'unknown under strict'
run query 'max(ops, dur)' table.txt; code_is 0 'unknown without strict'
run explain --rules late.yaml test.long-gemm table.txt; code_is 0 explain; out_has test.long-gemm explain
run explain no.such-rule table.txt; code_is 2 'no such rule'; out_empty 'no such rule'
run facts table.txt; code_is 0 facts; out_has kernels facts
run facts --format json table.txt; code_is 0 'facts as JSON'; out_has '"tables"' 'facts as JSON'

# Inputs that are none.
: >empty.json
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' >pointer.json
printf 'Hello, world\n' >hello.txt
mkdir folder
run missing.json; code_is 2 'missing file'; out_empty 'missing file'; err_has missing.json 'missing file'
run tabel.txt; code_is 2 'misspelt file'; err_has "did you mean 'table.txt'" 'misspelt file'
run empty.json; code_is 2 'empty file'; err_has empty 'empty file'
run pointer.json; code_is 2 'LFS pointer'; err_has 'git lfs pull' 'LFS pointer'
run folder; code_is 2 'empty folder'; err_has 'no file in it' 'empty folder'
cp hello.txt folder/README.md
run folder; code_is 2 'folder without a trace'; err_has 'no trace that kdiag knows: 1 (README.md)' 'folder without a trace'
cp table.txt folder/rank0.txt; cp table.txt folder/rank1.txt
run folder; code_is 0 'folder of ranks'; out_has 'rank0.txt and 1 more' 'folder of ranks'; out_has README.md 'folder of ranks'
tar -czf folder.tgz folder
run folder.tgz; code_is 0 'archive of ranks'; out_has 'rank0.txt and 1 more' 'archive of ranks'
"$kdiag" - <folder.tgz >out 2>err; code=$?; code_is 0 'piped archive'; out_has 'rank0.txt and 1 more' 'piped archive'
run 'folder#1'; code_is 0 'first run of a folder'
run 'folder#2'; code_is 2 'run of a folder out of range'; err_has 'one run' 'run of a folder out of range'
run hello.txt; code_is 2 'no trace'; err_has "text that begins 'Hello, world'" 'no trace'
run missing.json hello.txt; code_is 2 'several errors'; err_has missing.json 'several errors'; err_has hello.txt 'several errors'
mkdir pair; cp table.txt pair/a.txt; { cat table.txt; yes "$(sed -n 3p table.txt)" | head -100; } >pair/b.txt
tar -cf whole.tar -C pair a.txt b.txt; head -c 4096 whole.tar >cut.tar
run cut.tar; code_is 0 'a cut archive'; tr -s ' \n' ' ' <out >flat; mv flat out; out_has 'b.txt: the archive is damaged or cut off; the files before that were read (cut.tar)' 'a cut archive'
gzip -cn hello.txt | head -c 16 >cut.gz
run cut.gz; code_is 2 'a cut stream of what is unknown'; err_has 'cut off' 'a cut stream of what is unknown'
run --format json --output report.json table.txt; run report.json; code_is 2 'a report'; err_has 'this is a report of kdiag' 'a report'
printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"g"}],' >cut.json
run cut.json; code_is 2 'cut JSON'; err_has 'it is cut off' 'cut JSON'
run table.txt hello.txt; code_is 0 'unreadable among readable'; out_has hello.txt 'unreadable among readable'
run --strict table.txt hello.txt; code_is 2 'unreadable under strict'
echo 'timestamp, index, utilization.gpu [%]' > header.csv
run header.csv; code_is 2 'a header without a row'; out_has 'no row of the input could be read' 'a header without a row'
echo '{"traceEvents":[]}' >nothing.json
run nothing.json header.csv --fail-on high; code_is 2 'a gate that looked at nothing'
run query 'count(kernels)' nothing.json; code_is 2 'a query of nothing'; err_has 'no row of it could be read' 'a query of nothing'
run compare table.txt nothing.json; code_is 2 'a comparison with nothing'
run table.txt header.csv; code_is 0 'a header among rows'
run --strict header.csv; code_is 2 'a header without a row under strict'
run 'table.txt#2'; code_is 2 'run out of range'; err_has 'one run' 'run out of range'
run 'table.txt#1'; code_is 0 'first run of a file'
cp table.txt 'odd#1'; run 'odd#1'; code_is 0 'a name with a hash'
cp table.txt $'evil\x1b]0;x\x07.txt'; run $'evil\x1b]0;x\x07.txt'; code_is 0 'hostile name'
if grep -q $'\x1b' out; then fail 'control characters of names are escaped'; fi
run --within ProfilerStep#12 "$2/traces/item_storm.json"; code_is 2 'a step as a range'; err_has '--steps 12 selects' 'a step as a range'; err_has 'group by (name)' 'a step as a range'
cp table.txt ./-table.txt
run -- -table.txt; code_is 0 'a name that begins like an option'; out_has '-table.txt' 'a name that begins like an option'
run query 'count(kernels)' -- -table.txt; code_is 0 'such a name behind an expression'; [ "$(cat out)" = 2 ] || fail 'such a name behind an expression'
run -table.txt; code_is 2 'such a name without --'; err_has 'there is no option -table.txt' 'such a name without --'
run --device 5 table.txt; code_is 2 'scope selects nothing'; err_has 'no device 5' 'scope selects nothing'

# Facts files.
run facts --export facts.jsonl table.txt; code_is 0 'export'; out_empty 'export'; err_empty 'export'
run facts.jsonl; code_is 0 'facts file'; out_has 'kdiag-facts · table.txt' 'facts file'
"$kdiag" facts --export - table.txt | gzip | "$kdiag" - >out 2>err; code=$?; code_is 0 'piped facts file'
run facts --export other.jsonl missing.json; code_is 2 'export of nothing'; err_has missing.json 'export of nothing'
[ ! -e other.jsonl ] || fail 'a failed export leaves no file'
run facts --export none/facts.jsonl table.txt; code_is 2 'export to nowhere'; err_has 'cannot write' 'export to nowhere'
run facts --export other.jsonl --device 0 table.txt; code_is 2 'export of a part'; err_has '--device' 'export of a part'

# Streams.
code=0
"$kdiag" - <table.txt >out 2>err; code=$?; code_is 0 'standard input'
gzip -c table.txt | "$kdiag" - >out 2>err; code=$?; code_is 0 'compressed pipe'
"$kdiag" --format json --rules late.yaml --fail-on high table.txt 2>err | head -c 1 >out
code=${PIPESTATUS[0]}; code_is 1 'a reader that goes away'; err_empty 'a reader that goes away'
run --output report.json --format json table.txt; code_is 0 'output file'; out_empty 'output file'
grep -q kdiag.report report.json || fail 'output file holds the report'
cp report.json before.json
run --output report.json --rules broken.yaml table.txt; cmp -s report.json before.json || fail 'a failed run leaves the output file alone'
run --output no/where.json table.txt; code_is 2 'output that cannot be written'; err_has no/where.json 'output that cannot be written'
[ "$(find . -name '*.??????' -newer before.json ! -name '*.json' -type f | grep -c 'report.json\.')" = 0 ] || fail 'no temporary file is left'
if [ -w /dev/full ]; then "$kdiag" table.txt >/dev/full 2>err; code=$?; code_is 2 'full disk'; fi

# Interrupted while it waits for a pipe.
mkfifo pipe
"$kdiag" pipe >out 2>err & child=$!
exec 3>pipe; printf '{"traceEvents": [' >&3; sleep 0.3
kill -INT "$child"; wait "$child"; code=$?; code_is 130 interrupt; out_empty interrupt
exec 3>&-

finish
