// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/comparability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/format.hpp>

#include "base/number.hpp"
#include "base/stoppable.hpp"
#include "base/text.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/facts/kernel_family.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr double alike = 0.98;
constexpr double next_to_none = 0.05;
constexpr double unknown_model = 0.05;  // weight of a device whose model is not known

std::string known_text(std::string_view text) { return text.empty() ? "unknown" : std::string(text); }

class Differences {
 public:
  void add(std::string what, std::string normal, std::string abnormal, double weight,
           DifferenceKind kind = DifferenceKind::setup) {
    entry_.differences.push_back({std::move(what), std::move(normal), std::move(abnormal), weight, kind});
    entry_.score *= 1 - weight;
  }
  /// Texts that are known on both sides and differ.
  void texts(std::string what, std::string_view normal, std::string_view abnormal, double weight) {
    if (!normal.empty() && !abnormal.empty() && normal != abnormal)
      add(std::move(what), std::string(normal), std::string(abnormal), weight);
  }
  void counts(std::string what, std::int64_t normal, std::int64_t abnormal, double weight,
              DifferenceKind kind = DifferenceKind::setup) {
    if (normal != abnormal) add(std::move(what), format_count(normal), format_count(abnormal), weight, kind);
  }
  /// Quantities that differ by more than a share of the normal one.
  void quantities(std::string what, std::optional<double> normal, std::optional<double> abnormal,
                  const std::string& unit, double tolerance, double weight) {
    if (!normal || !abnormal || std::abs(*abnormal - *normal) <= tolerance * std::abs(*normal)) return;
    add(std::move(what), format_value({*normal, unit}), format_value({*abnormal, unit}), weight);
  }

  ComparabilityEntry take() { return std::move(entry_); }

 private:
  ComparabilityEntry entry_;
};

// --- What was done ---------------------------------------------------------------------------------------------------

std::string share_in_common(double similarity) { return format_share(similarity) + " in common"; }

void compare_names(Differences& differences, const std::string& what, const std::vector<NamedWork>& work,
                   const CycleCounts& cycles, double weight, double least_weight = 0) {
  const std::optional<double> common = similarity(work, cycles);
  const auto in = [&](bool NamedWork::*side) { return std::count_if(work.begin(), work.end(), std::mem_fn(side)); };
  const auto before = in(&NamedWork::in_normal), after = in(&NamedWork::in_abnormal);
  if (!common || *common >= alike || before == 0 || after == 0) return;
  const auto names = [](std::ptrdiff_t count) { return format_count(count) + (count == 1 ? " name" : " names"); };
  differences.add(what, names(before), names(after) + ", " + share_in_common(*common) + " by calls",
                  std::max(weight * (1 - *common), least_weight), DifferenceKind::calls);
}

/// What one of the runs does not record of the host cannot be compared; it explains no difference either.
void compare_host_facts(Differences& differences, const ComparedPair& pair) {
  struct Recorded {
    std::string_view what;
    TableId id;
    DifferenceKind kind;
  };
  constexpr Recorded recorded[] = {{"operators", table("op_stats"), DifferenceKind::calls},
                                   {"runtime calls", table("api_stats"), DifferenceKind::setup}};
  for (const auto& [what, id, kind] : recorded) {
    const bool before = pair.normal.store().rows(id) > 0, after = pair.abnormal.store().rows(id) > 0;
    const auto word = [](bool known) { return std::string(known ? "recorded" : "not recorded, not comparable"); };
    if (before != after) differences.add(std::string(what), word(before), word(after), 0, kind);
  }
}

void compare_kernels(Differences& differences, const Work& work, const CycleCounts& cycles) {
  const std::optional<double> common = similarity(work.kernels, cycles);
  const bool same_program =
      similarity(work.operators, cycles).value_or(0) > next_to_none || std::min(cycles.normal, cycles.abnormal) > 1;
  compare_names(differences, "kernels", work.kernels, cycles, same_program ? 0.4 : 0.9,
                common.value_or(1) < next_to_none ? 0.7 : 0);
}

