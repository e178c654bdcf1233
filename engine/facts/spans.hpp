// SPDX-License-Identifier: Apache-2.0
// The interval of an event, safe to calculate with whatever the input said.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <kdiag/fact.hpp>

#include "base/intervals.hpp"

namespace kdiag {

/// The half-open interval of an event in ns; nothing when start or duration is absent, negative or no time.
constexpr std::optional<Interval> span_of(std::int64_t start, std::int64_t dur) {
  if (!is_instant(start) || dur < 0 || dur >= latest_instant - start) return std::nullopt;
  return Interval{start, start + dur};
}

/// The start and dur columns of a table; empty when the input has no times.
struct SpanColumns {
  std::span<const std::int64_t> start, dur;
  bool empty() const { return start.empty() || dur.empty(); }
  std::optional<Interval> operator[](std::uint32_t row) const {
    if (empty()) return std::nullopt;
    return span_of(start[row], dur[row]);
  }
};

}  // namespace kdiag
