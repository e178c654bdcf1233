// SPDX-License-Identifier: Apache-2.0
// What the two bandwidths that nccl-tests print tell of a test: their quotient depends on the operation and on how many
// ranks take part. Spec: doc/PERFORMANCE.md of nccl-tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters::nccl {

/// Bus bandwidth over algorithm bandwidth, as narrow as two decimals of each leave it.
class BandwidthFactor {
 public:
  /// A row of the test; both in GB/s as printed.
  void add(double algorithm, double bus);

  /// all_reduce or reduce_scatter, of which only the former has a factor of 1 and more; empty where rounding leaves
  /// both, or where neither has such a factor between so many ranks.
  std::string_view reduction(std::optional<std::int64_t> ranks = std::nullopt) const;
  /// Whether no data left its rank: no operation between several has a bus bandwidth of 0.
  bool single_rank() const { return still_ && low_ <= 0; }
  /// Ranks that the operation has with such a factor; nothing where several numbers have, or where its factor does not
  /// depend on them.
  std::optional<std::int64_t> ranks(std::string_view op) const;

 private:
  double low_ = 0, high_ = 2;  ///< no operation has more
  bool still_ = false;         ///< a row states a bus bandwidth of 0, and data
};

}  // namespace kdiag::adapters::nccl
