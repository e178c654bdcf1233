// SPDX-License-Identifier: Apache-2.0
#include "base/edit_distance.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kdiag {
namespace {

constexpr std::size_t longest_word = 64;  // names are shorter; bounds the quadratic work

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string_view closest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.empty() || word.size() > longest_word) return {};
  for (std::string_view candidate : candidates)
    if (equal_but_for_case(word, candidate)) return candidate;
  std::string_view best;
  std::size_t best_distance = std::clamp<std::size_t>(word.size() / 3, 1, 3) + 1;
  for (std::string_view candidate : candidates) {
    if (candidate.size() > longest_word) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view found = closest(word, candidates);
  return found.empty() ? std::string() : "did you mean '" + std::string(found) + "'?";
}

std::string did_you_mean_column(std::string_view word, const std::vector<std::string_view>& columns) {
  constexpr std::size_t shortest = 3;  // judgement: "id" begins many words
  if (std::string meant = did_you_mean(word, columns); !meant.empty()) return meant;
  for (const std::string_view column : columns)
    if (std::min(column.size(), word.size()) >= shortest && (word.starts_with(column) || column.starts_with(word)))
      return did_you_mean(column, {column});
  return {};
}

}  // namespace kdiag
