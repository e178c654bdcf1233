#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag trend: histories, exit codes, JSON. Usage: trend_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"
history() { # FOLDER COST...: a run of the example's loop for each cost of a wait
  local folder=$1 place=0 cost
  shift
  mkdir -p "$folder"
  for cost in "$@"; do place=$((place + 1)); "$examples"/traces/item_storm.sh "$cost" fixed >"$folder/run$place.json"; done
}
examples=$2

history slower 600 606 598 603 601 900 905 898 903 901 899
run trend slower; code_is 0 'a step'; out_has 'REGRESSION since slower/run6.json' 'a step'; out_has 'idle.host_sync +' 'a step'; err_empty 'a step'
run trend slower --fail-on info; code_is 1 'a step under --fail-on'
run trend slower --fail-on critical; code_is 0 'a step that is not critical'
run trend slower --format json; code_is 0 JSON; out_has '"schema": "kdiag.trend/1"' JSON; out_has '"path": "slower/run6.json"' JSON; out_has '"verdict": "regression"' JSON
run trend slower --format markdown; code_is 0 Markdown; out_has '**REGRESSION** since slower/run6.json' Markdown; out_has '| slower/run6.json |' Markdown; out_has '+18 %' Markdown
run trend slower/run{6,7,8,9,10,11,1,2,3,4,5}.json --fail-on info; code_is 0 'a step down'; out_has 'IMPROVEMENT since slower/run1.json' 'a step down'

history even 600 606 598 603 601 604 597 602 605 599
run trend even --strict --fail-on info; code_is 0 'no step'; out_has 'NEUTRAL' 'no step'
run trend even/run{1,2,3}.json; code_is 0 'few runs'; out_has 'INCONCLUSIVE 3 runs can be compared, and 8 are needed' 'few runs'
run trend even/run{1,2,3}.json --strict; code_is 5 'few runs, strictly'

cp table.txt slower/run3.5.txt; echo nonsense >slower/run12.json
run trend slower; code_is 0 'other files beside'; out_has 'REGRESSION since slower/run6.json' 'other files beside'; out_has 'left out slower/run12.json: ' 'other files beside'
run trend; code_is 2 'no run'
run trend nosuch.json --fail-on info; code_is 2 'a missing run'; out_has 'nosuch.json: no such file' 'a missing run'; err_has 'none of the runs' 'a missing run'
mkdir nothing; run trend nothing; code_is 2 'an empty folder'; err_has 'there is no run' 'an empty folder'
run trend slower --strict; code_is 2 'an unreadable run, strictly'; out_has 'left out slower/run12.json: ' 'an unreadable run, strictly'
finish
