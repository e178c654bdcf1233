// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/cycles.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/stoppable.hpp"
#include "engine/compare/cycles/edge_cycles.hpp"
#include "engine/compare/cycles/repetition.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

// Of the wall by cycles that totals of a run are divided by: rules take calls for as many within a tenth.
constexpr double nearly_all = 0.9;

// --- Steps ----------------------------------------------------------------------------------------------------------

/// Steps that were set apart as one-off costs are not judged, unless a scope chose them.
bool is_excluded(const FactStore& store, std::uint32_t row) {
  if (chooses_time(store.scope)) return false;
  const std::string_view kind = store.text(column("steps.kind"), row);
  return kind == "warmup" || kind == "partial";
}

std::vector<Cycle> judged_steps(const PairSide& side) {
  const FactStore& store = side.store();
  const Wall& wall = side.wall();
  std::vector<Cycle> cycles;
  const auto add = [&](std::uint32_t row) {
    const std::int64_t index = store.integer(column("steps.index"), row), dur = store.integer(column("steps.dur"), row);
    const auto span = span_of(store.integer(column("steps.start"), row), dur);
    cycles.push_back({.index = index == absent_integer ? static_cast<std::int64_t>(cycles.size()) : index,
                      .ns = dur,
                      .span = span,
                      .placed = index != absent_integer || span});
  };
  if (wall.basis == WallBasis::steps) {
    const SpanColumns spans{store.integers(column("steps.start")), store.integers(column("steps.dur"))};
    const TimedSteps timed(store);
    for (const std::uint32_t row : timed.of(side.slot))
      if (!is_excluded(store, row) && wall.parts.covered(*spans[row]) > 0) add(row);
  } else if (wall.basis == WallBasis::phases) {
    const auto dur = store.integers(column("steps.dur"));
    const RankSlots slots(store, table("steps"));
    for (std::uint32_t row = 0; row < dur.size(); ++row)
      if (slots[row] == side.slot && span_of(0, dur[row])) add(row);
  }
  return cycles;
}

/// The function whose calls all steps of the run are; empty when the input states none.
std::string_view anchor_of_steps(const FactStore& store) {
  const auto anchors = store.indices(column("steps.anchor"));
  const bool same = !anchors.empty() && std::count(anchors.begin(), anchors.end(), anchors[0]) ==
                                            static_cast<std::ptrdiff_t>(anchors.size());
  return same ? store.strings[anchors[0]] : std::string_view{};
}

/// Nothing when a run has none, or they are not all calls of the anchor that is asked for.
std::optional<Cycles> steps_of(const ComparedPair& pair, std::string_view anchor) {
  const std::string_view before = anchor_of_steps(pair.normal.store()), after = anchor_of_steps(pair.abnormal.store());
  if (!anchor.empty() && (before != anchor || after != anchor)) return std::nullopt;
  const bool known = !before.empty() && !after.empty();
  Cycles steps{CycleBasis::steps, known ? std::string(after) : "", judged_steps(pair.normal),
               judged_steps(pair.abnormal)};
  if (known && before != after) steps.name_normal = before;
  if (steps.normal.empty() || steps.abnormal.empty()) return std::nullopt;
  if (!chooses_time(pair.normal.store().scope) && !chooses_time(pair.abnormal.store().scope)) set_edges_apart(steps);
  return steps;
}

// --- Ranges ---------------------------------------------------------------------------------------------------------

using RangesByName = std::map<std::string, std::vector<Interval>, std::less<>>;

/// Spans that lie in no earlier one: a range inside one of its own name is a part of that cycle.
std::vector<Interval> outermost(std::vector<Interval> spans, CancelFlag cancel) {
  std::uint32_t calls = 0;
  std::sort(spans.begin(), spans.end(), stoppable(cancel, calls, [](const Interval& a, const Interval& b) {
              return a.start != b.start ? a.start < b.start : a.end > b.end;
            }));
  std::vector<Interval> kept;
  for (const Interval& span : spans)
    if (kept.empty() || span.end > kept.back().end) kept.push_back(span);
  return kept;
}

/// Ranges that the program marks, and those that are called as the anchor, although they load data or communicate.
RangesByName user_ranges(const PairSide& side, std::string_view anchor, CancelFlag cancel) {
  const FactStore& store = side.store();
  const SpanColumns spans{store.integers(column("annotations.start")), store.integers(column("annotations.dur"))};
  RangesByName ranges;
  if (spans.empty()) return ranges;
  const RankSlots slots(store, table("annotations"));
  for (const std::uint32_t row : rows_in_scope(store, table("annotations"))) {
    if ((row & 0xFFFFU) == 0) stop_if(cancel);
    const std::string_view kind = store.text(column("annotations.kind"), row);
    const std::string_view name = store.text(column("annotations.name"), row);
    const bool asked = !anchor.empty() && (name == anchor || without_number(name) == anchor) &&
                       (kind == "data_loading" || kind == "communication");
    if (slots[row] != side.slot || !spans[row] || (!kind.empty() && kind != "user" && !asked)) continue;
    ranges[std::string(name)].push_back(*spans[row]);
  }
  RangesByName by_family;
  for (auto& [name, found] : ranges) {
    std::vector<Interval>& family = by_family[found.size() == 1 ? without_number(name) : name];
    family.insert(family.end(), found.begin(), found.end());
  }
  for (auto& [name, found] : by_family) found = outermost(std::move(found), cancel);
  return by_family;
}

double coverage(const PairSide& side, const std::vector<Interval>& spans) {
  if (side.wall().length <= 0) return 0;
  return static_cast<double>((IntervalSet::of(spans) & side.wall().parts).length()) /
         static_cast<double>(side.wall().length);
}

