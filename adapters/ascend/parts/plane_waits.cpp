// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/plane_waits.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "base/text.hpp"

namespace kdiag::adapters::ascend {

void PlaneWaits::add_collective(const Span& collective) {
  groups_[collective.row].collectives.push_back(collective.start);
}

void PlaneWaits::add_part(const Span& part, std::string_view name, std::int64_t peer) {
  const std::string plain = lower(name);
  if (plain.find("record") != std::string::npos) return;  // a signal, which takes the time of none
  auto group = groups_.upper_bound(part.row);
  if (group == groups_.begin()) return;
  --group;
  if (group->first.first != part.row.first) return;
  const Deed deed = plain.find("wait") != std::string::npos       ? Deed::wait
                    : plain.find("rdmasend") != std::string::npos ? Deed::send
                                                                  : Deed::move;
  group->second.parts.push_back({part.start, add_times(part.start, part.dur), part.row, peer, deed});
}

void PlaneWaits::settle() {
  for (auto& [row, group] : groups_) group.settle();
}

void PlaneWaits::note(Longest& longest, std::int64_t dur, std::int64_t peer) {
  if (peer == longest.peer) longest.dur = std::max(longest.dur, dur);
  else if (dur > longest.dur) longest = {.dur = dur, .peer = peer, .next = longest.dur};
  else longest.next = std::max(longest.next, dur);
}

/// Once for all collectives: where they overlap, each would walk the parts of all others.
void PlaneWaits::Group::settle() {
  std::sort(collectives.begin(), collectives.end());
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
  longest.resize(collectives.size());
  std::vector<Interval> waiting, moving;
  std::set<Key> sent;  // planes, in the collective that began last
  auto collective = collectives.begin();
  for (const Part& part : parts) {
    for (; collective != collectives.end() && *collective <= part.start; ++collective) sent.clear();
    if (part.deed == Deed::send) sent.insert(part.plane);
    if (part.deed == Deed::move) sent.erase(part.plane);
    const bool waited = part.deed == Deed::wait && !sent.contains(part.plane);
    (waited ? waiting : moving).push_back({part.start, part.end});
    if (!waited) continue;
    waits.push_back(part.start);
    if (collective == collectives.begin()) continue;
    note(longest[static_cast<std::size_t>(collective - collectives.begin()) - 1], part.end - part.start, part.peer);
  }
  parts = {};
  idle = (IntervalSet::of(std::move(waiting)) - IntervalSet::of(std::move(moving))).intervals();
  idle_until.reserve(idle.size());
  for (const Interval& interval : idle)
    idle_until.push_back((idle_until.empty() ? 0 : idle_until.back()) + interval.length());
}

std::int64_t PlaneWaits::Group::idle_before(std::int64_t time) const {
  const auto begun =
      std::partition_point(idle.begin(), idle.end(), [time](const Interval& one) { return one.start < time; });
  if (begun == idle.begin()) return 0;
  const auto last = std::prev(begun);
  const std::int64_t after = std::max<std::int64_t>(0, last->end - time);
  return idle_until[static_cast<std::size_t>(last - idle.begin())] - after;
}

PlaneWaits::Longest PlaneWaits::Group::longest_in(std::int64_t collective) const {
  const auto behind = std::upper_bound(collectives.begin(), collectives.end(), collective);
  return behind == collectives.begin() ? Longest{}
                                       : longest[static_cast<std::size_t>(behind - collectives.begin()) - 1];
}

std::optional<PlaneWaits::Wait> PlaneWaits::in(const Span& collective) const {
  const auto found = groups_.find(collective.row);
  if (found == groups_.end()) return std::nullopt;
  const Group& group = found->second;
  const std::int64_t end = add_times(collective.start, collective.dur);
  const auto wait = std::lower_bound(group.waits.begin(), group.waits.end(), collective.start);
  // One kernel that does it all, or sends: what it waits is not recorded.
  if (wait == group.waits.end() || *wait >= end) return std::nullopt;
  Wait waited{.dur = group.idle_before(end) - group.idle_before(collective.start)};
  const Longest longest = group.longest_in(collective.start);
  const bool alone =
      longest.next < longest.dur - longest.dur / 10;  // judgement: who came last of two is not told by less
  if (longest.peer >= 0 && alone && longest.dur > waited.dur / 2) waited.peer = longest.peer;
  return waited;
}

std::int64_t peer_of(std::int64_t stated) {
  constexpr std::int64_t no_rank = 65'535, invalid = 4'294'967'295;  // of databases, of timelines
  return stated < 0 || stated == no_rank || stated == invalid ? -1 : stated;
}

void set_wait(Batch& batch, Row comm, const PlaneWaits::Wait& wait) {
  batch.set(comm, column("comms.waited"), wait.dur);
  if (wait.peer) batch.set(comm, column("comms.waited_for"), *wait.peer);
}

}  // namespace kdiag::adapters::ascend
