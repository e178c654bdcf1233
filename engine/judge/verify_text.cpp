// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/verify_text.hpp"

#include <string_view>

#include "engine/eval/render.hpp"

namespace kdiag {
namespace {

std::string_view asking_words(CompareOp op) {
  switch (op) {
    case CompareOp::equal: return "";
    case CompareOp::not_equal: return "anything but ";
    case CompareOp::less: return "less than ";
    case CompareOp::less_equal: return "at most ";
    case CompareOp::greater: return "more than ";
    case CompareOp::greater_equal: return "at least ";
  }
  return {};
}

std::string sides_of(const Plan& comparison, Evaluator& evaluator) {
  const Plan &left = *comparison.args[0], &right = *comparison.args[1];
  const Value found = evaluator.eval(left), limit = evaluator.eval(right);
  if (!found.known() || !limit.known()) return {};
  return render_value(found, left.type, evaluator.run()) + ", " + std::string(asking_words(comparison.compare)) +
         render_value(limit, right.type, evaluator.run()) + " asked";
}

}  // namespace

std::string verify_text_of(const Plan& check, Evaluator& evaluator) {
  if (check.op == PlanOp::compare) return sides_of(check, evaluator);
  if (check.op != PlanOp::logic_and) return {};
  std::string first;
  for (const PlanPtr& part : check.args) {
    std::string text = verify_text_of(*part, evaluator);
    const Value value = evaluator.eval(*part);
    if (const bool* holds = value.as<bool>(); holds != nullptr && !*holds) return text;
    if (first.empty()) first = std::move(text);
  }
  return first;
}

}  // namespace kdiag
