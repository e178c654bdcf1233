// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known word nearest to a misspelt one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace kdiag {

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest distance, when that is at most a third of the word's length (at least 1).
std::optional<std::string_view> closest_match(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace kdiag