void compare_copies(Differences& differences, const Work& work, const CycleCounts& cycles) {
  const std::optional<double> common = similarity(work.copies, cycles);
  if (!common || *common >= alike) return;
  double before = 0, after = 0;
  for (const NamedWork& copy : work.copies) {
    before += copy.calls_normal_per(cycles);
    after += copy.calls_abnormal_per(cycles);
  }
  differences.counts(cycles.abnormal > 1 ? "copies per cycle" : "copies", Number(before).rounded(),
                     Number(after).rounded(), 0, DifferenceKind::calls);
}

std::set<std::string_view> shapes_of(const PairSide& side) {
  const FactStore& store = side.store();
  const RankSlots slots(store, table("ops"));
  std::set<std::string_view> shapes;
  if (!store.has(column("ops.shapes"))) return shapes;
  for (const std::uint32_t row : rows_in_scope(store, table("ops")))
    if (slots[row] == side.slot)
      if (const std::string_view shape = store.text(column("ops.shapes"), row); !shape.empty()) shapes.insert(shape);
  return shapes;
}

void compare_shapes(Differences& differences, const ComparedPair& pair) {
  const std::set<std::string_view> before = shapes_of(pair.normal), after = shapes_of(pair.abnormal);
  if (before.empty() || after.empty()) return;
  std::vector<std::string_view> both;
  std::set_intersection(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(both));
  const double common =
      static_cast<double>(both.size()) / static_cast<double>(before.size() + after.size() - both.size());
  if (common >= alike) return;
  const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
  differences.add("shapes", count(before.size()), count(after.size()) + ", " + share_in_common(common),
                  0.3 * (1 - common), DifferenceKind::work);
}

/// Number of a name without sizes, since that is how kernels of two runs match; grid and block.
using LaunchShape = std::array<std::int32_t, 7>;
using Families = std::map<std::string, std::int32_t>;

/// The shapes of a side, each once and in order: a run has millions of kernels.
std::vector<LaunchShape> launch_shapes_of(const PairSide& side, Families& families, CancelFlag cancel) {
  constexpr ColumnId columns[] = {column("kernels.grid_x"),  column("kernels.grid_y"),  column("kernels.grid_z"),
                                  column("kernels.block_x"), column("kernels.block_y"), column("kernels.block_z")};
  const FactStore& store = side.store();
  std::vector<LaunchShape> shapes;
  if (side.device == absent_index || !store.has(columns[0])) return shapes;
  std::map<std::uint32_t, std::int32_t> family_of_name;
  std::uint32_t rows = 0;
  for (const std::uint32_t row : rows_in_scope(store, table("kernels"))) {
    if ((++rows & 0xFFFFU) == 0) stop_if(cancel);
    if (store.index(column("kernels.device"), row) != side.device) continue;
    const auto [family, added] = family_of_name.try_emplace(store.index(column("kernels.name"), row));
    if (added)
      family->second = families
                           .try_emplace(kernel_family(store.text(column("kernels.name"), row)),
                                        static_cast<std::int32_t>(families.size()))
                           .first->second;
    LaunchShape& shape = shapes.emplace_back();
    shape[0] = family->second;
    for (std::size_t i = 0; i < std::size(columns); ++i) shape[i + 1] = store.small(columns[i], row);
  }
  std::uint32_t comparisons = 0;
  std::sort(shapes.begin(), shapes.end(), stoppable(cancel, comparisons, std::less<>()));
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  return shapes;
}

struct SharedShapes {
  std::size_t before = 0, after = 0, both = 0;
  double similarity() const { return static_cast<double>(both) / static_cast<double>(before + after - both); }
};

/// How many launch shapes the sides have, and have in common; nothing when one has none.
std::optional<SharedShapes> shared_shapes(const ComparedPair& pair, CancelFlag cancel) {
  Families families;
  const std::vector<LaunchShape> before = launch_shapes_of(pair.normal, families, cancel);
  const std::vector<LaunchShape> after = launch_shapes_of(pair.abnormal, families, cancel);
  if (before.empty() || after.empty()) return std::nullopt;
  std::vector<LaunchShape> both;
  std::set_intersection(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(both));
  return SharedShapes{before.size(), after.size(), both.size()};
}

