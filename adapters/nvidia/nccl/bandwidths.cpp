// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nccl/bandwidths.hpp"

#include <algorithm>
#include <cmath>

namespace kdiag::adapters::nccl {
namespace {

constexpr double rounding = 0.005;  // GB/s
// A reduce_scatter of so many ranks has nearly the factor of an all_reduce of two; nobody prints such a test.
// Judgement.
constexpr double most_ranks = 1000;
// The smallest factor of several ranks is 1/2, so that a tenth of a GB/s cannot become 0.00. Judgement.
constexpr double surely_moved = 0.1;  // GB/s

}  // namespace

void BandwidthFactor::add(double algorithm, double bus) {
  if (algorithm >= surely_moved && bus >= 0 && bus < rounding) still_ = true;
  if (algorithm <= rounding || bus <= rounding) return;
  low_ = std::max(low_, (bus - rounding) / (algorithm + rounding));
  high_ = std::min(high_, (bus + rounding) / (algorithm - rounding));
}

std::string_view BandwidthFactor::reduction(std::optional<std::int64_t> ranks) const {
  if (low_ <= 0 || low_ > high_) return {};
  const bool scatters = high_ < 1;
  if (!scatters && low_ <= 1 - 1 / most_ranks) return {};
  if (ranks && *ranks > 1) {  // (n - 1) / n, twice for an all_reduce
    const double factor = (scatters ? 1 : 2) * (1 - 1 / static_cast<double>(*ranks));
    if (factor < low_ || factor > high_) return {};
  }
  return scatters ? "reduce_scatter" : "all_reduce";
}

std::optional<std::int64_t> BandwidthFactor::ranks(std::string_view op) const {
  // (n - 1) / n, twice for an all_reduce.
  const double turns = op == "all_reduce" ? 2 : 1;
  if (turns == 1 && op != "reduce_scatter" && op != "all_gather" && op != "all_to_all") return std::nullopt;
  if (low_ <= 0 || low_ > high_ || high_ >= turns) return std::nullopt;
  const double least = std::ceil(1 / (1 - low_ / turns)), most = std::floor(1 / (1 - high_ / turns));
  if (least != most || least < 2) return std::nullopt;
  return static_cast<std::int64_t>(least);
}

}  // namespace kdiag::adapters::nccl
