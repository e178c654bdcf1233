// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/slow_launches.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/derive/rows/paint.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/timeline/call_nature.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// Which slow launches are first ones: by row of `api`.
class FirstLaunches {
 public:
  /// `slow` holds the slow launches by call.
  FirstLaunches(const FactStore& store, const std::unordered_map<std::uint32_t, std::int64_t>& slow) {
    const auto launches = store.indices(column("kernels.launch"));
    const auto names = store.indices(column("kernels.name"));
    const auto devices = store.indices(column("kernels.device"));
    const auto starts = store.integers(column("api.start"));
    if (launches.empty() || names.empty() || starts.empty()) return;
    const auto key_of = [&](std::size_t row) {
      return std::pair(names[row], devices.empty() ? absent_index : devices[row]);
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Launches> kernels;  // by name and device, of slow launches
    std::vector<bool> is_slow(store.strings.size());
    for (std::size_t row = 0; row < launches.size(); ++row) {
      if (launches[row] == absent_index || names[row] == absent_index || !slow.contains(launches[row])) continue;
      Launches& of = kernels.try_emplace(key_of(row)).first->second;
      const std::int64_t start = starts[launches[row]];
      of.first_slow = std::min(of.first_slow, start);
      of.last_slow = std::max(of.last_slow, start);
      is_slow[names[row]] = true;
    }
    if (kernels.empty()) return;
    for (std::size_t row = 0; row < launches.size(); ++row) {
      if (launches[row] == absent_index || names[row] == absent_index || !is_slow[names[row]]) continue;
      const auto found = kernels.find(key_of(row));
      if (found != kernels.end()) found->second.first = std::min(found->second.first, starts[launches[row]]);
    }
    for (std::size_t row = 0; row < launches.size(); ++row) {
      if (launches[row] == absent_index || names[row] == absent_index || !slow.contains(launches[row])) continue;
      const Launches& of = kernels.at(key_of(row));
      bool& first = first_.try_emplace(launches[row], false).first->second;
      first = first || (of.first_slow == of.last_slow && of.first == starts[launches[row]]);
    }
  }

  /// Whether kernels of the launch are known.
  bool knows(std::uint32_t call) const { return first_.contains(call); }
  bool operator[](std::uint32_t call) const { return first_.at(call); }

 private:
  struct Launches {
    std::int64_t first = latest_instant, first_slow = latest_instant, last_slow = -latest_instant;
  };
  std::unordered_map<std::uint32_t, bool> first_;
};

}  // namespace

std::vector<BlameClaims> slow_launches(const FactStore& store, CancelFlag cancel) {
  std::vector<BlameClaims> by_thread(store.rows(table("threads")));
  const SpanColumns spans{store.integers(column("api.start")), store.integers(column("api.dur"))};
  const auto threads = store.indices(column("api.thread"));
  const auto is_launch = store.indices(column("api.is_launch"));
  if (spans.empty() || threads.empty() || is_launch.empty()) return by_thread;
  CallNatures natures(store);
  std::unordered_map<std::uint32_t, std::int64_t> launches;  // slow ones: start by call
  for (std::uint32_t call = 0; call < is_launch.size(); ++call) {
    if (is_launch[call] != 1 || threads[call] == absent_index || spans.dur[call] <= slow_copy) continue;
    const auto span = spans[call];
    if (!span) continue;
    const CallNature nature = natures.of(call);
    if (nature == CallNature::fill || (nature != CallNature::copy && span->length() <= slow_launch)) continue;
    const bool copy = nature == CallNature::copy;
    by_thread[threads[call]].push_back(
        {*span, copy ? Blame::copy_call : Blame::slow_call, store.index(column("api.name"), call), call});
    if (!copy) launches.emplace(call, span->start);
  }
  stop_if(cancel);
  if (!launches.empty()) {
    const FirstLaunches first(store, launches);
    const RankSlots slots(store, table("api"));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> unknown;  // calls by name and rank slot
    const auto key_of = [&](std::uint32_t call) {
      return std::pair(store.index(column("api.name"), call), slots[call]);
    };
    for (const auto& [call, start] : launches)
      if (!first.knows(call)) ++unknown[key_of(call)];
    for (BlameClaims& claims : by_thread)
      for (BlameClaim& claim : claims) {
        if (claim.blame != Blame::slow_call) continue;
        const bool is_first = first.knows(claim.call) ? first[claim.call] : unknown.at(key_of(claim.call)) == 1;
        if (is_first) claim.blame = Blame::first_use;
        const std::uint32_t op = store.index(column("api.op"), claim.call);
        if (op != absent_index) claim.culprit = store.index(column("ops.name"), op);
      }
  }
  for (BlameClaims& claims : by_thread) {
    std::stable_sort(claims.begin(), claims.end(), begins_earlier);
    BlameClaims disjoint;
    paint(disjoint, claims);
    claims = std::move(disjoint);
  }
  return by_thread;
}

}  // namespace kdiag
