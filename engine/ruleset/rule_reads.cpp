// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_reads.hpp"

#include "base/names/contains_word.hpp"
#include "engine/language/functions.hpp"
#include "engine/ruleset/plan_walk.hpp"

namespace kdiag {
namespace {

void add_frames(RuleReads& reads) {
  reads.referenced[table("frames").index] = true;
  const ColumnRange range = columns_of(table("frames"));
  for (std::size_t i = 0; i < range.count; ++i) reads.columns[range.first + i] = true;
  for (std::uint16_t i = 0; i < catalogue_columns.size(); ++i)  // what leads to a frame
    if (target_of(ColumnId{i}) == table("frames") || target_of(ColumnId{i}) == table("ops")) reads.columns[i] = true;
}

void add_plan(RuleReads& reads, const Plan& plan) {
  switch (plan.op) {
    case PlanOp::table:
    case PlanOp::whole_table: reads.tables[plan.table.index] = true; break;
    case PlanOp::column:  // of a derived table the slot is a column of that
      if (plan.slot < reads.columns.size()) reads.columns[plan.slot] = true;
      break;
    case PlanOp::member:
      reads.columns[plan.slot] = true;
      reads.referenced[find_table(catalogue_columns[plan.slot].table).index] = true;
      break;
    case PlanOp::call:
      if (plan.function->traits.reads == table("frames")) add_frames(reads);
      else if (plan.function->traits.reads != TableId{}) reads.tables[plan.function->traits.reads.index] = true;
      break;
    default: break;
  }
}

/// A script makes its expressions as it runs: whatever it names may be in one of them.
void add_script(RuleReads& reads, const std::string& text) {
  for (std::size_t i = 0; i < catalogue_tables.size(); ++i)
    if (contains_word(text, catalogue_tables[i].name)) reads.tables[i] = reads.referenced[i] = true;
  for (std::size_t i = 0; i < catalogue_columns.size(); ++i)
    if (contains_word(text, catalogue_columns[i].name)) reads.columns[i] = true;
}

}  // namespace

RuleReads rule_reads(const CheckedRule& rule, const LoadedRules& rules) {
  RuleReads reads;
  for (const ColumnId key : rule.subject.keys) reads.columns[key.index] = true;
  PlanWalk walk(rule, rules);
  const auto visit = [&](const PlanPtr& plan) { walk.visit(plan, [&](const Plan& part) { add_plan(reads, part); }); };
  const CheckedFinding& finding = rule.finding();
  for (const PlanPtr& plan : {rule.applies, rule.when, finding.impact}) visit(plan);
  for (const CheckedNeed& need : rule.needs) visit(need.present);
  for (const auto& [severity, plan] : finding.severity) visit(plan);
  for (const auto& [plan, reason] : finding.except) visit(plan);
  if (rule.script_scope) add_script(reads, rule.rule->script->source()->text);
  return reads;
}

}  // namespace kdiag
