// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/steps/wall.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/sample_lists.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/derive/steps/named_ranges.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/series.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// The smallest interval around everything added.
class Hull {
 public:
  void add(const Interval& span) {
    if (!hull_) hull_ = span;
    hull_ = Interval{std::min(hull_->start, span.start), std::max(hull_->end, span.end)};
  }
  const std::optional<Interval>& interval() const { return hull_; }

 private:
  std::optional<Interval> hull_;
};

using Hulls = std::vector<Hull>;  // by rank slot

struct TimedTable {
  TableId table;
  ColumnId start, dur;
};
constexpr TimedTable device_tables[] = {{table("kernels"), column("kernels.start"), column("kernels.dur")},
                                        {table("copies"), column("copies.start"), column("copies.dur")},
                                        {table("memsets"), column("memsets.start"), column("memsets.dur")}};
constexpr TimedTable host_tables[] = {{table("ops"), column("ops.start"), column("ops.dur")},
                                      {table("api"), column("api.start"), column("api.dur")},
                                      {table("annotations"), column("annotations.start"), column("annotations.dur")}};

/// Annotations of the program itself: not the profiler's overhead or its capture window, not device ranges.
class HostAnnotations {
 public:
  explicit HostAnnotations(const FactStore& store) : kinds_(store.indices(column("annotations.kind"))) {
    for (std::string_view kind : {"device", "overhead", "window"}) excluded_.push_back(store.strings.find(kind));
  }
  bool operator()(std::uint32_t row) const {
    return kinds_.empty() || kinds_[row] == absent_index ||
           std::find(excluded_.begin(), excluded_.end(), kinds_[row]) == excluded_.end();
  }

 private:
  std::span<const std::uint32_t> kinds_;
  std::vector<std::uint32_t> excluded_;
};

Hulls hulls_of(const FactStore& store, std::span<const TimedTable> tables) {
  Hulls hulls(rank_slot_count(store));
  const HostAnnotations of_program(store);
  for (const TimedTable& t : tables) {
    const SpanColumns spans{store.integers(t.start), store.integers(t.dur)};
    if (spans.empty()) continue;
    const RankSlots slots(store, t.table);
    for (std::uint32_t row = 0; row < spans.start.size(); ++row) {
      const std::uint32_t slot = slots[row];
      if (slot >= hulls.size() || (t.table == table("annotations") && !of_program(row))) continue;
      if (const auto span = spans[row]) hulls[slot].add(*span);
    }
  }
  return hulls;
}

/// The slot of samples of a device, or of none.
std::uint32_t slot_of(const FactStore& store, std::uint32_t device) {
  if (device != absent_index) return rank_slot_of_device(store, device);
  return rank_slot_count(store) > 1 ? absent_index : 0;
}

Hulls hulls_of(const FactStore& store, const SampleLists& samples) {
  Hulls hulls(rank_slot_count(store));
  const auto times = store.integers(column("samples.time"));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint32_t slot = slot_of(store, samples.device_of(i));
    if (slot >= hulls.size()) continue;
    for (const std::uint32_t row : samples.list(i)) hulls[slot].add({times[row], times[row]});
  }
  return hulls;
}

/// When any series of a rank holds a value: without the pauses between two recordings. Single samples hold for no time.
IntervalSet sampled_time(const FactStore& store, const SampleLists& samples, std::uint32_t slot,
                         const Interval& window) {
  const auto times = store.integers(column("samples.time"));
  std::vector<Interval> held;
  std::span<const std::uint32_t> before;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (slot_of(store, samples.device_of(i)) != slot) continue;
    // Series that are sampled together hold at the same times, which are looked at once.
    const std::span<const std::uint32_t> rows = samples.list(i);
    if (std::ranges::equal(rows, before, [times](std::uint32_t a, std::uint32_t b) { return times[a] == times[b]; }))
      continue;
    before = rows;
    std::vector<Sample> instants;  // values are left out
    instants.reserve(rows.size());
    for (const std::uint32_t row : rows) instants.emplace_back(times[row], 0);
    const auto spans = sample_spans(std::move(instants), {});
    if (spans.size() < 2) continue;
    std::vector<Interval> of_series;
    of_series.reserve(spans.size());
    for (const SampleSpan& span : spans) of_series.push_back(span.first);
    // One interval, but for pauses: the union of all series need not sort their samples.
    for (const Interval& without_pause : IntervalSet::of(std::move(of_series)).intervals())
      held.push_back(without_pause);
  }
  return IntervalSet::of(std::move(held)) & IntervalSet(window);
}

/// The stated lengths of steps that have no start, else of the phases of one device; nothing when there are none.
std::optional<std::int64_t> stated_length(const FactStore& store, std::uint32_t slot) {
  const auto dur = store.integers(column("steps.dur"));
  const RankSlots step_slots(store, table("steps"));
  std::optional<std::int64_t> length;
  auto add = [](std::optional<std::int64_t>& sum, std::int64_t value) {
    if (value >= 0) sum = add_times(sum.value_or(0), value);
  };
  std::size_t position = 0;
  for (std::uint32_t row = 0; row < dur.size(); ++row)
    if (step_slots[row] == slot && step_in_scope(store, row, position++)) add(length, dur[row]);
  if (length) return length;

  const auto phase_dur = store.integers(column("phases.dur"));
  const RankSlots phase_slots(store, table("phases"));
  std::vector<std::optional<std::int64_t>> by_device(store.rows(table("devices")) + 1);
  for (std::uint32_t row = 0; row < phase_dur.size(); ++row) {
    if (phase_slots[row] != slot) continue;
    const std::uint32_t step = store.index(column("phases.step"), row);
    if (step != absent_index && !step_in_scope(store, step, step)) continue;
    add(by_device[std::min<std::size_t>(store.index(column("phases.device"), row), by_device.size() - 1)],
        phase_dur[row]);
  }
  for (const auto& device : by_device) length = std::max(length, device);
  return length;
}

