// SPDX-License-Identifier: Apache-2.0
#include "base/intervals.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kdiag {
namespace {

bool starts_before(const Interval& a, const Interval& b) { return a.start < b.start; }

}  // namespace

IntervalSet IntervalSet::of(std::vector<Interval> intervals) {
  if (!std::is_sorted(intervals.begin(), intervals.end(), starts_before))
    std::sort(intervals.begin(), intervals.end(), starts_before);
  std::size_t kept = 0;
  for (const Interval& next : intervals) {
    if (next.end <= next.start) continue;
    if (kept > 0 && next.start <= intervals[kept - 1].end)
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, next.end);
    else intervals[kept++] = next;
  }
  intervals.resize(kept);
  IntervalSet out;
  out.intervals_ = std::move(intervals);
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

std::int64_t IntervalSet::covered(const Interval& span) const {
  auto in = std::upper_bound(intervals_.begin(), intervals_.end(), span.start,
                             [](std::int64_t t, const Interval& i) { return t < i.end; });
  std::int64_t sum = 0;
  for (; in != intervals_.end() && in->start < span.end; ++in)
    sum += std::min(in->end, span.end) - std::max(in->start, span.start);
  return sum;
}

IntervalSet operator|(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  out.intervals_.reserve(a.intervals_.size() + b.intervals_.size());
  auto x = a.intervals_.begin();
  auto y = b.intervals_.begin();
  while (x != a.intervals_.end() || y != b.intervals_.end()) {
    const bool from_a = y == b.intervals_.end() || (x != a.intervals_.end() && x->start <= y->start);
    const Interval& next = from_a ? *x++ : *y++;
    if (!out.intervals_.empty() && next.start <= out.intervals_.back().end)
      out.intervals_.back().end = std::max(out.intervals_.back().end, next.end);
    else out.intervals_.push_back(next);
  }
  return out;
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
