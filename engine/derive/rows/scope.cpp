// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/scope.hpp"

#include <numeric>
#include <optional>
#include <span>

#include "engine/derive/rows/rank_slots.hpp"

namespace kdiag {
namespace {

std::optional<ColumnId> column_named(TableId table_id, std::string_view name) {
  const ColumnId id = find_column(info(table_id).name, name);
  if (!id.valid()) return std::nullopt;
  return id;
}

/// Whether the window consists of whole steps: a row of a step is then in scope with it. Its own time does not decide,
/// since a host that runs ahead launches the work of a step before the device begins with that step.
bool whole_steps(const Scope& scope) { return scope.within.empty() && !scope.from && !scope.to; }

/// The instant by which a row is in scope or not. Where the window is of whole steps: the start of the row's step, and
/// of rows between steps their own. Elsewhere that of its launching call, else its own. Of a collective the same of its
/// kernel.
class DecidingTime {
 public:
  DecidingTime(const FactStore& store, TableId table_id) : call_start_(store.integers(column("api.start"))) {
    if (table_id == table("phases")) {
      if (store.has(column("phases.step"))) start_ = store.integers(column("steps.start"));
      step_ = store.indices(column("phases.step"));
      step_start_ = start_;
      phases_ = true;
      return;
    }
    if (whole_steps(store.scope)) {
      step_start_ = store.integers(column("steps.start"));
      if (const auto step = column_named(table_id, "step")) step_ = store.indices(*step);
    }
    if (const auto start = column_named(table_id, "start")) start_ = store.integers(*start);
    else if (const auto time = column_named(table_id, "time")) start_ = store.integers(*time);
    if (const auto launch = column_named(table_id, "launch")) launch_ = store.indices(*launch);
    if (table_id == table("comms") && store.has(column("comms.kernel"))) {
      kernel_ = store.indices(column("comms.kernel"));
      launch_ = store.indices(column("kernels.launch"));
      if (whole_steps(store.scope)) step_ = store.indices(column("kernels.step"));
    }
  }

  bool known() const { return !start_.empty(); }

  std::int64_t operator[](std::size_t row) const {
    const std::size_t work = kernel_.empty() ? row : kernel_[row];
    if (work < step_.size()) {
      if (step_[work] != absent_index && step_[work] < step_start_.size()) return step_start_[step_[work]];
      return phases_ ? absent_integer : start_[row];
    }
    if (work < launch_.size() && launch_[work] != absent_index && !call_start_.empty())
      return call_start_[launch_[work]];
    return start_[row];
  }

 private:
  bool phases_ = false;
  std::span<const std::int64_t> start_, call_start_, step_start_;
  std::span<const std::uint32_t> launch_, kernel_, step_;
};

std::vector<std::uint32_t> all_rows(const FactStore& store, TableId table_id) {
  std::vector<std::uint32_t> rows(store.rows(table_id));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// A window from the first device activity on: what launched that came before it and belongs to it.
bool open_start(const Scope& scope, const Wall& wall) {
  return wall.basis == WallBasis::device && scope.within.empty() && scope.from.value_or(0) <= 0;
}

}  // namespace

bool rank_in_scope(const FactStore& store, std::uint32_t rank) {
  if (!store.scope.rank) return true;
  return rank < store.rows(table("ranks")) && store.small(column("ranks.id"), rank) == *store.scope.rank;
}

bool chooses_time(const Scope& scope) { return scope.steps || scope.from || scope.to || !scope.within.empty(); }

bool device_in_scope(const FactStore& store, std::uint32_t device) {
  if (store.scope.device && store.integer(column("devices.id"), device) != *store.scope.device) return false;
  return rank_in_scope(store, store.index(column("devices.rank"), device));
}

bool step_in_scope(const FactStore& store, std::uint32_t step, std::size_t position) {
  if (!store.scope.steps) return true;
  std::int64_t index = store.integer(column("steps.index"), step);
  if (index == absent_integer) index = static_cast<std::int64_t>(position);
  return index >= store.scope.steps->start && index < store.scope.steps->end;
}

std::vector<std::uint32_t> rows_in_part(const FactStore& store, TableId table_id) {
  return store.scope.any() ? rows_in_scope(store, table_id) : all_rows(store, table_id);
}

std::vector<std::uint32_t> rows_in_scope(const FactStore& store, TableId table_id) {
  // Steps that are set apart on their own account stay in their table: rules ask for them by kind.
  if (!store.scoped || (table_id == table("steps") && !store.scope.any())) return all_rows(store, table_id);
  std::vector<std::uint32_t> rows;
  if (table_id == table("devices") || table_id == table("ranks")) {
    const auto in_scope = table_id == table("devices") ? device_in_scope : rank_in_scope;
    for (std::uint32_t row = 0; row < store.rows(table_id); ++row)
      if (in_scope(store, row)) rows.push_back(row);
    return rows;
  }
  const RankSlots slots(store, table_id);
  const DecidingTime time(store, table_id);
  const auto device_column = column_named(table_id, "device");
  const bool references = device_column && info(*device_column).type == ColumnType::reference;
  const auto devices = references ? store.indices(*device_column) : std::span<const std::uint32_t>{};
  // What the host did belongs to every device.
  const bool rows_of_host =
      device_column && (info(*device_column).traits.absent_on_host || table_id == table("changes"));
  std::vector<bool> device_in(store.rows(table("devices")));
  for (std::uint32_t device = 0; device < device_in.size(); ++device)
    device_in[device] = device_in_scope(store, device);

  for (std::uint32_t row = 0; row < store.rows(table_id); ++row) {
    const std::uint32_t slot = slots[row];
    if (store.scope.rank && !rank_in_scope(store, slot)) continue;
    if (!devices.empty()) {
      // A row of an unknown device may belong to any: only a chosen device leaves it out.
      const bool left_out =
          devices[row] == absent_index ? store.scope.device.has_value() && !rows_of_host : !device_in[devices[row]];
      if (left_out) continue;
    }
    if (time.known() && slot < store.walls.size()) {
      const Wall& wall = store.walls[slot];
      const bool before = wall.window && time[row] < wall.window->start && open_start(store.scope, wall);
      if (!before && !wall.parts.contains(time[row])) continue;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace kdiag
