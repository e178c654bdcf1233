// SPDX-License-Identifier: Apache-2.0
// Devices by the label that reports give them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// "GPU 6", as rows of `comparisons` name devices; "6" behind any word where the kind is not known.
class DeviceLabels {
 public:
  /// The store must outlive it.
  explicit DeviceLabels(const FactStore& store) : store_(store) {
    for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row)
      if (const std::int64_t id = store.integer(column("devices.id"), row); id != absent_integer)
        by_id_[std::to_string(id)].push_back(row);
  }
  /// The devices (rows) that a label may mean; none when the run has no such one.
  std::vector<std::uint32_t> named(std::string_view label) const {
    std::vector<std::uint32_t> rows;
    const std::size_t blank = label.rfind(' ');
    if (blank == std::string_view::npos) return rows;
    const auto same_id = by_id_.find(label.substr(blank + 1));
    if (same_id == by_id_.end()) return rows;
    for (const std::uint32_t row : same_id->second) {
      const std::string_view kind = store_.text(column("devices.kind"), row);
      if (kind.empty() || label.substr(0, blank) == kind) rows.push_back(row);
    }
    return rows;
  }

 private:
  const FactStore& store_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> by_id_;
};

}  // namespace kdiag
