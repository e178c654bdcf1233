// SPDX-License-Identifier: Apache-2.0
// All the plans that a rule's plans are made of.
#pragma once

#include <set>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Goes through plans and what they are made of, through the rule's lets and the defines, each once, however often and
/// from wherever it is used. The rule and the rules must outlive it.
class PlanWalk {
 public:
  PlanWalk(const CheckedRule& rule, const LoadedRules& rules) : rule_(rule), rules_(rules) {}

  /// Calls `use` with each plan that was not visited before, those outside before those inside.
  template <class Use>
  void visit(const PlanPtr& plan, const Use& use) {
    if (!plan || !seen_.insert(plan.get()).second) return;
    if (plan->op == PlanOp::let) visit(rule_.finding().lets[plan->slot], use);
    else if (plan->op == PlanOp::define) visit(rules_.library.defines[plan->slot], use);
    else use(*plan);
    for (const PlanPtr& arg : plan->args) visit(arg, use);
  }

 private:
  const CheckedRule& rule_;
  const LoadedRules& rules_;
  std::set<const Plan*> seen_;
};

}  // namespace kdiag
