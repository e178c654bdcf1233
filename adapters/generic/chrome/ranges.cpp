// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/chrome/ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>

namespace kdiag::adapters::chrome {

namespace {

/// Ranges of one row that have begun, found by name and as the last one.
class OpenRanges {
 public:
  void open(const Mark& begin) {
    by_name_[begin.name].push_back(begins_.size());
    begins_.push_back(begin);
    ++size_;
  }
  std::size_t size() const { return size_; }
  /// Takes the last that has the name, or any; nothing when there is none.
  std::optional<Mark> close(std::uint32_t name) {
    while (!begins_.empty() && !begins_.back()) begins_.pop_back();
    if (begins_.empty()) return std::nullopt;
    const auto named = by_name_.find(name == Mark::no_name ? begins_.back()->name : name);
    if (named == by_name_.end() || named->second.empty()) return std::nullopt;
    const std::optional<Mark> begin = std::exchange(begins_[named->second.back()], std::nullopt);
    named->second.pop_back();
    --size_;
    return begin;
  }

 private:
  std::vector<std::optional<Mark>> begins_;  ///< nothing in the place of one that was closed
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_name_;
  std::size_t size_ = 0;
};

}  // namespace

std::vector<Range> pair_ranges(std::vector<Mark> marks, std::int64_t trace_end, PairTally& tally) {
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
  std::vector<Range> ranges;
  OpenRanges open;
  const auto add = [&](const Mark& begin, std::int64_t end) {
    ranges.push_back({begin.time, end - begin.time, begin.name, begin.track, begin.node});
  };
  for (const Mark& mark : marks) {
    if (mark.phase == Phase::complete) ranges.push_back({mark.time, mark.dur, mark.name, mark.track, mark.node});
    else if (mark.phase == Phase::begin) open.open(mark);
    else if (const auto begin = open.close(mark.name)) add(*begin, mark.time);
    else ++tally.unbegun;
  }
  tally.unended += open.size();
  while (const auto begin = open.close(Mark::no_name)) add(*begin, std::max(trace_end, begin->time));
  std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.start != b.start ? a.start < b.start : a.dur > b.dur;
  });
  return ranges;
}

}  // namespace kdiag::adapters::chrome
