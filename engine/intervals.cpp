// SPDX-License-Identifier: Apache-2.0
#include "engine/intervals.hpp"

#include <algorithm>
#include <limits>

namespace kdiag {

IntervalSet IntervalSet::of(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.end <= i.start; });
  if (!std::is_sorted(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; }))
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  IntervalSet out;
  for (const Interval& next : intervals) {
    if (!out.intervals_.empty() && next.start <= out.intervals_.back().end)
      out.intervals_.back().end = std::max(out.intervals_.back().end, next.end);
    else
      out.intervals_.push_back(next);
  }
  return out;
}

std::int64_t IntervalSet::length() const {
  std::int64_t sum = 0;
  for (const Interval& i : intervals_) sum += i.length();
  return sum;
}

bool IntervalSet::contains(std::int64_t time) const {
  auto after = std::upper_bound(intervals_.begin(), intervals_.end(), time,
                                [](std::int64_t t, const Interval& i) { return t < i.start; });
  return after != intervals_.begin() && time < std::prev(after)->end;
}

IntervalSet operator|(const IntervalSet& a, const IntervalSet& b) {
  std::vector<Interval> merged(a.intervals_.size() + b.intervals_.size());
  std::merge(a.intervals_.begin(), a.intervals_.end(), b.intervals_.begin(), b.intervals_.end(), merged.begin(),
             [](const Interval& x, const Interval& y) { return x.start < y.start; });
  return IntervalSet::of(std::move(merged));
}

IntervalSet operator&(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  auto x = a.intervals_.begin();
  auto y = b.intervals_.begin();
  while (x != a.intervals_.end() && y != b.intervals_.end()) {
    const Interval both{std::max(x->start, y->start), std::min(x->end, y->end)};
    if (both.end > both.start) out.intervals_.push_back(both);
    if (x->end < y->end) ++x;
    else ++y;
  }
  return out;
}

IntervalSet operator-(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  auto y = b.intervals_.begin();
  for (Interval rest : a.intervals_) {
    while (y != b.intervals_.end() && y->end <= rest.start) ++y;
    for (auto cut = y; cut != b.intervals_.end() && cut->start < rest.end; ++cut) {
      if (cut->start > rest.start) out.intervals_.push_back({rest.start, cut->start});
      rest.start = cut->end;
      if (rest.start >= rest.end) break;
    }
    if (rest.end > rest.start) out.intervals_.push_back(rest);
  }
  return out;
}

}  // namespace kdiag
