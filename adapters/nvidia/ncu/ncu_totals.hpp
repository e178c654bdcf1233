// SPDX-License-Identifier: Apache-2.0
// Totals of the kernels of a report, for those of which a summary states the average of many launches.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// The time of a launch, or of several.
struct NcuTimes {
  std::int64_t launches = 1;
  std::optional<std::int64_t> mean, shortest, longest;
};

class NcuTotals {
 public:
  void add(std::int64_t device, std::string_view kernel, const NcuTimes& times);
  /// Whether a summary was among what was added.
  bool summarised() const { return summarised_; }
  /// Writes them as rows of `kernel_stats`, and forgets them.
  void write(Batch& batch);

 private:
  /// Times are unknown where those of one launch are.
  struct Total {
    std::int64_t calls = 0;
    std::optional<std::int64_t> time = 0, shortest = std::numeric_limits<std::int64_t>::max(), longest = 0;
  };

  std::map<std::pair<std::int64_t, std::string>, Total> totals_;  ///< by device and kernel
  bool summarised_ = false;
};

}  // namespace kdiag::adapters
