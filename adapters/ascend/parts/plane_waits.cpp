// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/plane_waits.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "base/intervals.hpp"
#include "base/text.hpp"

namespace kdiag::adapters::ascend {

void PlaneWaits::add_part(const Span& part, std::string_view name) {
  const std::string plain = lower(name);
  if (plain.find("record") != std::string::npos) return;  // a signal, which takes the time of none
  auto group = groups_.upper_bound(part.row);
  if (group == groups_.begin()) return;
  --group;
  if (group->first.first != part.row.first) return;
  const Deed deed = plain.find("wait") != std::string::npos       ? Deed::wait
                    : plain.find("rdmasend") != std::string::npos ? Deed::send
                                                                  : Deed::move;
  group->second.push_back({part.start, add_times(part.start, part.dur), part.row, deed});
}

void PlaneWaits::settle() {
  for (auto& [row, parts] : groups_)
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
}

std::optional<std::int64_t> PlaneWaits::in(const Span& collective) const {
  const auto group = groups_.find(collective.row);
  if (group == groups_.end()) return std::nullopt;
  const Interval whole{collective.start, add_times(collective.start, collective.dur)};
  const std::vector<Part>& parts = group->second;
  auto part = std::partition_point(parts.begin(), parts.end(),
                                   [&whole](const Part& other) { return other.start < whole.start; });
  if (part == parts.end() || part->start >= whole.end) return std::nullopt;
  std::vector<Interval> waiting, moving;
  std::set<Key> sent;  // planes
  for (; part != parts.end() && part->start < whole.end; ++part) {
    if (part->deed == Deed::send) sent.insert(part->plane);
    if (part->deed == Deed::move) sent.erase(part->plane);
    const bool waits = part->deed == Deed::wait && !sent.contains(part->plane);
    (waits ? waiting : moving).push_back({part->start, part->end});
  }
  if (waiting.empty()) return std::nullopt;  // one kernel that does it all, or sends: what it waits is not recorded
  return ((IntervalSet::of(std::move(waiting)) - IntervalSet::of(std::move(moving))) & IntervalSet(whole)).length();
}

}  // namespace kdiag::adapters::ascend
