// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/launch_shapes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace kdiag {
namespace {

/// Blocks in three directions, then threads of a block.
using LaunchShape = std::array<std::int32_t, 6>;

/// Nothing where blocks or threads are not recorded; directions that are not stated are 1.
std::optional<LaunchShape> shape_of(const FactStore& store, std::uint32_t row) {
  constexpr ColumnId columns[] = {column("kernels.grid_x"),  column("kernels.grid_y"),  column("kernels.grid_z"),
                                  column("kernels.block_x"), column("kernels.block_y"), column("kernels.block_z")};
  LaunchShape shape{};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int32_t size = store.small(columns[i], row);
    if (size == absent_small && i % 3 == 0) return std::nullopt;
    shape[i] = size == absent_small ? 1 : size;
  }
  return shape;
}

double blocks_of(const LaunchShape& shape) {
  return static_cast<double>(shape[0]) * static_cast<double>(shape[1]) * static_cast<double>(shape[2]);
}
double threads_of(const LaunchShape& shape) {
  return blocks_of(shape) * static_cast<double>(shape[3]) * static_cast<double>(shape[4]) *
         static_cast<double>(shape[5]);
}

/// The shapes that each kernel is launched with; a name with a launch of unknown shape has none.
using ShapesByName = std::map<std::string_view, std::optional<LaunchShape>>;

ShapesByName single_shapes(const FactStore& store, std::span<const std::uint32_t> rows) {
  ShapesByName out;
  for (const std::uint32_t row : rows) {
    const std::string_view name = store.text(column("kernels.name"), row);
    const auto shape = shape_of(store, row);
    const auto [found, added] = out.try_emplace(name, shape);
    if (!added && found->second && (!shape || threads_of(*shape) != threads_of(*found->second))) found->second.reset();
  }
  return out;
}

std::optional<LaunchShape> shape_in(const ShapesByName& shapes, std::string_view name) {
  const auto found = shapes.find(name);
  return found == shapes.end() ? std::nullopt : found->second;
}

struct LaunchTotal {
  std::string_view group;
  double calls = 0, timed = 0, total = 0;
};
using LaunchKey = std::pair<std::string_view, LaunchShape>;

std::map<LaunchKey, LaunchTotal> launches_at(const FactStore& store, std::span<const std::uint32_t> rows,
                                             CancelFlag cancel) {
  std::map<LaunchKey, LaunchTotal> out;
  for (const std::uint32_t row : rows) {
    stop_if(cancel);
    if (store.text(column("kernels.class"), row) == "communication") continue;
    if (store.index(column("kernels.name"), row) == absent_index) continue;
    const auto shape = shape_of(store, row);
    if (!shape) continue;
    LaunchTotal& launch = out[{store.text(column("kernels.name"), row), *shape}];
    launch.group = store.text(column("kernels.class"), row);
    ++launch.calls;
    if (const std::int64_t dur = store.integer(column("kernels.dur"), row); dur != absent_integer && dur >= 0) {
      ++launch.timed;
      launch.total += static_cast<double>(dur);
    }
  }
  return out;
}

bool any_shape(const FactStore& store, std::span<const std::uint32_t> rows) {
  return store.has(column("kernels.grid_x")) && std::any_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
           return store.small(column("kernels.grid_x"), row) != absent_small;
         });
}

std::optional<double> device_time(const FactStore& store, std::span<const std::uint32_t> rows) {
  double sum = 0;
  for (const std::uint32_t row : rows)
    sum += static_cast<double>(std::max<std::int64_t>(0, store.integer(column("kernel_stats.total"), row)));
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::vector<Change> launches_by_shape(const ComparedRuns& runs, const ComparedPlace& place,
                                      std::optional<double> whole) {
  std::vector<Change> out;
  const auto now = launches_at(runs.run, runs.rows.on_device(table("kernels"), place.device), runs.cancel);
  const auto before =
      launches_at(runs.baseline, runs.rows_before.on_device(table("kernels"), place.device_before), runs.cancel);
  for (const auto& [key, launch] : now) {
    const auto other = before.find(key);
    if (other == before.end() || launch.timed == 0 || other->second.timed == 0) continue;
    const LaunchTotal& then = other->second;
    Change change{.kind = ChangeRowKind::launch,
                  .name = std::string(key.first),
                  .group = std::string(launch.group),
                  .device = place.device,
                  .rank = place.rank,
                  .basis = ChangeBasis::launch,
                  .present = ChangePresent::both,
                  .calls = launch.calls,
                  .calls_before = times(then.calls, place.repetitions),
                  .each = launch.total / launch.timed,
                  .each_before = then.total / then.timed,
                  .total = launch.total,
                  .total_before = times(then.total, place.repetitions),
                  .blocks = blocks_of(key.second),
                  .blocks_before = blocks_of(key.second),
                  .threads = threads_of(key.second),
                  .threads_before = threads_of(key.second)};
    set_shares(change, launch.calls, whole);
    out.push_back(std::move(change));
  }
  return out;
}

bool launches_known(const ComparedRuns& runs, const ComparedPlace& place) {
  return any_shape(runs.run, runs.rows.on_device(table("kernels"), place.device)) &&
         any_shape(runs.baseline, runs.rows_before.on_device(table("kernels"), place.device_before));
}

}  // namespace

void add_launch_shapes(const ComparedRuns& runs, const ComparedPlace& place, std::vector<Change>& kernels) {
  if (!launches_known(runs, place)) return;
  const ShapesByName now = single_shapes(runs.run, runs.rows.on_device(table("kernels"), place.device));
  const ShapesByName before =
      single_shapes(runs.baseline, runs.rows_before.on_device(table("kernels"), place.device_before));
  for (Change& kernel : kernels) {
    if (kernel.present != ChangePresent::both) continue;
    const Counterpart other = runs.match.kernel(runs.run.strings.find(kernel.name));
    const auto shape = shape_in(now, kernel.name);
    const auto shape_before = other ? shape_in(before, runs.baseline.strings[other.row]) : std::nullopt;
    if (shape) kernel.blocks = blocks_of(*shape), kernel.threads = threads_of(*shape);
    if (shape_before)
      kernel.blocks_before = blocks_of(*shape_before), kernel.threads_before = threads_of(*shape_before);
  }
}

LikeForLike launch_changes(const ComparedRuns& runs, const ComparedPlace& place, const std::vector<Change>& kernels) {
  LikeForLike out;
  const auto whole =
      place.wall ? place.wall : device_time(runs.run, runs.rows.on_device(table("kernel_stats"), place.device));
  if (launches_known(runs, place)) {
    out.rows = launches_by_shape(runs, place, whole);
    out.known = true;
    return out;
  }
  bool any_own = false;
  for (const Change& kernel : kernels) {
    if (kernel.group == "communication") continue;
    any_own = true;
    const bool same_name = kernel.present == ChangePresent::both && kernel.basis == ChangeBasis::name;
    if (!same_name || !kernel.each || !kernel.each_before) continue;
    out.rows.push_back(kernel);
    out.rows.back().kind = ChangeRowKind::launch;
    set_shares(out.rows.back(), kernel.calls, whole);
  }
  out.known = !out.rows.empty() || !any_own;
  return out;
}

}  // namespace kdiag
