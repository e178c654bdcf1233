// SPDX-License-Identifier: Apache-2.0
// Which of the ranges of one row is the innermost at an instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kdiag::adapters::ascend {

class Nesting {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  /// `row` is what `at` returns.
  void add(std::int64_t start, std::int64_t dur, std::uint32_t row) {
    ranges_.push_back({start, start + dur, row, none});
  }
  /// To be called once, after the last add and before the first at.
  void settle();
  std::uint32_t at(std::int64_t instant) const;

 private:
  struct Range {
    std::int64_t start, end;
    std::uint32_t row, parent;
  };
  std::vector<Range> ranges_;  ///< by start, the outer before the inner
};

}  // namespace kdiag::adapters::ascend
