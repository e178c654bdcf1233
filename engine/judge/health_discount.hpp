// SPDX-License-Identifier: Apache-2.0
// What findings on the recording itself take from those that rest on what was recorded badly.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/judge/judge.hpp"

namespace kdiag {

/// Whether rules of role health cap severities. Facts that a test states by hand are few on purpose.
enum class Caps : std::uint8_t { hold, ignored };

/// Halves the confidence (judgement, as for guessed device work) of each draft whose rule decides by a table that a
/// fired rule names under `doubts`, on a subject that holds the other or lies in it; once, however many doubt it. The
/// messages of those that doubt say which rules that concerns. A fired rule that `caps` severities lowers those of all
/// drafts that claim time there, says of which rules, and takes their gains. `judgements` by rule index, then subject.
void discount_by_health(const LoadedRules& rules, std::vector<std::vector<Judgement>>& judgements, Caps caps);

}  // namespace kdiag
