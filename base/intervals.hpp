// SPDX-License-Identifier: Apache-2.0
// Sets of time as sorted, disjoint, half-open intervals. Every operation is one sweep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace kdiag {

/// Times beyond this (146 years from zero) are no times, and no column of a FactStore holds one: within it the sum and
/// the difference of two always fit.
inline constexpr std::int64_t latest_instant = std::int64_t{1} << 62;

constexpr bool is_instant(std::int64_t time) { return time > -latest_instant && time < latest_instant; }

/// The sum of two times or counts, whatever they are; what would leave the range of times stays at its edge.
constexpr std::int64_t add_times(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? -latest_instant + 1 : latest_instant - 1;
  return std::clamp(sum, -latest_instant + 1, latest_instant - 1);
}

struct Interval {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t length() const { return end - start; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Invariant: sorted by start, non-empty intervals, no two touch.
class IntervalSet {
 public:
  IntervalSet() = default;
  IntervalSet(Interval interval) {  // NOLINT(google-explicit-constructor)
    if (interval.end > interval.start) intervals_.push_back(interval);
  }

  /// The union of intervals in any order, overlapping or not; empty and inverted ones are dropped.
  static IntervalSet of(std::vector<Interval> intervals);

  const std::vector<Interval>& intervals() const& { return intervals_; }
  std::vector<Interval> intervals() && { return std::move(intervals_); }  // for (... : (a - b).intervals()) is safe
  bool empty() const { return intervals_.empty(); }
  /// Sum of the lengths in ns.
  std::int64_t length() const;
  bool contains(std::int64_t time) const;
  /// How much of a span the set covers, in ns. A search plus a step for each interval inside the span.
  std::int64_t covered(const Interval& span) const;

  friend IntervalSet operator|(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet operator&(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet operator-(const IntervalSet& a, const IntervalSet& b);
  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace kdiag
