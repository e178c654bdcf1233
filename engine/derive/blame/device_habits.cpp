// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/device_habits.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"

namespace kdiag {
namespace {

constexpr std::int64_t short_kernel = 20'000;  // ns
constexpr std::size_t fewest_kernels = 20;

struct Habits {
  std::size_t kernels = 0, shorter = 0, launches = 0, waits = 0;
};

}  // namespace

std::vector<bool> bound_by_launches(const FactStore& store) {
  std::vector<Habits> habits(store.rows(table("devices")));
  const auto devices = store.indices(column("kernels.device"));
  const auto durs = store.integers(column("kernels.dur"));
  const auto classes = store.indices(column("kernels.class"));
  const std::uint32_t communication = store.strings.find("communication");
  if (!devices.empty() && !durs.empty())
    for (const std::uint32_t row : rows_in_scope(store, table("kernels"))) {
      if (devices[row] == absent_index || durs[row] < 0) continue;
      if (!classes.empty() && classes[row] == communication && communication != absent_index) continue;
      Habits& of = habits[devices[row]];
      ++of.kernels;
      if (durs[row] < short_kernel) ++of.shorter;
    }

  const auto threads = store.indices(column("api.thread"));
  const auto launches = store.indices(column("api.is_launch"));
  const auto waits = store.indices(column("api.is_sync"));
  if (!launches.empty() && !waits.empty()) {
    // Of threads that launch on a device; where no work is linked with its launch, all calls of the rank.
    std::vector<Habits> of_threads(store.rows(table("threads"))), of_ranks(rank_slot_count(store));
    const RankSlots slots(store, table("api"));
    const auto count = [&](Habits& of, std::uint32_t call) {
      if (launches[call] == 1) ++of.launches;
      else if (waits[call] == 1) ++of.waits;
    };
    for (const std::uint32_t call : rows_in_scope(store, table("api"))) {
      if (!threads.empty() && threads[call] != absent_index) count(of_threads[threads[call]], call);
      if (slots[call] < of_ranks.size()) count(of_ranks[slots[call]], call);
    }
    for (std::uint32_t device = 0; device < habits.size(); ++device) {
      const auto add = [&](const Habits& of) {
        habits[device].launches += of.launches;
        habits[device].waits += of.waits;
      };
      if (device < store.device_threads.size() && !store.device_threads[device].empty())
        for (const std::uint32_t thread : store.device_threads[device]) add(of_threads[thread]);
      else if (const std::uint32_t slot = rank_slot_of_device(store, device); slot < of_ranks.size())
        add(of_ranks[slot]);
    }
  }

  std::vector<bool> out;
  for (const Habits& of : habits)
    out.push_back((of.kernels >= fewest_kernels && 2 * of.shorter > of.kernels) ||
                  2 * of.waits > std::max(of.launches, of.kernels));
  return out;
}

}  // namespace kdiag
