#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What --baseline does to diagnose, query and explain. Usage: baseline_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"

storm=$examples/traces/item_storm.json
"$examples/traces/item_storm.sh" 40 >good.json

run --baseline good.json "$storm"; code_is 0 'a baseline'; err_empty 'a baseline'
out_has 'against baseline run B' 'the header says what it was compared with'
out_has 'changed.sync-cost' 'what changed is a finding'
out_has 'in the baseline run' 'findings know the other run'
run --baseline good.json --format json "$storm"; code_is 0 'JSON'
out_has '"role": "baseline"' 'JSON'; out_has '"baseline": "B"' 'JSON'; out_has 'K730' 'JSON'
run --baseline "$storm" "$storm"; code_is 0 'against itself'
if grep -qE '^ +[0-9]+ .*changed\.' out; then fail 'a run against itself has not changed'; fi
run --baseline "$storm" good.json; code_is 0 'an improvement'
if grep -qE '^ +[0-9]+ .*changed\.' out; then fail 'an improvement is no fault'; fi

run facts --export good.jsonl good.json; code_is 0 'export'
run --baseline good.jsonl "$storm"; code_is 0 'a facts file as baseline'; out_has changed.sync-cost 'a facts file as baseline'
mkdir folder; cp good.json folder
run --baseline folder "$storm"; code_is 0 'a folder as baseline'; out_has changed.sync-cost 'a folder as baseline'
run --baseline good.json#1 "$storm"; code_is 0 'FILE#N as baseline'; out_has changed.sync-cost 'FILE#N as baseline'
"$kdiag" --baseline - "$storm" <good.json >out 2>err; code=$?; code_is 0 'a piped baseline'; out_has changed.sync-cost 'a piped baseline'
run --baseline good.json --device 0 "$storm"; code_is 0 'the scope of a device'; out_has changed.sync-cost 'the scope of a device'

run --baseline missing.json "$storm"; code_is 2 'a missing baseline'; out_empty 'a missing baseline'; err_has missing.json 'a missing baseline'
run --baseline good.json; code_is 2 'no trace'; out_empty 'no trace'
run explain changed.sync-cost --baseline good.json; code_is 2 'nothing to compare'; err_has 'needs a trace' 'nothing to compare'
run --baseline - -; code_is 2 'standard input twice'; err_has 'standard input' 'standard input twice'
run --basline good.json "$storm"; code_is 2 'misspelt'; err_has "did you mean '--baseline'" 'misspelt'

run query 'change(count(kernels))' "$storm" --baseline good.json; code_is 0 query; out_has '0 %' query
run query 'baseline(run.wall)' "$storm"; code_is 0 'query without'; out_has 'baseline not given' 'query without'
run explain changed.sync-cost "$storm" --baseline good.json; code_is 0 explain; out_has 'in the baseline run =' explain
run explain changed.sync-cost "$storm"; code_is 0 'explain without'; out_has 'NOT APPLICABLE' 'explain without'
run rules new --from "$storm" --baseline good.json --rule changed.sync-cost; code_is 0 "a cut test"; out_has "  baseline:" "a cut test"
{ echo "kdiag_test: 1"; echo "rules: [compare]"; echo "tests:"; cat out; } >cut_test.yaml
sed -i "s/^  expect: fired/  expect: {findings: [changed.sync-cost]}/; /^  severity:/d; /^  impact:/d" cut_test.yaml
run rules test cut_test.yaml; code_is 0 "a cut test holds"
finish
