// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/mann_whitney_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/stoppable.hpp"
#include "engine/compare/statistics/distributions.hpp"

namespace kdiag::statistics {
namespace {

constexpr std::size_t largest_exact = 8;     // of the smaller sample: SciPy's limit
constexpr double largest_exact_pairs = 1e6;  // judgement: 8 MB and a few milliseconds

/// Share of the arrangements of two samples' ranks whose U is at most `highest_u`, at most half of all pairs.
///
/// The numbers of arrangements by U are the coefficients of a Gaussian binomial: the product over i of
/// (1 - x^(m + i)) / (1 - x^i). Those up to highest_u need none of the others.
double share_of_arrangements(std::size_t smaller, std::size_t larger, std::size_t highest_u) {
  std::vector<double> counts(highest_u + 1, 0.0);
  counts[0] = 1;
  double all = 1;
  for (std::size_t i = 1; i <= smaller; ++i) {
    const std::size_t above = larger + i;
    for (std::size_t u = highest_u; u >= above; --u) counts[u] -= counts[u - above];
    for (std::size_t u = i; u <= highest_u; ++u) counts[u] += counts[u - i];
    all *= static_cast<double>(above) / static_cast<double>(i);
  }
  double sum = 0;
  for (double count : counts) sum += count;
  return sum / all;
}

}  // namespace

RankCounts rank_counts(std::span<const double> a, std::span<const double> b, CancelFlag cancel) {
  struct Value {
    double value;
    bool of_a;
  };
  std::vector<Value> joined;
  joined.reserve(a.size() + b.size());
  for (double value : a) joined.push_back({value, true});
  for (double value : b) joined.push_back({value, false});
  std::uint32_t calls = 0;
  std::sort(joined.begin(), joined.end(),
            stoppable(cancel, calls, [](const Value& x, const Value& y) { return x.value < y.value; }));

  RankCounts counts;
  double smaller_of_b = 0;  // values of b seen so far
  for (std::size_t begin = 0, end = 0; begin < joined.size(); begin = end) {
    double of_a = 0, of_b = 0;
    for (; end < joined.size() && joined[end].value == joined[begin].value; ++end)
      (joined[end].of_a ? of_a : of_b) += 1;
    counts.u += of_a * (smaller_of_b + of_b / 2);
    const double equal = of_a + of_b;
    counts.ties += equal * equal * equal - equal;
    smaller_of_b += of_b;
  }
  return counts;
}

std::optional<double> mann_whitney_p(std::span<const double> a, std::span<const double> b, CancelFlag cancel) {
  if (a.empty() || b.empty()) return std::nullopt;
  const RankCounts counts = rank_counts(a, b, cancel);
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double larger_u = std::max(counts.u, n * m - counts.u);
  const auto [smaller, larger] = std::minmax({a.size(), b.size()});
  if (counts.ties == 0 && smaller <= largest_exact && n * m <= largest_exact_pairs)
    return std::min(1.0, 2 * share_of_arrangements(smaller, larger, static_cast<std::size_t>(n * m - larger_u)));

  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - counts.ties / (all * (all - 1)));
  const double distance = larger_u - n * m / 2 - 0.5;
  return distance <= 0 || !(variance > 0) ? 1.0 : normal_two_sided(distance / std::sqrt(variance));
}

std::optional<double> cliffs_delta(std::span<const double> a, std::span<const double> b, CancelFlag cancel) {
  if (a.empty() || b.empty()) return std::nullopt;
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  return 2 * rank_counts(b, a, cancel).u / pairs - 1;
}

}  // namespace kdiag::statistics
