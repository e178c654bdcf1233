// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/ledger.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/derive/steps/excluded_steps.hpp"
#include "engine/derive/timeline/host_states.hpp"
#include "engine/facts/input_cut.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

std::string idle_line(IdleCause cause) { return "idle." + std::string(name_of(cause)); }

LedgerEntry entry_of(const FactStore& store, std::uint32_t device, LedgerBasis basis) {
  LedgerEntry entry;
  entry.basis = basis;
  if (const std::int64_t id = store.integer(column("devices.id"), device); id != absent_integer) entry.device = id;
  if (const std::uint32_t rank = store.index(column("devices.rank"), device); rank != absent_index)
    if (const std::int32_t id = store.small(column("ranks.id"), rank); id != absent_small) entry.rank = id;
  return entry;
}

/// Adds the shares, of the wall or of the sum.
LedgerEntry finished(LedgerEntry entry, std::int64_t whole) {
  entry.wall_ns = whole;
  if (whole > 0)
    for (LedgerLine& line : entry.lines) line.share = static_cast<double>(line.ns) / static_cast<double>(whole);
  return entry;
}

LedgerLine measured(std::string name, std::int64_t ns) {
  return {.name = std::move(name), .ns = ns, .low_ns = ns, .share = {}, .rule = {}, .high_ns = {}};
}

/// Idle time by device row and cause.
std::vector<std::array<std::int64_t, idle_causes>> idle_by_cause(const FactStore& store) {
  std::vector<std::array<std::int64_t, idle_causes>> sums(store.rows(table("devices")));
  std::array<std::uint32_t, idle_causes> ids{};
  for (std::size_t c = 0; c < idle_causes; ++c) ids[c] = store.strings.find(name_of(static_cast<IdleCause>(c)));
  const auto device = store.indices(column("idle.device"));
  const auto cause = store.indices(column("idle.cause"));
  const auto dur = store.integers(column("idle.dur"));
  for (std::size_t row = 0; row < dur.size(); ++row) {
    if (device.empty() || device[row] == absent_index || dur[row] < 0) continue;
    std::size_t at = static_cast<std::size_t>(IdleCause::unknown);
    if (!cause.empty() && cause[row] != absent_index)
      at = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), cause[row]) - ids.begin());
    std::int64_t& sum = sums[device[row]][std::min(at, idle_causes - 1)];
    sum = add_times(sum, dur[row]);
  }
  return sums;
}

LedgerEntry timeline_entry(const FactStore& store, std::uint32_t device, const DeviceTimeline& timeline,
                           const Wall& wall, const std::array<std::int64_t, idle_causes>& idle) {
  LedgerEntry entry = entry_of(store, device, LedgerBasis::timeline);
  if (timeline.work.empty()) {
    entry.lines.push_back(measured(idle_line(IdleCause::no_work), wall.length));
    return finished(std::move(entry), wall.length);
  }
  constexpr std::array<std::string_view, work_kinds> names = {"compute", "communication", "copy", "memset"};
  std::array<const IntervalSet*, work_kinds> order{};
  for (std::size_t k = 0; k < work_kinds; ++k) order[k] = &timeline.active[k];
  const std::vector<IntervalSet> parts = exclusive(order);
  for (std::size_t k = 0; k < work_kinds; ++k)
    entry.lines.push_back(measured(std::string(names[k]), (parts[k] & wall.parts).length()));
  // An input can state idle time itself, too much of it or too little: the lines are of the wall all the same.
  std::int64_t left = wall.length;
  for (const LedgerLine& line : entry.lines) left -= line.ns;
  for (std::size_t c = 0; c < idle_causes; ++c) {
    const std::int64_t ns = c == static_cast<std::size_t>(IdleCause::unknown) ? left : std::min(idle[c], left);
    entry.lines.push_back(measured(idle_line(static_cast<IdleCause>(c)), ns));
    left -= ns;
  }
  return finished(std::move(entry), wall.length);
}

/// The largest inclusive host time of an operator that waits for the device to hand a value to the host; the
/// outermost of them holds the others. Names: PyTorch's operators that imply a synchronisation.
std::int64_t blocking_operator_time(const FactStore& store, std::uint32_t slot) {
  constexpr std::string_view blocking[] = {
      "aten::item",     "aten::_local_scalar_dense", "aten::is_nonzero", "aten::nonzero",
      "aten::equal",    "aten::masked_select",       "aten::unique",     "aten::_unique",
      "aten::_unique2", "aten::unique_consecutive",  "aten::unique_dim"};
  const auto total = store.integers(column("op_stats.host_total"));
  const RankSlots slots(store, table("op_stats"));
  std::int64_t longest = 0;
  for (std::uint32_t row = 0; row < total.size(); ++row) {
    if (slots[row] != slot && slots[row] != absent_index) continue;
    const std::string_view name = store.text(column("op_stats.name"), row);
    if (std::find(std::begin(blocking), std::end(blocking), name) != std::end(blocking))
      longest = std::max(longest, total[row]);
  }
  return longest;
}

