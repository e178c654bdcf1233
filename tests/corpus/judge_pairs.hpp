// SPDX-License-Identifier: Apache-2.0
// What comparisons of simulated pairs say, against what is known of them.
#pragma once

#include <cstdint>
#include <filesystem>

#include <kdiag/kdiag.hpp>

#include "tests/corpus/score.hpp"

namespace kdiag::corpus {

/// Judges the pairs of one seed by the findings that compare: `changed.*` and `clock.throttled`. Files lie in the
/// folder meanwhile, and stay if asked. False when one cannot be read; what was wrong goes to standard error.
bool judge_pairs(std::uint64_t seed, const std::filesystem::path& folder, bool keep, const RuleSet& rules,
                 Score& score);

}  // namespace kdiag::corpus
