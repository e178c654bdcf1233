// SPDX-License-Identifier: Apache-2.0
// Compares what a diagnosis says with what a test expects.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

struct Mismatch {
  Span place;                 ///< of the expectation
  std::string rule;           ///< whose values explain it; empty: none's
  std::string expected, got;  ///< "host.sync-stall fired", "clear (9.1 % < 10 %)"
};

/// Everything that is not as expected; nothing when all is. An outcome that is expected of a rule is the first that
/// occurred, over all subjects, of failed, fired, inconclusive, clear and not applicable. `counts` says of which rules
/// `only` forbids findings.
std::vector<Mismatch> match_expectation(const Expectation& expect, const Report& report,
                                        const std::function<bool(std::string_view rule)>& counts);

}  // namespace kdiag
