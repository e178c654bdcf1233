// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known name that a misspelt one is closest to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>  // did_you_mean

namespace kdiag {

/// How many insertions, deletions, substitutions and swaps of neighbours turn one text into the other (optimal
/// string alignment), counted in bytes.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`: equal but for upper and lower case, or at most a third of the word's length
/// away (at least 1, at most 3; judgement). Empty when none is near. Ties: the first candidate.
std::string_view closest(std::string_view word, const std::vector<std::string_view>& candidates);

/// As did_you_mean, and where nothing is near, the first candidate that a word is short for, or that is short for it:
/// `duration` and `dur`.
std::string did_you_mean_column(std::string_view word, const std::vector<std::string_view>& columns);

}  // namespace kdiag
