#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command that the help and README.md show runs as it is printed, beside files of the names that it uses; and
# `kdiag help`.
# Usage: help_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"
team=$examples/../tests/cli/team

# --- The files that the help speaks of. ---
mkdir -p bin project/a project/b project/ci project/traces project/nightly project/summaries
ln -s "$kdiag" bin/kdiag
PATH=$work/bin:$PATH
storm=$examples/traces/item_storm.sh
cp -r "$team/rules" "$team/kdiag.lock" project/
printf 'kdiag_project: 1\nrules: [rules/house, rules/limits.yaml]\n' >project/kdiag.yaml
cp project/kdiag.yaml project/ci/; sed -i 's#rules/#../rules/#g' project/ci/kdiag.yaml
cp -r "$team/rules/house" house
sed -i 's/1\.0\.0/1.1.0/' house/pack.yaml
tar -czf project/house-1.1.0.tar.gz house
tar -C project/rules -czf project/house-1.0.0.zip house  # an archive is known by what it holds
cd project
"$storm" >trace.json
"$storm" 40 >good.json
cp trace.json slow.json
cp "$examples/rules/throttle.yaml" "$examples/rules/loss_reads.yaml" .
cp "$examples/traces/gpu_clocks.csv" gpu.csv
gzip -k trace.json
zstd -q trace.json
for name in normal before mon tue wed batch8 rank0 a/rank0 a/rank1; do cp good.json $name.json; done
for name in abnormal after thu batch32 rank1 b/rank0 b/rank1; do cp slow.json $name.json; done
sed -i -E 's/ProfilerStep#[0-9]+/Scheduler.run_batch/' before.json after.json
cp trace.json traces/
"$kdiag" summarize rank0.json --output summaries/rank0.kds
mkdir job && cp rank0.json rank1.json job
for night in 1 2 3 4 5 6 7 8; do "$storm" $((30 + night)) >nightly/$night.json; done
"$kdiag" facts --export runs.json good.json slow.json || fail 'two runs in one file'
cp "$examples/maps/trainer_log.yaml" mylog.yaml
cp "$examples/traces/trainer_log.csv" log.csv
"$kdiag" --format json --no-config --output report.json trace.json
cp report.json findings.json
"$kdiag" rules new team.slow-input --output slow_input.yaml
cd ..

# --- Each command, in a folder of its own. ---
# Commands of a help, one a line, without what is said of them; and the verbs that it lists.
commands_in() { sed -nE 's/^  ((kdiag|zstdcat) .*)$/\1/p' "$1" | sed -E 's/ {2,}.*$//'; }
verbs_in() { sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{2,\}\) .*/\1/p' "$1"; }
{
  "$kdiag" --help >page
  commands_in page
  for name in $(verbs_in page); do
    "$kdiag" "$name" --help >page
    commands_in page
    for inner in $(verbs_in page); do
      "$kdiag" "$name" "$inner" --help >inner_page
      commands_in inner_page
    done
  done
  tr '\n' ' ' <"$examples/../README.md" | grep -o '`kdiag [^`]*`' | tr -d '`'
} | sort -u >commands
[ "$(wc -l <commands)" -gt 70 ] || fail 'the help shows commands'
number=0
while IFS= read -r command; do
  case $command in
    *' ...') continue ;;                                                        # more files than a line has place for
    'kdiag query trace.json') continue ;;                                       # asks on a terminal
    'kdiag rules test') continue ;;                                             # the built-in rules have a test of their own
    'kdiag trace.json#2') command='kdiag runs.json#2' ;;                        # a file with two runs
  esac
  number=$((number + 1))
  cp -r project "run$number"
  case $command in *'--output slow_input.yaml') rm "run$number/slow_input.yaml" ;; esac
  (cd "run$number" && bash -eo pipefail -c "$command") >out 2>err </dev/null
  code=$?
  # 1: the gate that the command asks for says no.
  case $command in *--fail-*) [ "$code" = 1 ] || code_is 0 "$command" ;; *) code_is 0 "$command" ;; esac
  rm -rf "run$number"
done <commands

# --- kdiag help. ---
run help; code_is 0 'the topics'; err_empty 'the topics'
for topic in exit-codes language rule-file project-file 'rules check' annotate; do
  out_has "  $topic" "help lists $topic"
  # shellcheck disable=SC2086
  cp out topics; run help $topic; code_is 0 "help $topic"; err_empty "help $topic"; [ -s out ] || fail "help $topic says nothing"
  cp topics out
done
run help rules check; out_has 'kdiag rules check [OPTIONS]' 'a verb of a verb'
run help exit-codes; out_has 'a finding at or above --fail-on' 'exit codes'
run help host.sync-stall; code_is 0 'a rule'; out_has 'fires when' 'a rule'
run help kernels; code_is 0 'a table'; out_has 'table kernels:' 'a table'
run help busy; code_is 0 'a function'; out_has 'busy(table) -> time' 'a function'
run help rule-file; sed -n '/^kdiag: 1/,$p' out >new.yaml; run rules check new.yaml; code_is 0 'the rule file of the help'
run help project-file; sed -n '/^kdiag_project: 1/,/^$/p' out >kdiag.yaml; mkdir -p rules/team good; cp project/throttle.yaml rules/team/
run config show; code_is 0 'the project file of the help'
rm kdiag.yaml
run help qurey; code_is 2 'a misspelt topic'; err_has "did you mean 'query'" 'a misspelt topic'; out_empty 'a misspelt topic'
run help rules chekc; code_is 2 'a misspelt verb of rules'; err_has "did you mean 'rules check'" 'a misspelt verb of rules'
run help kernels.dur; code_is 0 'a column of a table'; out_has 'kernels.dur: Duration' 'a column of a table'
run help kernels.durr; code_is 2 'no column of a table'
run help durr; code_is 2 'a misspelt column'; err_has "did you mean 'dur'" 'a misspelt column'
run help kernelz; code_is 2 'a misspelt table'; err_has "did you mean 'kernels'" 'a misspelt table'
run hepl; code_is 2 'help, misspelt'; err_has "did you mean 'help'" 'help, misspelt'

# --- Rule files where traces stand. ---
cp project/throttle.yaml project/slow_input.yaml project/trace.json .
run throttle.yaml trace.json; code_is 2 'a rule file among traces'; err_has "'throttle.yaml' is a rule file" 'a rule file among traces'
run query 'count(kernels)' throttle.yaml; code_is 2 'asked of a rule file'; err_has 'is a rule file' 'asked of a rule file'
run --rules throttle.yaml slow_input.yaml --all trace.json; code_is 0 'two rule files behind --rules'
out_has throttle.low-clock 'the first'; out_has team.slow-input 'the second'
finish
