// SPDX-License-Identifier: Apache-2.0
#include "report/html/exact_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kdiag::report {
namespace {

/// How slices are shared between the parts (judgement): a step as steps are is what most people look at.
constexpr std::size_t parts_of_median = 2, parts_of_slowest = 3, parts_of_shown = 16;
constexpr std::size_t slow_steps = 8;  // as many as the page lists by name

struct SteadyStep {
  DrawnTime time;
  std::uint32_t name = 0;
};

/// Steps that are neither warm-up nor cut, the shortest first.
std::vector<SteadyStep> steady_steps(const Lanes& lanes) {
  std::vector<SteadyStep> out;
  for (const LaneGroup& group : lanes.groups)
    for (const Lane& lane : group.lanes) {
      if (lane.type != LaneType::steps) continue;
      for (const std::vector<Slice>& row : lane.rows)
        for (const Slice& slice : row)
          if (const std::string& kind = lanes.kinds[slice.kind]; kind == "steady" || kind == "step")
            out.push_back({{slice.start, slice.end}, slice.name});
    }
  std::stable_sort(out.begin(), out.end(), [](const SteadyStep& a, const SteadyStep& b) {
    return a.time.second - a.time.first < b.time.second - b.time.first;
  });
  return out;
}

class Chooser {
 public:
  Chooser(const Lanes& lanes, std::size_t most) : lanes_(lanes), room_(most) {}

  /// A part, or the beginning of it that has at most `most` slices.
  void add(ExactPart part, std::size_t most) {
    if (has(part.time)) return;
    most = std::min(most, room_);
    const DrawnTime whole = part.time;
    if (slices_in(whole) > most) {
      part.begins = true;
      part.time.second = longest_beginning(whole, most);
    }
    take(std::move(part));
  }

  void add_whole(ExactPart part, std::size_t most) {
    if (!has(part.time) && slices_in(part.time) <= std::min(most, room_)) take(std::move(part));
  }

  std::size_t room() const { return room_; }
  std::vector<ExactPart> parts() && { return std::move(parts_); }

 private:
  std::size_t slices_in(const DrawnTime& time) const {
    std::size_t count = 0;
    for (const LaneGroup& group : lanes_.groups)
      for (const Lane& lane : group.lanes)
        for (const std::vector<Slice>& row : lane.rows) {
          const auto [first, last] = slices_within(row, time);
          count += last - first;
        }
    return count;
  }

  std::int64_t longest_beginning(const DrawnTime& whole, std::size_t most) const {
    std::int64_t fits = whole.first, too_long = whole.second;
    while (too_long - fits > 1) {
      const std::int64_t middle = std::midpoint(fits, too_long);
      (slices_in({whole.first, middle}) <= most ? fits : too_long) = middle;
    }
    return fits;
  }

  bool has(const DrawnTime& time) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const ExactPart& part) {
      return part.time.first <= time.first && time.second <= part.time.second;
    });
  }

  void take(ExactPart part) {
    const std::size_t slices = slices_in(part.time);
    if (slices == 0 || part.time.first >= part.time.second) return;
    room_ -= std::min(slices, room_);
    parts_.push_back(std::move(part));
  }

  const Lanes& lanes_;
  std::size_t room_;
  std::vector<ExactPart> parts_;
};

}  // namespace

std::vector<ExactPart> exact_parts(const Lanes& lanes, std::span<const DrawnTime> shown, std::size_t most) {
  Chooser chooser(lanes, most);
  const auto name = [&](const SteadyStep& step) { return lanes.names.text(step.name); };
  if (lanes.of_part && lanes.judged) chooser.add_whole({*lanes.judged, "what was judged"}, most);
  const std::vector<SteadyStep> steps = steady_steps(lanes);
  if (!steps.empty()) {
    const SteadyStep &median = steps[(steps.size() - 1) / 2], &slowest = steps.back();
    chooser.add({median.time, name(median) + ", the median"}, most / parts_of_median);
    chooser.add({slowest.time, name(slowest) + ", the slowest"}, chooser.room() / parts_of_slowest * 2);
  } else {
    const DrawnTime all = lanes.judged.value_or(DrawnTime{lanes.from, lanes.to});
    chooser.add({{std::midpoint(all.first, all.second), all.second}, "the middle of the run"}, most / parts_of_median);
  }
  for (const DrawnTime& interval : shown)
    chooser.add_whole({interval, {}}, std::max<std::size_t>(most / parts_of_shown, 1));
  for (std::size_t i = 1; i < std::min(slow_steps, steps.size()); ++i) {
    const SteadyStep& slow = steps[steps.size() - 1 - i];
    chooser.add_whole({slow.time, name(slow)}, chooser.room());
  }
  return std::move(chooser).parts();
}

}  // namespace kdiag::report