std::vector<Cycle> lengths(const std::vector<Interval>& spans) {
  std::vector<Cycle> cycles;
  for (const Interval& span : spans) cycles.push_back({static_cast<std::int64_t>(cycles.size()), span.length(), span});
  return cycles;
}

/// Nothing when a run has no range of that name, nor steps that are its calls.
std::optional<Cycles> anchored(const ComparedPair& pair, std::string_view anchor, CancelFlag cancel) {
  if (auto steps = steps_of(pair, anchor)) return steps;
  const RangesByName normal = user_ranges(pair.normal, anchor, cancel);
  const RangesByName abnormal = user_ranges(pair.abnormal, anchor, cancel);
  const auto before = normal.find(anchor), after = abnormal.find(anchor);
  if (before == normal.end() || after == abnormal.end()) return std::nullopt;
  return Cycles{CycleBasis::range, std::string(anchor), lengths(before->second), lengths(after->second)};
}

std::optional<Cycles> repeated_range(const ComparedPair& pair, CancelFlag cancel) {
  if (!pair.normal.wall().window || !pair.abnormal.wall().window) return std::nullopt;
  const RangesByName normal = user_ranges(pair.normal, {}, cancel);
  const RangesByName abnormal = user_ranges(pair.abnormal, {}, cancel);
  std::optional<Cycles> best;
  double best_coverage = least_coverage;
  for (const auto& [name, after] : abnormal) {
    const auto before = normal.find(name);
    if (before == normal.end() || before->second.size() < least_repetitions || after.size() < least_repetitions)
      continue;
    stop_if(cancel);
    const double covered = std::min(coverage(pair.normal, before->second), coverage(pair.abnormal, after));
    if (covered < best_coverage || (best && covered == best_coverage)) continue;
    best_coverage = covered;
    best = Cycles{CycleBasis::range, name, lengths(before->second), lengths(after)};
  }
  return best;
}

// --- The whole run --------------------------------------------------------------------------------------------------

/// The ledger's time is the wall, or the device time of runs without a clock. Totals may state no more than that.
std::vector<Cycle> whole(const PairSide& side) {
  if (side.ledger != nullptr && side.ledger->wall_ns) return {{0, *side.ledger->wall_ns}};
  const std::int64_t stated = side.store().integer(column("runs.device_time"), 0);
  if (side.ledger == nullptr && side.wall().basis == WallBasis::none && stated > 0) return {{0, stated}};
  if (side.wall().basis == WallBasis::none || side.wall().basis == WallBasis::samples) return {};
  return {{0, side.wall().length}};
}

std::vector<Interval> spans_of(const std::vector<Cycle>& cycles) {
  std::vector<Interval> spans;
  for (const Cycle& cycle : cycles)
    if (cycle.span) spans.push_back(*cycle.span);
  return spans;
}

/// How many cycles of the mean length the wall has room for.
double filling(const PairSide& side, const std::vector<Cycle>& cycles) {
  double sum = 0;
  for (const Cycle& cycle : cycles) sum += static_cast<double>(cycle.ns);
  const double count = static_cast<double>(cycles.size());
  return sum > 0 && side.wall().length > 0 ? static_cast<double>(side.wall().length) / (sum / count) : count;
}

}  // namespace

std::string without_number(std::string_view name) {
  const std::size_t before = name.find_last_not_of("0123456789");
  if (before == std::string_view::npos || before + 1 == name.size()) return std::string(name);
  const std::size_t word = name.find_last_not_of(' ', before);
  return std::string(word == std::string_view::npos ? name : name.substr(0, word + 1));
}

CycleCounts counts_of(const Cycles& cycles) {
  if (cycles.basis == CycleBasis::none) return {};
  return {static_cast<double>(cycles.normal.size()) * cycles.work_normal,
          static_cast<double>(cycles.abnormal.size()) * cycles.work_abnormal};
}

bool cover_runs(const ComparedPair& pair, const Cycles& cycles) {
  if (cycles.basis != CycleBasis::range && cycles.basis != CycleBasis::repetition) return true;
  const double last =
      cycles.basis == CycleBasis::repetition ? 1 : 0;  // begins as well, and is measured to no next start
  const auto covers = [last](const PairSide& side, const std::vector<Cycle>& own) {
    const double count = static_cast<double>(own.size());
    return coverage(side, spans_of(own)) * (count + last) / count >= nearly_all;
  };
  return covers(pair.normal, cycles.normal) && covers(pair.abnormal, cycles.abnormal);
}

CycleCounts whole_counts(const ComparedPair& pair, const Cycles& cycles) {
  if (!cover_runs(pair, cycles)) return {filling(pair.normal, cycles.normal), filling(pair.abnormal, cycles.abnormal)};
  CycleCounts counts = counts_of(cycles);
  if (cycles.basis == CycleBasis::repetition) ++counts.normal, ++counts.abnormal;
  counts.normal += static_cast<double>(cycles.edges_normal.size()) * cycles.work_normal;
  counts.abnormal += static_cast<double>(cycles.edges_abnormal.size()) * cycles.work_abnormal;
  return counts;
}

Cycles find_cycles(const ComparedPair& pair, std::string_view anchor, CancelFlag cancel) {
  if (!anchor.empty()) return anchored(pair, anchor, cancel).value_or(Cycles{});
  if (auto steps = steps_of(pair, {})) return std::move(*steps);
  if (auto ranges = repeated_range(pair, cancel)) return std::move(*ranges);
  if (auto repeated = find_repetition(pair, cancel)) return std::move(*repeated);
  Cycles run{CycleBasis::run, "", whole(pair.normal), whole(pair.abnormal)};
  if (run.normal.empty() || run.abnormal.empty()) return {};
  return run;
}

}  // namespace kdiag
