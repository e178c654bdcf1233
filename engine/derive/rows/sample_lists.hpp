// SPDX-License-Identifier: Apache-2.0
// Samples by series and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// The samples of each series of each device, of which there are few, as rows in table order; those without an instant
/// are left out. Made once for all that look at samples, in two passes over the rows, without a hash: a window of an
/// hour is looked at every minute. Must not outlive the store, of which samples and devices stay as they are.
class SampleLists {
 public:
  explicit SampleLists(const FactStore& store);

  std::span<const std::uint32_t> of(std::uint32_t device, std::string_view series) const;
  /// Whether a device has samples of any series.
  bool has(std::uint32_t device) const;

  /// All lists, those of one series behind each other; also of samples without a device or a series.
  std::size_t size() const { return offsets_.size() - 1; }
  std::span<const std::uint32_t> list(std::size_t index) const {
    return std::span(rows_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }
  /// The device of a list; absent_index: none.
  std::uint32_t device_of(std::size_t index) const;

 private:
  /// The list of each row; counts them in `offsets_`.
  std::vector<std::uint32_t> lists_of_rows();

  const FactStore& store_;
  std::size_t owners_;                   ///< devices, and none
  std::vector<std::uint32_t> first_;     ///< the list of a series, by its text; the last of samples without one
  std::vector<std::size_t> offsets_{0};  ///< by list, then the end
  std::vector<std::uint32_t> rows_;
};

}  // namespace kdiag