std::optional<LedgerEntry> phases_entry(const FactStore& store, std::uint32_t device, const Wall& wall,
                                        std::uint32_t slot) {
  std::map<std::string_view, std::int64_t> stated;
  const auto dur = store.integers(column("phases.dur"));
  for (std::uint32_t row = 0; row < dur.size(); ++row) {
    if (store.index(column("phases.device"), row) != device || !span_of(0, dur[row])) continue;
    const std::uint32_t step = store.index(column("phases.step"), row);
    if (step != absent_index && !step_in_scope(store, step, step)) continue;
    std::int64_t& sum = stated[store.text(column("phases.kind"), row)];
    sum = add_times(sum, dur[row]);
  }
  if (stated.empty()) return std::nullopt;
  // Sums that are no times are held at the edge of the range; the wall is one of them, and no line goes beyond it.
  std::int64_t left = wall.length;
  for (auto& [phase, dur_of] : stated) {
    dur_of = std::min(dur_of, left);
    left -= dur_of;
  }
  LedgerEntry entry = entry_of(store, device, LedgerBasis::phases);
  std::int64_t device_time = 0;
  constexpr std::pair<std::string_view, std::string_view> work[] = {
      {"kernel", "compute"}, {"communication", "communication"}, {"memcpy", "copy"}, {"memset", "memset"}};
  for (auto [phase, line] : work)
    if (auto found = stated.find(phase); found != stated.end()) {
      entry.lines.push_back(measured(std::string(line), found->second));
      device_time += found->second;
    }
  if (auto found = stated.find("runtime"); found != stated.end()) {
    // The operator's time bounds the wait from above; the device was busy during at most all of its own time in it.
    const std::int64_t blocked = blocking_operator_time(store, slot);
    const std::int64_t sync = std::min(found->second, blocked);
    LedgerLine line = measured(idle_line(IdleCause::host_sync), sync);
    line.low_ns = std::clamp<std::int64_t>(blocked - device_time, 0, sync);
    LedgerLine rest = measured(idle_line(IdleCause::runtime), found->second - sync);
    if (line.low_ns < sync) rest.high_ns = found->second - line.low_ns;
    entry.lines.push_back(std::move(line));
    entry.lines.push_back(std::move(rest));
  }
  constexpr std::pair<std::string_view, IdleCause> host[] = {{"dataloader", IdleCause::data_loading},
                                                             {"cpu", IdleCause::launch}};
  for (auto [phase, cause] : host)
    if (auto found = stated.find(phase); found != stated.end())
      entry.lines.push_back(measured(idle_line(cause), found->second));
  // Not known is what the input calls so, phases without a kind, and what it states of the step and of none of its
  // phases.
  std::int64_t unknown = wall.length;
  for (const LedgerLine& line : entry.lines) unknown -= line.ns;
  if (unknown > 0 || stated.contains("other")) entry.lines.push_back(measured(idle_line(IdleCause::unknown), unknown));
  return finished(std::move(entry), wall.length);
}

/// What a row of totals is called in the account. Rows without a name are what their table has beside those it lists.
std::string kernel_line(const FactStore& store, std::uint32_t row) {
  if (store.text(column("kernel_stats.name"), row).empty()) return "kernel.not_listed";
  const std::string_view name = store.text(column("kernel_stats.class"), row);
  return "kernel." + std::string(name.empty() ? "other" : name);
}

/// Totals added up. A device whose kernels are not stated has no account: how much its copies are of its time is not
/// known then.
std::optional<LedgerEntry> serial_entry(const FactStore& store, std::uint32_t device) {
  std::map<std::string, std::int64_t> lines;
  std::int64_t whole = 0;
  const auto add_row = [&](const std::string& line, std::int64_t total) {
    lines[line] += total;
    whole += total;
  };
  const auto kernels = store.integers(column("kernel_stats.total"));
  for (std::uint32_t row = 0; row < kernels.size(); ++row)
    if (store.index(column("kernel_stats.device"), row) == device && span_of(whole, kernels[row]))
      add_row(kernel_line(store, row), kernels[row]);
  if (lines.empty()) return std::nullopt;
  const auto copies = store.integers(column("copy_stats.total"));
  for (std::uint32_t row = 0; row < copies.size(); ++row)
    if (store.index(column("copy_stats.device"), row) == device && span_of(whole, copies[row]))
      add_row("copy", copies[row]);
  LedgerEntry entry = entry_of(store, device, LedgerBasis::serial);
  for (const auto& [name, ns] : lines) entry.lines.push_back(measured(name, ns));
  std::stable_sort(entry.lines.begin(), entry.lines.end(),
                   [](const LedgerLine& a, const LedgerLine& b) { return a.ns > b.ns; });
  return finished(std::move(entry), whole);
}

}  // namespace

std::vector<LedgerEntry> derive_ledger(const FactStore& store, std::span<const DeviceTimeline> devices) {
  std::vector<LedgerEntry> entries;
  const bool timed =
      std::any_of(devices.begin(), devices.end(), [](const DeviceTimeline& device) { return !device.work.empty(); });
  const auto idle = idle_by_cause(store);
  const bool cut = input_was_cut(store);
  const TimedSteps steps(store);
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (slot >= store.walls.size() || !device_in_scope(store, device)) continue;
    const Wall& wall = store.walls[slot];
    if (timed && wall.window) {
      entries.push_back(timeline_entry(store, device, devices[device], wall, idle[device]));
      entries.back().one_off = excluded_steps(store, steps, slot);
      entries.back().cut = cut;
    } else if (auto phases = phases_entry(store, device, wall, slot)) {
      entries.push_back(std::move(*phases));
    } else if (auto serial = serial_entry(store, device)) {
      entries.push_back(std::move(*serial));
      entries.back().cut = cut || table_was_shortened(store);
    }
  }
  return entries;
}

}  // namespace kdiag
