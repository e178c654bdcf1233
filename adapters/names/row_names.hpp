// SPDX-License-Identifier: Apache-2.0
// What the names of a row and of its process say: whether it shows a device's work, and which rank it belongs to. A
// guess: writers choose these names freely.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kdiag::adapters {

enum class RowKind : std::uint8_t {
  host,
  device_range,  ///< in a device's process, but named after something else: "Steps", "Annotations"
  device,        ///< work of a device, perhaps of several queues at once
  queue,         ///< work of one queue: one after the other
};

/// Where a row stands in a parallel job: (("pp", 1), ("tp", 0)), or (("", 3)) for a plain rank.
using Coordinates = std::map<std::string, std::int64_t>;

struct RowMeaning {
  RowKind kind = RowKind::host;
  std::optional<std::int64_t> device, queue;  ///< where the names state them
  Coordinates rank;
  bool communication = false;  ///< the row is named after communication
  bool copies = false;         ///< the row is named after copies alone: a device's, if the trace has a device
};

/// Reads the names of a process (or its labels, "GPU 0") and a row; empty: not named.
RowMeaning row_meaning(std::string_view process, std::string_view labels, std::string_view thread);

/// Numbers ranks: a plain rank is its own number; coordinates count the tensor rank fastest, then context, data and
/// pipeline, which is the default order of Megatron-LM. Nothing for rows without a rank.
class RankNumbers {
 public:
  void see(const Coordinates& rank);
  std::optional<std::int64_t> number(const Coordinates& rank) const;
  /// Whether numbers were made of coordinates.
  bool composed() const { return composed_; }

 private:
  std::map<std::string, std::int64_t> extents_;
  bool composed_ = false;
};

}  // namespace kdiag::adapters
