// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/part_times.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// From the start of each cycle to that of the next one. Empty where one's time is not known, or they overlap.
std::vector<Interval> spans_to_next(const std::vector<Cycle>& cycles) {
  std::vector<Interval> spans;
  for (const Cycle& cycle : cycles) {
    if (!cycle.span || (!spans.empty() && cycle.span->start < spans.back().end)) return {};
    if (!spans.empty()) spans.back().end = cycle.span->start;
    spans.push_back(*cycle.span);
  }
  return spans;
}

/// Idle time of the device by cause, as the table `idle` has it.
std::map<std::string, IntervalSet> idle_by_cause(const PairSide& side) {
  const FactStore& store = side.store();
  const SpanColumns spans{store.integers(column("idle.start")), store.integers(column("idle.dur"))};
  const auto device = store.indices(column("idle.device"));
  std::map<std::string, std::vector<Interval>> found;
  for (std::uint32_t row = 0; row < device.size(); ++row) {
    if (device[row] != side.device || spans.empty() || !spans[row]) continue;
    const std::string_view cause = store.text(column("idle.cause"), row);
    if (!cause.empty()) found["idle." + std::string(cause)].push_back(*spans[row]);
  }
  std::map<std::string, IntervalSet> sets;
  for (auto& [cause, intervals] : found) sets.emplace(cause, IntervalSet::of(std::move(intervals)));
  return sets;
}

/// The parts of one side, but for idle time of unknown cause.
std::map<std::string, IntervalSet> known_parts(const PairSide& side, CancelFlag cancel) {
  constexpr std::array<std::string_view, work_kinds> names = {"compute", "communication", "copy", "memset"};
  const std::vector<DeviceTimeline> devices = device_timelines(side.store());
  stop_if(cancel);
  const DeviceTimeline& device = devices[side.device];
  if (device.work.empty()) return {};
  std::array<const IntervalSet*, work_kinds> order{};
  for (std::size_t k = 0; k < work_kinds; ++k) order[k] = &device.active[k];
  std::vector<IntervalSet> work = exclusive(order);
  std::map<std::string, IntervalSet> parts = idle_by_cause(side);
  for (auto& [cause, set] : parts) set = set - device.busy;
  for (std::size_t k = 0; k < work_kinds; ++k) parts.emplace(names[k], std::move(work[k]));
  return parts;
}

/// The name that a line of the ledger has among the compared parts.
const std::string& name_among(const std::vector<DecompositionEntry>& parts, const std::string& line) {
  static const std::string unknown = "idle.unknown";
  const bool own = !line.starts_with("idle.") ||
                   std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.name == line; });
  return own ? line : unknown;
}

TimesByPart times_of(const PairSide& side, const std::vector<Cycle>& cycles, double work,
                     const std::vector<DecompositionEntry>& names, CancelFlag cancel) {
  const std::vector<Interval> spans = spans_to_next(cycles);
  if (spans.empty() || side.device == absent_index || side.ledger->basis != LedgerBasis::timeline) return {};
  const std::map<std::string, IntervalSet> parts = known_parts(side, cancel);
  if (parts.empty()) return {};
  TimesByPart times;
  std::vector<double> left;
  for (const Interval& span : spans) left.push_back(static_cast<double>(side.wall().parts.covered(span)) / work);
  for (const auto& [line, set] : parts) {
    stop_if(cancel);
    const IntervalSet inside = set & side.wall().parts;
    std::vector<double>& own = times.try_emplace(name_among(names, line), spans.size()).first->second;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const double ns = static_cast<double>(inside.covered(spans[i])) / work;
      own[i] += ns;
      left[i] -= ns;
    }
  }
  std::vector<double>& unknown = times.try_emplace("idle.unknown", spans.size()).first->second;
  for (std::size_t i = 0; i < spans.size(); ++i) unknown[i] += std::max(0.0, left[i]);
  return times;
}

/// What only the other run has took no time of these cycles.
void add_missing(TimesByPart& times, const TimesByPart& other) {
  const std::size_t cycles = times.begin()->second.size();
  for (const auto& [name, unused] : other) times.try_emplace(name, cycles);
}

}  // namespace

PartTimes part_times(const ComparedPair& pair, const Cycles& cycles, const std::vector<DecompositionEntry>& parts,
                     CancelFlag cancel) {
  if (pair.normal.ledger == nullptr || pair.abnormal.ledger == nullptr) return {};
  PartTimes times{times_of(pair.normal, cycles.normal, cycles.work_normal, parts, cancel), {}};
  if (times.normal.empty()) return {};
  times.abnormal = times_of(pair.abnormal, cycles.abnormal, cycles.work_abnormal, parts, cancel);
  if (times.abnormal.empty()) return {};
  add_missing(times.normal, times.abnormal);
  add_missing(times.abnormal, times.normal);
  return times;
}

}  // namespace kdiag
