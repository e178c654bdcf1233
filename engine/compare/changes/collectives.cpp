// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/collectives.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

constexpr double waits_for_nobody = 0.1;  // the part of the durations that does not wait for late ranks (judgement)

/// An operation and its size; of kernels their name and no size.
using CollectiveKey = std::pair<std::string_view, std::int64_t>;
using Durations = std::map<CollectiveKey, std::vector<double>>;

struct Collectives {
  Durations durations;
  std::size_t devices = 1;  ///< that take part
};

bool is_collective(const FactStore& store, std::uint32_t kernel) {
  return store.text(column("kernels.class"), kernel) == "communication";
}

void add_duration(Durations& durations, const CollectiveKey& key, std::int64_t dur) {
  if (dur != absent_integer && dur >= 0 && !key.first.empty()) durations[key].push_back(static_cast<double>(dur));
}

Collectives collectives_of(const FactStore& store, const PlacedRows& rows, bool by_size, CancelFlag cancel) {
  Collectives out;
  std::set<std::uint32_t> devices;
  for (const std::uint32_t row : rows.of_rank(table("kernels"), absent_index)) {
    stop_if(cancel);
    if (!is_collective(store, row)) continue;
    devices.insert(store.index(column("kernels.device"), row));
    if (!by_size)
      add_duration(out.durations, {store.text(column("kernels.name"), row), 0},
                   store.integer(column("kernels.dur"), row));
  }
  devices.erase(absent_index);
  out.devices = std::max<std::size_t>(1, devices.size());
  if (!by_size) return out;
  for (const std::uint32_t row : rows.of_rank(table("comms"), absent_index)) {
    stop_if(cancel);
    const std::int64_t bytes = store.integer(column("comms.bytes"), row);
    if (bytes != absent_integer)
      add_duration(out.durations, {store.text(column("comms.op"), row), bytes},
                   store.integer(column("comms.dur"), row));
  }
  return out;
}

bool any_size(const FactStore& store, const PlacedRows& rows) {
  const auto comms = rows.of_rank(table("comms"), absent_index);
  return std::any_of(comms.begin(), comms.end(),
                     [&](std::uint32_t row) { return store.integer(column("comms.bytes"), row) != absent_integer; });
}

bool runs_collectives(const ComparedRuns& runs, const ComparedPlace& place) {
  const auto kernels = runs.rows.on_device(table("kernels"), place.device);
  return std::any_of(kernels.begin(), kernels.end(), [&](std::uint32_t row) { return is_collective(runs.run, row); });
}

double fastest(const std::vector<double>& durations, std::size_t devices) {
  return statistics::quantile(durations, waits_for_nobody / static_cast<double>(devices));
}

}  // namespace

CollectiveChanges::CollectiveChanges(const ComparedRuns& runs)
    : runs_(runs), by_size_(any_size(runs.run, runs.rows) && any_size(runs.baseline, runs.rows_before)) {
  const Collectives now = collectives_of(runs.run, runs.rows, by_size_, runs.cancel);
  const Collectives before = collectives_of(runs.baseline, runs.rows_before, by_size_, runs.cancel);
  for (const auto& [key, durations] : now.durations) {
    stop_if(runs.cancel);
    const auto other = before.durations.find(key);
    if (other == before.durations.end()) continue;
    Change change{.kind = ChangeRowKind::collective,
                  .name = std::string(key.first),
                  .group = "communication",
                  .basis = by_size_ ? ChangeBasis::size : ChangeBasis::name,
                  .present = ChangePresent::both,
                  .calls = static_cast<double>(durations.size()) / static_cast<double>(now.devices),
                  .calls_before = static_cast<double>(other->second.size()) / static_cast<double>(before.devices),
                  .each = fastest(durations, now.devices),
                  .each_before = fastest(other->second, before.devices)};
    if (by_size_) change.value = change.value_before = static_cast<double>(key.second);
    found_.push_back(std::move(change));
  }
}

LikeForLike CollectiveChanges::on(const ComparedPlace& place) const {
  LikeForLike out;
  const bool takes_part = runs_collectives(runs_, place);
  out.known = by_size_ || (runs_.run.present(table("kernels")) && !takes_part);
  if (!takes_part && runs_.rows.on_device(table("comms"), place.device).empty()) return out;
  for (Change change : found_) {
    change.device = place.device;
    change.rank = place.rank;
    change.calls_before = times(change.calls_before, place.repetitions);
    if (by_size_) change.alike = true;
    else if (change.calls_before) change.alike = about_as_often(*change.calls, *change.calls_before);
    set_shares(change, change.calls, place.wall);
    out.rows.push_back(std::move(change));
  }
  out.known = out.known || !out.rows.empty();
  return out;
}

}  // namespace kdiag
