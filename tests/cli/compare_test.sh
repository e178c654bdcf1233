#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag compare: sides, exit codes, formats. Usage: compare_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"
slow=$2/traces/item_storm.json
fast=fixed.json
"$2"/traces/item_storm.sh 640 fixed >"$fast"

run compare "$slow" "$fast"; code_is 0 'a fix'; out_has 'IMPROVEMENT' 'a fix'; out_has 'host_sync' 'a fix'; err_empty 'a fix'
run compare "$fast" "$slow"; code_is 0 'a regression'; out_has 'REGRESSION' 'a regression'
run compare "$fast" "$slow" --fail-on critical; code_is 1 'a regression under --fail-on'
run compare "$slow" "$fast" --fail-on info; code_is 0 'old findings fail nothing'
run compare "$fast" "$slow" --fail-above 5%; code_is 1 'a cycle above a share'
run compare "$fast" "$slow" --fail-above 100000%; code_is 0 'a cycle below a share'
run compare "$fast" "$slow" --fail-above 1us; code_is 1 'a cycle above a time'
run compare "$fast" "$slow" --fail-above 1000s --fail-above idle.host_sync=1us; code_is 1 'a part above a time'
run compare "$fast" "$slow" --fail-above idle.host_sync=1000s; code_is 0 'a part below a time'
run compare "$fast" "$slow" --fail-above idle.host_sinc=1us; code_is 2 'a part that is none'; err_has 'it has compute' 'a part that is none'
run compare "$fast" "$slow" --fail-above communication=1us; code_is 0 'a part that took no time'
run compare "$slow" "$fast" --fail-above 0%; code_is 0 'a fix is above nothing'
run compare "$slow" "$slow" --fail-above 0%; code_is 0 'a neutral cycle is above nothing'
run compare "$slow" table.txt --fail-above 0% --strict; code_is 5 'no verdict is above nothing'
run compare "$slow" "$fast" --fail-above much; code_is 2 'no limit'; err_has '--fail-above' 'no limit'
run compare "$slow" "$slow" --fail-on info --strict; code_is 0 'a run against itself'; out_has 'NEUTRAL' 'a run against itself'
run compare --normal "$slow" --abnormal "$fast" --format json; code_is 0 'sides by options'; out_has '"verdict": "improvement"' 'sides by options'
run compare "$slow" "$fast" --format markdown; code_is 0 'Markdown'; out_has '| Avg Cycle Time (us) |' 'Markdown'
run compare "$slow" "$fast" --format sarif; code_is 0 'SARIF'; out_has '"baselineState"' 'SARIF'
run compare "$fast" "$slow" --format sarif --fail-on critical; code_is 1 'a regression in SARIF'; out_has '"ruleId": "compare.regression"' 'a regression in SARIF'
cat "$slow" | { "$kdiag" compare - "$fast" >out 2>err; code=$?; code_is 0 'standard input'; out_has 'IMPROVEMENT' 'standard input'; }
"$kdiag" facts --export normal.jsonl "$slow" && run compare normal.jsonl "$fast"; code_is 0 'a facts file'; out_has 'IMPROVEMENT' 'a facts file'
mkdir -p both/before both/after; cp "$slow" both/before; cp "$fast" both/after
run compare both; code_is 0 'a folder of both sides'; out_has 'IMPROVEMENT' 'a folder of both sides'

# Parts of one recording, and of one side alone.
run compare "$slow@10..12" "$slow@13..15"; code_is 0 'early and late'; out_has 'steps 10 to 12 (normal)' 'early and late'
out_has 'NEUTRAL' 'early and late'; err_empty 'early and late'
run compare "$fast@11..14" "$slow"; code_is 0 'a part of one side'; out_has 'medians of 4 and 6' 'a part of one side'
run --baseline "$slow@10..12" "$slow@13.." --fail-on info --gate changes; code_is 0 'a part as baseline'
run compare --normal "$slow@10..12" --normal "$fast@13..15" --abnormal "$slow"; code_is 2 'two parts of one side'; err_has 'different steps' 'two parts of one side'
run compare "$slow@12..10" "$slow"; code_is 2 'steps backwards'; err_has 'end before they begin' 'steps backwards'; err_has '@10..12' 'steps backwards'
run compare "$slow@0..x" "$slow"; code_is 2 'no steps'; err_has 'no such file' 'no steps'
cp "$slow" 'odd@11..12'; run compare 'odd@11..12' "$slow"; code_is 0 'a file of that name'; out_has 'medians of 6 and 6' 'a file of that name'

