// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/constant_value.hpp"

#include <vector>

#include "engine/checking/check.hpp"
#include "engine/eval/eval.hpp"
#include "engine/language/library.hpp"

namespace kdiag {

Value constant_value(const Plan& plan) {
  if (plan.op == PlanOp::constant) return plan.constant;  // as nearly all are
  static const FactStore no_facts;
  static const RunContext run(no_facts);
  static const Library library;
  static const std::vector<PlanPtr> lets;
  SubjectFacts nothing(run, Subject{}, library.shared);
  return Evaluator(run, library, lets, nothing).eval(plan);
}

Value constant_value(const Expression& expression) {
  Diagnostics ignored;
  const PlanPtr plan = check_expression(expression, CheckScope{}, ignored);
  return plan ? constant_value(*plan) : unknown_reason("it is no constant");
}

}  // namespace kdiag
