#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag plan: what to record next. Usage: plan_test.sh KDIAG EXAMPLES
here=$(realpath "$(dirname "$0")")
. "$here/harness.sh"
examples=$2

run plan table.txt; code_is 0 'a plan'; err_empty 'a plan'
out_has 'cannot tell.' 'a plan'; out_has '    Run     ' 'a plan'; out_has '    Settles ' 'a plan'; out_has '    Cost    ' 'a plan'
run table.txt; out_has 'kdiag plan' 'the report points to the plan'
run plan table.txt --format json; code_is 0 'a plan as JSON'; out_has '"schema": "kdiag.plan/1"' 'a plan as JSON'
python3 -c 'import json; json.load(open("out"))["plans"][0]["recordings"][0]["command"]' || fail 'a plan is valid JSON'
run plan table.txt --format markdown; code_is 0 'a plan as Markdown'; out_has '# What to record next' 'a plan as Markdown'
run plan table.txt --format html --output plan.html; code_is 0 'a plan as a page'; out_empty 'a plan as a page'
grep -q "default-src 'none'" plan.html && grep -q '"plans": ' plan.html || fail 'a plan as a page: its policy and data'
run plan table.txt --for host.sync-stall; code_is 0 'a plan for a rule'; out_has '1 rule cannot tell' 'a plan for a rule'
run plan table.txt --for no.such-rule; code_is 3 'a plan for no rule'; err_has 'no.such-rule' 'a plan for no rule'
run plan; code_is 2 'a plan without a trace'
run plan no.json; code_is 2 'a plan of no file'
run plan host.bound; code_is 2 'a plan of a rule'; err_has "'host.bound' is a rule and no trace" 'a plan of a rule'; err_has 'kdiag plan --for host.bound TRACE' 'a plan of a rule'
write_rule; run plan --rules rule.yaml --only-rules table.txt; code_is 0 'nothing to plan'; out_has 'Nothing to record' 'nothing to plan'
run plan "$examples/traces/item_storm.json" --width 80; code_is 0 'a narrow plan'
# Commands stay whole, since people copy them.
grep -v -e ' Run ' -e '^ *with ' -e '^ *schedule' -e '^ *on_trace' out | awk 'length > 80 { exit 1 }' || fail 'a narrow plan has 80 columns'

# Of a rich recording a column or a table goes: the plan asks for what went, and for what rests on it.
blame=idle.blame,idle.call,idle.cause
python3 "$here/plan_columns.py" "$kdiag" "$here/../corpus/recorded/h_gnn_sampling.json.gz" \
  api=api,idle.blame,idle.cause api.thread=$blame api.correlation=$blame kernels.correlation=$blame copies.correlation=$blame \
  kernels.name=kernel_stats kernels.grid_x=kernels.grid_x kernels.grid_y=kernels.grid_y kernels.regs=kernels.blocks_per_sm \
  ops=ops copies=copies,copies.bytes copies.bytes=copies.bytes,copies.start copies.start=copies.start copies.dur=copies.dur \
  ops.name= ops.thread= || fail 'columns that are taken away'
finish