# Several recordings of the normal run: 64 us of 1.7 ms more a step are within what they differ by, and beyond one of them.
healthy=()
for cost in 560 600 640 680 720; do "$2"/traces/item_storm.sh $cost fixed >"good$cost.json"; healthy+=(--normal "good$cost.json"); done
run compare good560.json good720.json --fail-on info; code_is 0 'one recording'; out_has 'INCONCLUSIVE' 'one recording'; out_has 'Unconfirmed: one recording of the normal run' 'one recording'
"$2"/traces/item_storm.sh 735 fixed >today.json
run compare "${healthy[@]}" --abnormal today.json --fail-on info; code_is 0 'within five recordings'; out_has 'NEUTRAL' 'within five recordings'
out_has '0 of 5 would be a false' 'within five recordings'
run compare "${healthy[@]}" --abnormal "$slow" --fail-on high; code_is 1 'beyond five recordings'; out_has 'outside of the range' 'beyond five recordings'
run --baseline good560.json --baseline good640.json --baseline good720.json today.json --fail-on info --gate changes; code_is 0 'three baselines'; out_has 'NEUTRAL' 'three baselines'
run compare "${healthy[@]}" --normal table.txt --abnormal today.json; code_is 0 'a recording of something else'; out_has '1 more run cannot be compared' 'a recording of something else'

run compare; code_is 2 'no side'; err_has 'kdiag compare NORMAL ABNORMAL' 'no side'
run compare "$slow"; code_is 2 'one side'; err_has 'holds 1 run' 'one side'; err_has 'NORMAL ABNORMAL' 'one side'
run compare "$slow" "$fast" "$fast"; code_is 2 'three sides'; err_has '--abnormal FILE' 'three sides'
run compare --normal "$slow"; code_is 2 'half of the options'; err_has 'abnormal side is missing' 'half of the options'
run compare --normal "$slow" --abnormal "$fast" "$fast"; code_is 2 'a file on neither side'; err_has 'neither side' 'a file on neither side'
run compare --normal "$fast" --abnormal "$slow" --abnormal "$slow"; code_is 2 'a side of two runs'; err_has 'the abnormal side holds 2 runs' 'a side of two runs'
run compare "$slow" nosuch.json; code_is 2 'a file that is not there'; err_has 'K610' 'a file that is not there'
run compare "$slow" "$fast" --per tokens=4096,16384; code_is 0 'samples of a cycle'
out_has 'for 4096 tokens' 'samples of a cycle'; out_has 'run has 16,384' 'samples of a cycle'
run compare "$slow" "$fast" --per tokens=4096,16384 --format json; out_has '"per": {"unit": "tokens", "normal": 4096, "abnormal": 16384}' 'samples in JSON'
run compare "$slow" "$fast" --per tokens; code_is 2 'no number of samples'; err_has 'tokens=4096,16384' 'no number of samples'
run compare "$slow" "$fast" --per tokens=4096,0; code_is 2 'no samples'; err_has 'says not what a cycle does' 'no samples'
run compare "$slow" "$fast" --anchor ProfilerStp; code_is 2 'no such anchor'; err_has 'K694' 'no such anchor'
run compare "$slow" table.txt; code_is 0 'runs of two kinds'; out_has 'INCONCLUSIVE' 'runs of two kinds'
run compare "$slow" table.txt --strict; code_is 5 'runs of two kinds, strictly'
run compare table.txt table.txt; code_is 0 'kernel tables'; out_has 'NEUTRAL' 'kernel tables'
run compare "$slow" "$fast" --top 0; code_is 2 '--top 0'
run comapre "$slow" "$fast"; code_is 2 'a misspelt verb'; err_has "did you mean 'compare'" 'a misspelt verb'
finish