class Walls {
 public:
  Walls(FactStore& store, const Scope& scope, const SampleLists& samples)
      : store_(store), scope_(scope), lists_(samples), steps_(store) {
    store_.scope = scope;
    store_.scoped = scope.any();
    device_ = hulls_of(store, device_tables);
    host_ = hulls_of(store, host_tables);
    samples_ = hulls_of(store, samples);
  }

  void derive() {
    store_.walls.clear();
    for (std::uint32_t slot = 0; slot < rank_slot_count(store_); ++slot) store_.walls.push_back(unscoped(slot));
    const std::optional<std::int64_t> origin = first_instant();
    for (std::uint32_t slot = 0; slot < store_.walls.size(); ++slot) narrow(slot, store_.walls[slot], origin);
  }

 private:
  /// A window by the first basis of the ladder that exists.
  Wall unscoped(std::uint32_t slot) {
    if (auto window = step_window(slot)) return over(WallBasis::steps, *window);
    if (auto window = device_[slot].interval(); window && window->length() > 0) return over(WallBasis::device, *window);
    if (auto length = stated_length(store_, slot)) return {.basis = WallBasis::phases, .length = *length};
    if (auto window = host_[slot].interval(); window && window->length() > 0) return over(WallBasis::host, *window);
    if (auto window = samples_[slot].interval()) return while_sampled(slot, *window);
    if (auto length = store_.integer(column("runs.wall"), 0); length != absent_integer)
      return {.basis = WallBasis::phases, .length = length};
    return {};
  }

  static Wall over(WallBasis basis, Interval window) {
    return {.basis = basis, .window = window, .parts = IntervalSet(window), .length = window.length()};
  }

  Wall while_sampled(std::uint32_t slot, Interval window) const {
    Wall wall = over(WallBasis::samples, window);
    wall.parts = sampled_time(store_, lists_, slot, window);
    wall.length = wall.parts.length();
    return wall;
  }

  /// First to last of the chosen steps; without a choice of steps or times, of the steady ones.
  std::optional<Interval> step_window(std::uint32_t slot) {
    const auto kinds = store_.indices(column("steps.kind"));
    const bool steady_only = !chooses_time(scope_);
    const std::uint32_t apart[] = {store_.strings.find("warmup"), store_.strings.find("partial")};
    const SpanColumns spans{store_.integers(column("steps.start")), store_.integers(column("steps.dur"))};
    Hull hull;
    std::size_t position = 0;
    bool excludes_steps = false;
    for (std::uint32_t row : steps_.of(slot)) {
      if (!step_in_scope(store_, row, position++)) continue;
      const bool one_off = steady_only && !kinds.empty() && kinds[row] != absent_index &&
                           (kinds[row] == apart[0] || kinds[row] == apart[1]);
      if (one_off) excludes_steps = true;
      else hull.add(*spans[row]);
    }
    if (excludes_steps && hull.interval()) store_.scoped = true;
    return hull.interval();
  }

  std::optional<std::int64_t> first_instant() const {
    std::optional<std::int64_t> first;
    for (const Wall& wall : store_.walls)
      if (wall.window && (!first || wall.window->start < *first)) first = wall.window->start;
    return first;
  }

  void narrow(std::uint32_t slot, Wall& wall, std::optional<std::int64_t> origin) const {
    if (scope_.rank && !rank_in_scope(store_, slot)) wall = {};
    if (scope_.steps && wall.basis != WallBasis::steps && wall.basis != WallBasis::phases) wall = {};
    if (!wall.window) return;
    if (!scope_.within.empty()) wall.parts = ranges_named(store_, slot, scope_.within);
    if (scope_.from || scope_.to) {
      const Interval chosen{scope_.from ? later(*origin, *scope_.from) : -latest_instant,
                            scope_.to ? later(*origin, *scope_.to) : latest_instant};
      wall.parts = wall.parts & IntervalSet(chosen);
    }
    wall.length = wall.parts.length();
    if (wall.parts.empty()) {
      if (store_.scope.any()) wall = {};
      return;
    }
    wall.window = Interval{wall.parts.intervals().front().start, wall.parts.intervals().back().end};
  }

  static std::int64_t later(std::int64_t time, std::int64_t by) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(time, by, &sum)) return by > 0 ? latest_instant : -latest_instant;
    return std::clamp(sum, -latest_instant, latest_instant);
  }

  FactStore& store_;
  const Scope& scope_;
  const SampleLists& lists_;
  const TimedSteps steps_;
  Hulls device_, host_, samples_;
};

void state(FactStore& store) {
  const Wall& longest = store.wall();
  if (longest.basis != WallBasis::none) {
    store.mutable_integers(column("runs.wall"), "derived")[0] = longest.length;
    store.mutable_indices(column("runs.wall_basis"), "derived")[0] = store.strings.intern(name_of(longest.basis));
    if (longest.window) store.mutable_integers(column("runs.start"), "derived")[0] = longest.window->start;
  }
  for (std::uint32_t rank = 0; rank < store.rows(table("ranks")); ++rank) {
    const Wall& wall = store.walls[rank];
    if (wall.basis == WallBasis::none) continue;
    store.mutable_integers(column("ranks.wall"), "derived")[rank] = wall.length;
    if (wall.window) store.mutable_integers(column("ranks.start"), "derived")[rank] = wall.window->start;
  }
}

}  // namespace

void derive_walls(FactStore& store, const Scope& scope, const SampleLists& samples) {
  Walls(store, scope, samples).derive();
  state(store);
}

}  // namespace kdiag
