// SPDX-License-Identifier: Apache-2.0
// What findings on the recording itself take from those that rest on what was recorded badly.
#pragma once

#include <vector>

#include "engine/judge/judge.hpp"

namespace kdiag {

/// Halves the confidence (judgement, as for guessed device work) of each draft whose rule decides by a table that a
/// fired rule names under `doubts`, on a subject that holds the other or lies in it; once, however many doubt it. The
/// messages of those that doubt say which rules that concerns. `judgements` by rule index, then subject.
void discount_by_health(const LoadedRules& rules, std::vector<std::vector<Judgement>>& judgements);

}  // namespace kdiag