void compare_launch_shapes(Differences& differences, const ComparedPair& pair, CancelFlag cancel) {
  const std::optional<SharedShapes> shapes = shared_shapes(pair, cancel);
  if (!shapes || shapes->similarity() >= alike) return;
  const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
  differences.add("launch shapes", count(shapes->before),
                  count(shapes->after) + ", " + share_in_common(shapes->similarity()), 0);
}

/// Nothing where the size of one copy is not known: it may be all of them together.
std::optional<double> copied_bytes(const PairSide& side, double cycles) {
  const FactStore& store = side.store();
  const auto bytes = store.integers(column("copies.bytes"));
  if (bytes.empty() || side.device == absent_index) return std::nullopt;
  double sum = 0;
  for (const std::uint32_t row : rows_in_scope(store, table("copies")))
    if (store.index(column("copies.device"), row) == side.device) {
      if (bytes[row] == absent_integer) return std::nullopt;
      sum += static_cast<double>(std::max<std::int64_t>(0, bytes[row]));
    }
  return sum / cycles;
}

// --- Where and how it was recorded -----------------------------------------------------------------------------------

std::string_view device_text(const PairSide& side, ColumnId id) {
  return side.device == absent_index ? std::string_view{} : side.store().text(id, side.device);
}

std::optional<double> device_figure(const PairSide& side, ColumnId id) {
  if (side.device == absent_index) return std::nullopt;
  const double figure = side.store().real(id, side.device);
  return std::isnan(figure) ? std::nullopt : std::optional(figure);
}

/// How the clocks were set, and what they were.
void compare_device_state(Differences& differences, const ComparedPair& pair) {
  struct Figure {
    std::string_view what;
    ColumnId id;
    std::string_view unit;
    double tolerance, weight;
  };
  constexpr Figure figures[] = {{"application clock", column("devices.sm_clock_app"), "Hz", 0.01, 0.05},
                                {"power limit", column("devices.power_limit"), "W", 0.01, 0.05},
                                {"SM clock", column("devices.sm_clock_avg"), "Hz", 0.05, 0},
                                {"memory clock", column("devices.mem_clock_avg"), "Hz", 0.05, 0}};
  for (const Figure& figure : figures)
    differences.quantities(std::string(figure.what), device_figure(pair.normal, figure.id),
                           device_figure(pair.abnormal, figure.id), std::string(figure.unit), figure.tolerance,
                           figure.weight);
}

void compare_devices(Differences& differences, const ComparedPair& pair) {
  const std::string_view before = device_text(pair.normal, column("devices.vendor"));
  const std::string_view after = device_text(pair.abnormal, column("devices.vendor"));
  if (!before.empty() && !after.empty() && before != after) return differences.texts("vendor", before, after, 0.5);
  const std::string_view model = device_text(pair.normal, column("devices.name"));
  const std::string_view other = device_text(pair.abnormal, column("devices.name"));
  if (model.empty() || other.empty())
    return differences.add("device model", known_text(model), known_text(other), unknown_model);
  differences.texts("device", model, other, 0.3);
}

/// Whether CUPTI calls overhead what the program spends without it, too: see trace.profiler-overhead.
bool is_of_program(std::string_view name) {
  const std::string small = lower(name);
  return contains(small, "loading") || contains(small, "command buffer full");
}

/// Share of the wall that the profiler states as its own overhead.
double overhead(const PairSide& side) {
  const FactStore& store = side.store();
  const SpanColumns spans{store.integers(column("annotations.start")), store.integers(column("annotations.dur"))};
  const std::uint32_t kind = store.strings.find("overhead");
  const auto kinds = store.indices(column("annotations.kind")), names = store.indices(column("annotations.name"));
  if (spans.empty() || kinds.empty() || kind == absent_index || side.wall().length <= 0) return 0;
  std::vector<Interval> found;
  for (std::uint32_t row = 0; row < kinds.size(); ++row)
    if (kinds[row] == kind && spans[row] && (names.empty() || !is_of_program(store.strings[names[row]])))
      found.push_back(*spans[row]);
  return static_cast<double>((IntervalSet::of(std::move(found)) & side.wall().parts).length()) /
         static_cast<double>(side.wall().length);
}

