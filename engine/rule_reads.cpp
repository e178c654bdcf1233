// SPDX-License-Identifier: Apache-2.0
#include "engine/rule_reads.hpp"

#include <set>

#include "engine/functions.hpp"

namespace kdiag {
namespace {

class Reader {
 public:
  Reader(const CheckedRule& rule, const LoadedRules& rules) : rule_(rule), rules_(rules) {}

  void visit(const PlanPtr& plan) {
    if (!plan || !seen_.insert(plan.get()).second) return;
    switch (plan->op) {
      case PlanOp::let: visit(rule_.lets[plan->slot]); break;
      case PlanOp::define: visit(rules_.library.defines[plan->slot]); break;
      case PlanOp::table:
      case PlanOp::whole_table: out.tables[plan->table.index] = true; break;
      case PlanOp::column:  // of a derived table the slot is a column of that
        if (plan->slot < out.columns.size()) out.columns[plan->slot] = true;
        break;
      case PlanOp::member: {
        const ColumnInfo& column = catalogue_columns[plan->slot];
        out.columns[plan->slot] = true;
        out.referenced[find_table(column.table).index] = true;
        break;
      }
      case PlanOp::call:
        if (plan->function == FunctionId::series) out.tables[table("samples").index] = true;
        if (plan->function == FunctionId::site) frames();
        break;
      default: break;
    }
    for (const PlanPtr& arg : plan->args) visit(arg);
  }
  RuleReads out;

 private:
  void frames() {
    out.referenced[table("frames").index] = true;
    const ColumnRange range = columns_of(table("frames"));
    for (std::size_t i = 0; i < range.count; ++i) out.columns[range.first + i] = true;
    for (std::size_t i = 0; i < catalogue_columns.size(); ++i)  // what leads to a frame
      if (catalogue_columns[i].target == "frames" || catalogue_columns[i].target == "ops") out.columns[i] = true;
  }

  const CheckedRule& rule_;
  const LoadedRules& rules_;
  std::set<const Plan*> seen_;
};

}  // namespace

RuleReads rule_reads(const CheckedRule& rule, const LoadedRules& rules) {
  Reader reader(rule, rules);
  for (const ColumnId key : rule.subject.keys) reader.out.columns[key.index] = true;
  for (const PlanPtr& plan : {rule.applies, rule.when, rule.impact}) reader.visit(plan);
  for (const CheckedNeed& need : rule.needs) reader.visit(need.present);
  for (const auto& [severity, plan] : rule.severity) reader.visit(plan);
  for (const auto& [plan, reason] : rule.except) reader.visit(plan);
  return std::move(reader.out);
}

}  // namespace kdiag
