// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/traces_left_out.hpp"

#include "engine/language/cause_reasons.hpp"
#include "engine/recording/telemetry_commands.hpp"

namespace kdiag {

void leave_traces_out(Judgement& judgement) {
  if (judgement.outcome != Outcome::inconclusive) return;
  const std::size_t left = std::erase_if(
      judgement.causes, [](const Cause& cause) { return !cause.fact.empty() && !is_telemetry_fact(cause.fact); });
  if (left == 0) return;
  // A condition on what only traces have does not hold because of that.
  std::erase_if(judgement.causes,
                [](const Cause& cause) { return cause.fact.empty() && cause.reason == condition_fails; });
  if (!judgement.causes.empty()) return;
  judgement.outcome = Outcome::not_applicable;
  judgement.reason = "it is about traces, and this is telemetry alone";
}

}  // namespace kdiag
