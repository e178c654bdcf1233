// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/severity_of_part.hpp"

#include <cmath>

#include "base/interrupt.hpp"
#include "engine/eval/eval.hpp"

namespace kdiag {

std::optional<Severity> severity_of_part(const Judgement& judgement, double wall_ns, const CheckedRule& rule,
                                         const LoadedRules& rules, const RunContext& run) {
  try {
    SubjectFacts facts(run, judgement.subject, rules.library.shared);
    Evaluator evaluator(run, rules.library, rule.lets, facts);
    return severity_against(rule, judgement.draft->impact, Number(std::trunc(wall_ns)).rounded(), evaluator);
  } catch (const BudgetExceeded&) {
    return {};
  } catch (const Interrupted&) {
    return {};  // the report holds what was reached
  }
}

}  // namespace kdiag
