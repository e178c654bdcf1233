// SPDX-License-Identifier: Apache-2.0
// The scrolling tables of `nvidia-smi dmon`: columns by a header line that starts with `#`, one row per GPU and tick.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/nvidia/nvidia_smi/gpu_rows.hpp"

namespace kdiag::adapters {

/// The words of a line, separated by blanks, tabs or commas, without a leading `#`.
std::vector<std::string_view> monitor_words(std::string_view line);

class MonitorTable {
 public:
  enum class Kind : std::uint8_t { devices, processes };

  /// What a header line begins; nothing when the line is none.
  static std::optional<Kind> kind_of(std::string_view line);

  explicit MonitorTable(std::string_view header);

  struct RowPlace {
    std::int64_t gpu = 0;
    std::optional<std::int64_t> date_time;    ///< local time, with option `-o DT`
    std::optional<std::int64_t> time_of_day;  ///< with option `-o T`
  };
  /// Where a row belongs; nothing when the line is no row. Its cells are then in `cells`.
  std::optional<RowPlace> parse(std::string_view line);
  std::vector<std::string_view> cells;

  QueryHeader properties() const;

 private:
  std::vector<std::string> columns_;
};

}  // namespace kdiag::adapters
