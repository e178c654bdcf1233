#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag query: formats, and the prompt on a terminal. Usage: query_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"

run query 'top(kernel_stats, 1, total)' table.txt --format csv; code_is 0 'CSV of a table'; out_has 'gemm' 'CSV of a table'; out_has '8000' 'CSV of a table'
run query 'sum(kernels, dur)' table.txt --format csv; code_is 0 'CSV of a number'
[ "$(cat out)" = $'value,low,high,unit\n12000,12000,12000,ns' ] || fail 'CSV of a number'
run query 'max(ops, dur)' table.txt --format csv; code_is 0 'CSV of what is unknown'; out_has ',,,ns' 'CSV of what is unknown'
sed 's/gemm    /=cmd()  /' table.txt >evil.txt
run query 'kernels' evil.txt --format csv; code_is 0 'CSV of a formula'; out_has "'=cmd()" 'CSV of a formula'
run query 'kernels' evil.txt table.txt --format csv; out_has 'B,gemm' 'CSV of two runs'; [ "$(grep -c run out)" = 1 ] || fail 'CSV of two runs has one heading'
printf 'kdiag: 1\ndefine:\n- {name: twice, expr: "2 * sum(kernels, dur)"}\n' >own.yaml
run query twice table.txt --rules own.yaml; code_is 0 'a define of a file'; out_has '24 us' 'a define of a file'
run query table.txt 'sum(kernels, dur)'; code_is 0 'a trace before the expression'; out_has '12 us' 'a trace before the expression'
run query table.txt table.txt 'count(kernels)'; code_is 0 'traces before the expression'
run query table.txt nosuch.json 'count(kernels)'; code_is 0 'a missing trace before the expression'; err_has 'nosuch.json' 'a missing trace before the expression'
run explain table.txt gpu.low-utilization; code_is 0 'a trace before the rule'; out_has gpu.low-utilization 'a trace before the rule'
run query; code_is 2 'nothing given'; err_has "kdiag query 'EXPR' trace.json" 'nothing given'
run query table.txt; code_is 2 'a trace alone without a terminal'; err_has 'no terminal' 'a trace alone without a terminal'; out_empty 'a trace alone without a terminal'
run query 'count(kernels)'; code_is 2 'an expression alone'; err_has 'no trace is given' 'an expression alone'

# In the place of a rule.
storm=$examples/traces/item_storm.json
cp "$storm" copy.json
run query --in host.sync-stall stall "$storm"; code_is 0 '--in'; [ "$(cat out)" = '13.8 ms' ] || fail '--in'
run query --in host.sync-stall --subject 'GPU 0' --run A 'stall / run.wall > $share' "$storm"; out_has true '--subject'
run query --in host.sync-stall --subject 'GPU 7' stall "$storm"; code_is 2 'no such subject'; err_has 'there are: GPU 0' 'no such subject'
run query --in host.sync-stal stall "$storm"; code_is 2 'no such rule'; err_has host.sync-stall 'no such rule'
run query --subject 'GPU 0' stall "$storm"; code_is 2 '--subject alone'; err_has '--in' '--subject alone'
run query --in host.sync-stall stall "$storm" copy.json --format csv; out_has 'B,GPU 0,13845045' 'subjects of two runs'

# Numbers come first, and names are shortened on a terminal only, unless they are wanted whole.
run query 'top(kernel_stats, 1, total)' table.txt; code_is 0 'a table'
[ "$(awk 'NR == 1 { print $1 }' out)" = calls ] || fail 'numbers come first'
long=$(printf 'k%.0s' $(seq 300))
sed "s/^gemm/$long/" table.txt >long.txt
run query 'top(kernel_stats, 1, total)' long.txt; out_has "$long" 'a pipe gets whole names'
endless=$(printf 'k%.0s' $(seq 100000))
{ sed "s/^gemm/$endless/" table.txt; for _ in $(seq 50); do sed -n 2p table.txt; done; } >endless.txt
run query 'kernels' endless.txt; code_is 0 'a name without end'; out_has '(98,976 more characters)' 'a name without end'
[ "$(wc -c <out)" -lt 10000 ] || fail 'one long name makes no long table'
run query 'kernels' endless.txt --format csv; [ "$(wc -c <out)" -gt 100000 ] || fail 'CSV keeps a name without end'
run query 'sum(kernel_stats, total) / 1us' table.txt; out_has '12x' 'a ratio from 1,000 % on'
run query 'sum(kernel_stats, total) / 2us' table.txt; out_has '600 %' 'a ratio below'

# What cannot be told is said, and no empty table.
run query 'kernel_stats group by (device)' table.txt
if grep -q '(no rows)' out; then fail 'unknown groups are no empty table'; fi
run query 'kernel_stats where device.name == "x"' table.txt; out_has 'undecided' 'rows of which a filter cannot tell'

command -v script >/dev/null || { echo "no command 'script': the prompt is not tested"; finish; }

script -qec "stty cols 80; '$kdiag' query 'top(kernel_stats, 1, total)' long.txt" /dev/null >out </dev/null || true
if grep -q "$long" out; then fail 'a terminal of 80 columns'; fi
script -qec "stty cols 80; '$kdiag' query --wide 'top(kernel_stats, 1, total)' long.txt" /dev/null >out </dev/null || true
out_has "$long" '--wide'

# begin ARGUMENT...: starts the command on a terminal; see `typed` for what it shows.
export HOME=$work/home TERM=xterm
unset XDG_STATE_HOME
begin() {
  rm -f keys typed; mkfifo keys
  script -qefc "$kdiag $* 2>&1; echo exit code \$?" typed <keys >/dev/null 2>&1 &
  child=$!
  exec 4>keys
  prompts=0
  answered
}
# shown TEXT: waits until the terminal shows it.
shown() {
  for _ in $(seq 200); do grep -qF -- "$1" typed 2>/dev/null && return; sleep 0.1; done
  cp typed out; : >err; fail "prompt: '$1' expected"
}
# answered: waits for the next prompt.
answered() {
  prompts=$((prompts + 1))
  for _ in $(seq 200); do [ "$(tr '\r' '\n' <typed 2>/dev/null | grep -c 'kdiag> ')" -ge "$prompts" ] && return; sleep 0.1; done
  cp typed out; : >err; fail 'prompt: it does not come back'
}
type_line() { printf '%s\n' "$1" >&4; answered; }

begin query table.txt
type_line 'sum(kernels, dur)'; shown '12 us'
type_line 'sum(kernels, durr)'; shown "did you mean 'dur'"
printf 'sum(kern\003' >&4; answered
type_line 'help busy'; shown 'length(spans(table))'
type_line 'help nosuch'; shown "nothing is called 'nosuch'"
printf '\004' >&4; shown 'exit code 0'
exec 4>&-; wait "$child"

begin query table.txt --rules own.yaml
type_line 'twice'; shown '24 us'
if ldd "$kdiag" | grep -q libedit; then
  grep -q 'sum(kernels' home/.local/state/kdiag/history || fail 'history is kept'
  printf 'count(kernel_st\t) * 21 + 0.5\n' >&4; answered; shown '42.5'
fi
printf 'quit\n' >&4; shown 'exit code 0'
exec 4>&-; wait "$child"

finish