void compare_overhead(Differences& differences, const ComparedPair& pair) {
  const double before = overhead(pair.normal), after = overhead(pair.abnormal);
  if (std::abs(after - before) > 0.1) differences.add("overhead", format_share(before), format_share(after), 0.2);
}

std::int64_t losses(const PairSide& side) {
  const FactStore& store = side.store();
  std::int64_t count = 0;
  for (std::uint32_t row = 0; row < store.rows(table("notes")); ++row)
    if (store.text(column("notes.severity"), row) == "data-loss") ++count;
  return count;
}

void compare_losses(Differences& differences, const ComparedPair& pair) {
  const std::int64_t before = losses(pair.normal), after = losses(pair.abnormal);
  const auto word = [](std::int64_t count) { return std::string(count > 0 ? "yes" : "none"); };
  if (before > 0 || after > 0)
    differences.add("lost data", word(before), word(after), before > 0 && after > 0 ? 1 - 0.8 * 0.8 : 0.2);
}

void compare_recordings(Differences& differences, const ComparedPair& pair) {
  const FactStore &before = pair.normal.store(), &after = pair.abnormal.store();
  const std::string_view format = before.text(column("runs.format"), 0), other = after.text(column("runs.format"), 0);
  differences.texts("tool", format, other, 0.2);
  if (format == other)
    differences.texts("version", before.text(column("runs.producer"), 0), after.text(column("runs.producer"), 0), 0);
  differences.texts("wall", name_of(pair.normal.wall().basis), name_of(pair.abnormal.wall().basis), 0.4);
  const auto ranks = [](const FactStore& store) { return static_cast<std::int64_t>(store.rows(table("ranks"))); };
  differences.counts("ranks", ranks(before), ranks(after), 0.4);
}

}  // namespace

ComparabilityEntry comparability_of(const ComparedPair& pair, const Work& work, const CycleCounts& cycles,
                                    CancelFlag cancel) {
  Differences differences;
  compare_recordings(differences, pair);
  compare_devices(differences, pair);
  compare_kernels(differences, work, cycles);
  compare_names(differences, "operators", work.operators, cycles, 0.2);
  compare_names(differences, "functions", work.device_functions, work.device_cycles, 0.4);
  compare_host_facts(differences, pair);
  if (!similarity(work.kernels, cycles) && !similarity(work.operators, cycles) &&
      !similarity(work.device_functions, work.device_cycles))
    differences.add("work", "unknown", "unknown", 0.1, DifferenceKind::work);
  compare_shapes(differences, pair);
  compare_launch_shapes(differences, pair, cancel);
  compare_copies(differences, work, cycles);
  differences.quantities(cycles.abnormal > 1 ? "bytes copied per cycle" : "bytes copied",
                         copied_bytes(pair.normal, cycles.normal), copied_bytes(pair.abnormal, cycles.abnormal),
                         "bytes", 0.1, 0.05);
  differences.counts("cycles", Number(cycles.normal).rounded(), Number(cycles.abnormal).rounded(), 0);
  compare_device_state(differences, pair);
  compare_overhead(differences, pair);
  compare_losses(differences, pair);
  return differences.take();
}

const DifferenceEntry* largest_difference(const ComparabilityEntry& comparability) {
  const auto most =
      std::max_element(comparability.differences.begin(), comparability.differences.end(),
                       [](const DifferenceEntry& a, const DifferenceEntry& b) { return a.weight < b.weight; });
  return most == comparability.differences.end() || most->weight == 0 ? nullptr : &*most;
}

std::optional<double> launch_shape_similarity(const ComparedPair& pair, CancelFlag cancel) {
  const std::optional<SharedShapes> shapes = shared_shapes(pair, cancel);
  return shapes ? std::optional(shapes->similarity()) : std::nullopt;
}

}  // namespace kdiag
