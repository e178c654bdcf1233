// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/describe_rule.hpp"

#include <algorithm>

#include "engine/language/functions.hpp"
#include "engine/recording/recording.hpp"
#include "engine/ruleset/plan_walk.hpp"

namespace kdiag {
namespace {

/// The fact that a plan names itself; empty: none.
std::string fact_of(const Plan& plan) {
  switch (plan.op) {
    case PlanOp::table:
    case PlanOp::whole_table: return std::string(info(plan.table).name);
    case PlanOp::member: {
      const ColumnInfo& column = catalogue_columns[plan.slot];
      return std::string(column.table) + "." + std::string(column.name);
    }
    case PlanOp::call: return plan.function->traits.reads == table("samples") ? "samples:" + plan.names.front() : "";
    default: return {};
  }
}

void add_paragraph(std::string& out, std::string_view label, std::string_view text) {
  if (text.empty()) return;
  out += std::string(label) + "\n";
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += "   " + std::string(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
}

}  // namespace

std::vector<std::string> facts_read(const CheckedRule& rule, const LoadedRules& rules) {
  std::vector<std::string> facts;
  const auto add = [&](std::string fact) {
    if (!fact.empty() && std::find(facts.begin(), facts.end(), fact) == facts.end()) facts.push_back(std::move(fact));
  };
  for (const CheckedNeed& need : rule.needs) add(need.fact);
  PlanWalk walk(rule, rules);
  for (const PlanPtr& plan : {rule.applies, rule.when}) walk.visit(plan, [&](const Plan& part) { add(fact_of(part)); });
  return facts;
}

std::string describe(const CheckedRule& checked, const LoadedRules& rules) {
  const Rule& rule = *checked.rule;
  std::string out = rule.id + "  (" + checked.subject.text() + (rule.pack.empty() ? "" : ", pack ") + rule.pack + ")\n";
  if (!checked.active)
    add_paragraph(out, "not judged",
                  !rule.enabled                           ? "It is disabled."
                  : rule.status == RuleStatus::deprecated ? "It is deprecated."
                                                          : "It is incubating: --incubating judges it.");
  add_paragraph(out, "what", rule.summary.empty() ? title_text(rule) : rule.summary);
  add_paragraph(out, "why it matters", rule.why);
  add_paragraph(out, "how it decides", rule.how);
  if (rule.when) add_paragraph(out, "fires when", rule.when->text.text);
  if (rule.script) add_paragraph(out, "is decided by the Lua script", rule.script->source()->name);
  add_paragraph(out, "false positives", rule.false_positives);
  std::string params;
  for (const Param& param : rule.params) {
    const auto text = std::find_if(checked.param_texts.begin(), checked.param_texts.end(),
                                   [&](const auto& p) { return p.first == param.name; });
    if (param.shared && text == checked.param_texts.end()) continue;  // the rule does not use it
    params += param.name + " = " + (text == checked.param_texts.end() ? "" : text->second) +
              (param.doc.empty() ? "" : "   " + param.doc) + "\n";
  }
  add_paragraph(out, "parameters", params);
  std::string changes;
  for (const RuleChange& change : checked.changes)
    changes += change.place.source->name + ":" +
               std::to_string(position_of(*change.place.source, change.place.offset).line) + ": " + change.what + "\n";
  add_paragraph(out, "changed by", changes);
  std::string facts;
  for (const std::string& fact : facts_read(checked, rules)) {
    const std::string how = how_to_record(fact);
    facts += fact + (how.empty() ? "" : "\n   " + how) + "\n";
  }
  add_paragraph(out, "facts it decides by (some only when others are absent), and how to record them", facts);
  std::string references;
  for (const std::string& reference : rule.references) references += reference + "\n";
  add_paragraph(out, "references", references);
  return out;
}

}  // namespace kdiag
