#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats of one's own: --map and `kdiag formats check`. Usage: map_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"
log=$examples/traces/trainer_log.csv
map=$examples/maps/trainer_log.yaml

run --map "$map" "$log"; code_is 0 'a mapped log'; out_has 'trainer-log' 'a mapped log'; err_empty 'a mapped log'
run "$log"; code_is 2 'the log alone'; err_has 'error[K691]' 'the log alone'
run --map "$map" table.txt; code_is 0 'a mapping for no input'; out_has 'K721' 'a mapping for no input'
run --map "$map" "$log" table.txt; code_is 0 'mapped and usual inputs'; out_has 'kernel-table' 'mapped and usual inputs'
gzip -c "$log" >log.csv.gz
run query --map "$map" --format json 'sum(kernels, dur)' log.csv.gz; code_is 0 'a query'; out_has '380000000' 'a query'
run facts --map "$map" "$log"; code_is 0 facts; out_has 'copies' facts
run facts --map "$map" --export out.facts "$log"; code_is 0 export
run facts out.facts; code_is 0 'exported facts'; out_has 'copies' 'exported facts'
run explain --map "$map" gpu.low-utilization "$log"; code_is 0 explain
"$kdiag" --map "$map" - <"$log" >out 2>err || fail 'standard input'

run formats check "$map" "$examples/maps/gpu_monitor.yaml"; code_is 0 'good mappings'; out_has '2 files: no errors' 'good mappings'
sed 's/unit: s}/unit: KiB}/; s/kernels/kernel/' "$map" >broken.yaml
run formats check broken.yaml; code_is 3 'a broken mapping'; err_has 'broken.yaml:' 'a broken mapping'
err_has 'error[K224]' 'all mistakes at once'; err_has "did you mean 'kernels'?" 'all mistakes at once'
run formats check --format json broken.yaml; code_is 3 'mistakes as JSON'; out_has '"K302"' 'mistakes as JSON'
run --map broken.yaml missing.json; code_is 3 'mappings come before traces'; err_has 'error[K224]' 'mappings come before traces'
run --map missing.yaml "$log"; code_is 3 'a missing mapping'; err_has 'cannot read the mapping' 'a missing mapping'
run facts --map broken.yaml --export - "$log"; code_is 3 'export with a broken mapping'
run formats; code_is 0 formats; out_has kernel-table formats
run formats chek x; code_is 2 'a misspelt verb'; err_has "did you mean 'check'" 'a misspelt verb'

finish
