// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/paired_shift.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/compare/statistics/distributions.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {
namespace {

constexpr std::size_t least_pairs = 8, most_pairs = 2000;

double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = *mean(a), mean_b = *mean(b);
  double both = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    of_a += (a[i] - mean_a) * (a[i] - mean_a);
    of_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return both / std::sqrt(of_a * of_b);
}

double hodges_lehmann(const std::vector<double>& differences) {
  std::vector<double> means;
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t k = i; k < differences.size(); ++k) means.push_back((differences[i] + differences[k]) / 2);
  return *median(means);
}

double signed_rank_p(std::vector<double> differences) {
  std::erase(differences, 0.0);
  const auto n = static_cast<double>(differences.size());
  if (n == 0) return 1;
  std::sort(differences.begin(), differences.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  double positive = 0, ties = 0;
  for (std::size_t begin = 0, end = 0; begin < differences.size(); begin = end) {
    while (end < differences.size() && std::abs(differences[end]) == std::abs(differences[begin])) ++end;
    const double rank = static_cast<double>(begin + 1 + end) / 2, equal = static_cast<double>(end - begin);
    ties += equal * equal * equal - equal;
    for (std::size_t i = begin; i < end; ++i)
      if (differences[i] > 0) positive += rank;
  }
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
  const double distance = std::max(0.0, std::abs(positive - n * (n + 1) / 4) - 0.5);
  return std::min(1.0, normal_two_sided(distance / std::sqrt(variance)));
}

}  // namespace

std::optional<PairedShift> paired_shift(std::span<const double> before, std::span<const double> after) {
  if (before.size() != after.size() || before.size() < least_pairs || before.size() > most_pairs) return std::nullopt;
  if (is_constant(before) || is_constant(after)) return std::nullopt;
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(after[i] - before[i]);
  return PairedShift{correlation(before, after), hodges_lehmann(differences), signed_rank_p(differences)};
}

}  // namespace kdiag::statistics
