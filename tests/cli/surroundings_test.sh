#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What surrounds the command: other runs beside it, a poor environment, many and long arguments, few descriptors.
# Usage: surroundings_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

run --format json table.txt; code_is 0 'a report'; mv out report.json

# Many at a time, on one trace, into one file and into one folder: facts, and reports, which take four times as long.
run facts --export whole.facts table.txt; code_is 0 'facts'
for i in $(seq 50); do
  what=(facts --export) form=facts
  [ $((i % 5)) != 0 ] || { what=(--format json --output) form=json; }
  "$kdiag" "${what[@]}" "same.$form" table.txt >/dev/null 2>>err & children+=($!)
  "$kdiag" "${what[@]}" "own$i.$form" table.txt >/dev/null 2>>err & children+=($!)
done
for child in "${children[@]}"; do wait "$child" || fail 'many at a time'; done
for written in same.json own*.json; do cmp -s "$written" report.json || fail "many at a time: $written is a whole report"; done
for written in same.facts own*.facts; do cmp -s "$written" whole.facts || fail "many at a time: $written is all of the facts"; done
[ -z "$(find . -name '.kdiag-*')" ] || fail 'many at a time: no temporary file is left'

# An environment without anything, and a folder that is gone.
env -i "$kdiag" --format json table.txt >out 2>err; code=$?; code_is 0 'no environment'; cmp -s out report.json || fail 'no environment: the same report'
HOME=/nowhere XDG_STATE_HOME=/nowhere TMPDIR=/nowhere run table.txt; code_is 0 'folders that are not there'
(mkdir gone && cd gone && rmdir ../gone && "$kdiag" --format json "$work/table.txt" >"$work/out" 2>"$work/err"); code=$?
code_is 0 'a folder that is gone'
(mkdir gone && cd gone && rmdir ../gone && "$kdiag" --output report.txt "$work/table.txt" >"$work/out" 2>"$work/err"); code=$?
code_is 2 'output to a folder that is gone'; err_has report.txt 'output to a folder that is gone'

# Arguments: long ones, names as long as the file system takes, thousands of them.
long=$(printf 'x%.0s' $(seq 255))
cp table.txt "$long"; run --output "${long%?}" --format json "$long"; code_is 0 'the longest names'
run "$(printf 'y%.0s' $(seq 100000))"; code_is 2 'a name of 100,000 letters'; err_has K61 'a name of 100,000 letters'
run query "1 + $(printf '1 + %.0s' $(seq 20000))1" table.txt; [ "$code" = 2 ] || [ "$code" = 3 ] || [ "$code" = 0 ] || fail 'a long question'
mkdir many; table=$(<table.txt)
for i in $(seq 1500); do printf '%s\n' "$table" >"many/$i.txt"; done
run --format json many/*.txt; code_is 0 'thousands of inputs'

# Few descriptors: what cannot be opened is said.
(exec >out 2>err; ulimit -n 8; exec "$kdiag" table.txt); code=$?; code_is 0 'eight descriptors'
for most in 3 4; do
  (exec >out 2>err; ulimit -n $most; exec "$kdiag" table.txt); code=$?
  [ "$code" = 0 ] || { [ "$code" != 1 ] && [ -s err ]; } || fail "$most descriptors"
done

finish
