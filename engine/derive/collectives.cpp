// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/collectives.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/facts/event_tables.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr std::size_t fewest_calls = 3;    // that show whether ends agree; judgement
constexpr std::int64_t same_end = 50'000;  // ns; ranks of one node end a collective within 10 us of each other
constexpr double most_calls = 0.9;         // of which the ends must agree; judgement

using CommRows = std::vector<std::uint32_t>;

struct CommCalls {
  explicit CommCalls(const FactStore& store)
      : op(store.indices(column("comms.op"))),
        group(store.indices(column("comms.group"))),
        rank(store.indices(column("comms.rank"))),
        seq(store.integers(column("comms.seq"))),
        peer(store.smalls(column("comms.peer"))),
        spans{store.integers(column("comms.start")), store.integers(column("comms.dur"))} {}

  std::uint32_t group_of(std::uint32_t row) const { return group.empty() ? absent_index : group[row]; }
  std::int64_t seq_of(std::uint32_t row) const { return seq.empty() ? absent_integer : seq[row]; }

  std::span<const std::uint32_t> op, group, rank;
  std::span<const std::int64_t> seq;
  std::span<const std::int32_t> peer;
  SpanColumns spans;
};

std::int64_t middle_of(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Whether the n-th calls of two ranks end together, but for a constant difference of their clocks.
bool ends_agree(const CommCalls& calls, const CommRows& one, const CommRows& other) {
  std::vector<std::int64_t> apart;
  for (std::size_t n = 0; n < one.size(); ++n) apart.push_back(calls.spans[other[n]]->end - calls.spans[one[n]]->end);
  const std::int64_t clocks = middle_of(apart);
  const auto agree =
      std::count_if(apart.begin(), apart.end(), [&](std::int64_t time) { return std::abs(time - clocks) <= same_end; });
  return static_cast<double>(agree) >= most_calls * static_cast<double>(apart.size());
}

/// CommCalls without sequence numbers, by rank and in their order.
void add_by_order(const CommCalls& calls, std::map<std::uint32_t, CommRows> by_rank, std::vector<CommRows>& matches) {
  if (by_rank.size() < 2) return;
  for (auto& [rank, rows] : by_rank)
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return calls.spans.start[a] < calls.spans.start[b]; });
  const CommRows& first = by_rank.begin()->second;
  if (first.size() < fewest_calls) return;
  for (const auto& [rank, rows] : by_rank)
    if (rows.size() != first.size() || !ends_agree(calls, first, rows)) return;
  for (std::size_t n = 0; n < first.size(); ++n) {
    CommRows match;
    for (const auto& [rank, rows] : by_rank) match.push_back(rows[n]);
    matches.push_back(std::move(match));
  }
}

/// The calls of each collective of several ranks.
std::vector<CommRows> matches_of(const FactStore& store) {
  const CommCalls calls(store);
  std::vector<CommRows> matches;
  if (calls.rank.empty() || calls.op.empty() || store.rows(table("ranks")) < 2) return matches;
  // Pairs that exchange data count for themselves, and their numbers are of their pair.
  const std::uint32_t pairs[] = {store.strings.find("send_recv"), store.strings.find("send"),
                                 store.strings.find("recv")};
  const std::uint32_t recv = pairs[2];
  const auto ids = store.smalls(column("ranks.id"));
  using Kind = std::pair<std::uint32_t, std::uint32_t>;                // group, operation
  using Path = std::tuple<std::uint32_t, std::int32_t, std::int32_t>;  // group, ids of the ranks that send and receive
  const std::uint32_t both = pairs[0];
  // Where a message goes is known of those that name the other end. What both ends call alike has no direction.
  const auto path_of = [&](std::uint32_t row, bool received) {
    std::int32_t from = ids[calls.rank[row]], to = calls.peer[row];
    if (calls.op[row] == both ? from > to : received) std::swap(from, to);
    return Path{calls.group_of(row), from, to};
  };
  std::map<std::tuple<Kind, std::int64_t>, CommRows> numbered;
  std::map<Kind, std::map<std::uint32_t, CommRows>> by_order;
  std::map<Path, std::map<std::uint32_t, CommRows>> by_path;
  for (std::uint32_t row = 0; row < calls.rank.size(); ++row) {
    if (calls.rank[row] == absent_index || calls.op[row] == absent_index) continue;
    const Kind kind{calls.group_of(row), calls.op[row]};
    const bool of_pairs = std::find(std::begin(pairs), std::end(pairs), calls.op[row]) != std::end(pairs);
    if (calls.seq_of(row) != absent_integer && !of_pairs) numbered[{kind, calls.seq_of(row)}].push_back(row);
    else if (!calls.spans[row]) continue;
    else if (of_pairs && !calls.peer.empty() && calls.peer[row] != absent_small && !ids.empty())
      by_path[path_of(row, calls.op[row] == recv)][calls.rank[row]].push_back(row);
    else by_order[kind][calls.rank[row]].push_back(row);
  }
  for (auto& [key, rows] : numbered) {
    std::set<std::uint32_t> ranks;
    for (const std::uint32_t row : rows) ranks.insert(calls.rank[row]);
    if (ranks.size() > 1) matches.push_back(std::move(rows));
  }
  for (auto& [kind, by_rank] : by_order) add_by_order(calls, std::move(by_rank), matches);
  for (auto& [path, by_rank] : by_path) add_by_order(calls, std::move(by_rank), matches);
  return matches;
}

/// How many times its size a collective sends over each link, of so many ranks: nccl-tests, PERFORMANCE.md.
std::optional<double> bus_factor(std::string_view op, double ranks) {
  if (op == "all_reduce") return 2 * (ranks - 1) / ranks;
  if (op == "all_gather" || op == "reduce_scatter" || op == "all_to_all") return (ranks - 1) / ranks;
  if (op == "broadcast" || op == "reduce") return 1;
  return std::nullopt;
}

bool is_collective(std::string_view op) { return op != "all_to_all" && bus_factor(op, 2).has_value(); }

/// Share of a call in which data moved, below which its rate is that of the clock's errors (judgement).
constexpr double least_moving = 0.05;

/// Of the time in which data moved: what a call waited for ranks that came later is no time of its links.
void set_bus_bandwidth(FactStore& store) {
  const auto bytes = store.integers(column("comms.bytes"));
  const auto dur = store.integers(column("comms.dur"));
  const auto waited = store.integers(column("comms.waited"));
  const auto ranks = store.smalls(column("comms.group_size"));
  if (bytes.empty() || dur.empty() || ranks.empty() || store.has(column("comms.bus_bw"))) return;
  std::vector<double> bandwidth(bytes.size(), absent_real);
  bool any = false;
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    const std::int64_t moving = dur[row] - (waited.empty() ? 0 : std::max<std::int64_t>(waited[row], 0));
    if (bytes[row] <= 0 || moving <= 0 || ranks[row] < 2) continue;
    if (static_cast<double>(moving) < least_moving * static_cast<double>(dur[row])) continue;
    const auto factor = bus_factor(store.text(column("comms.op"), row), ranks[row]);
    if (!factor) continue;
    bandwidth[row] = *factor * static_cast<double>(bytes[row]) / (static_cast<double>(moving) * 1e-9);
    any = true;
  }
  if (any) store.replace(column("comms.bus_bw"), std::move(bandwidth), "derived");
}

/// A transfer takes longer the more it moves (nccl-tests sweep sizes to show it), so that a call which outlasts one of
/// as much or more did something else meanwhile. Pairs reach other peers with each call, and are left out.
void set_stalled(FactStore& store) {
  const auto bytes = store.integers(column("comms.bytes"));
  const auto dur = store.integers(column("comms.dur"));
  const auto group = store.indices(column("comms.group"));
  const auto op = store.indices(column("comms.op"));
  if (bytes.empty() || dur.empty() || group.empty() || op.empty() || store.has(column("comms.stalled"))) return;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CommRows> alike;
  for (std::uint32_t row = 0; row < bytes.size(); ++row)
    if (bytes[row] > 0 && dur[row] > 0 && group[row] != absent_index && op[row] != absent_index &&
        is_collective(store.strings[op[row]]))
      alike[{group[row], op[row]}].push_back(row);
  std::vector<std::int64_t> stalled(bytes.size(), absent_integer);
  bool any = false;
  for (auto& [kind, rows] : alike) {
    if (rows.size() < 2) continue;
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(bytes[b], dur[a]) < std::pair(bytes[a], dur[b]);  // the largest first, the quickest of a size
    });
    std::int64_t quickest = latest_instant;
    for (const std::uint32_t row : rows) {
      quickest = std::min(quickest, dur[row]);
      stalled[row] = dur[row] - quickest;
      any = true;
    }
  }
  if (any) store.replace(column("comms.stalled"), std::move(stalled), "derived");
}

/// What a device did for most of a span.
class Deeds {
 public:
  Deeds(const FactStore& store, std::span<const DeviceTimeline> devices)
      : store_(store),
        devices_(devices),
        idle_(store.rows(table("idle"))),
        spans_{store.integers(column("idle.start")), store.integers(column("idle.dur"))},
        recorded_from_(first_events(store)) {
    for (std::uint32_t row = 0; row < idle_.size(); ++row) idle_[row] = row;
    const auto device = store.indices(column("idle.device"));
    std::erase_if(idle_, [&](std::uint32_t row) { return device.empty() || !spans_[row]; });
    std::stable_sort(idle_.begin(), idle_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(device[a], spans_.start[a]) < std::pair(device[b], spans_.start[b]);
    });
  }

  /// Empty where no deed fills more than half of the span.
  std::string of(std::uint32_t device, const Interval& span) const {
    const auto is_most = [&](std::int64_t time) { return time > span.length() - time; };
    if (is_most(devices_[device].during(WorkKind::compute).covered(span))) return "compute";
    const auto of_device = store_.indices(column("idle.device"));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> times;  // by blame and culprit
    std::map<std::uint32_t, std::int64_t> of_blame;
    auto row = std::partition_point(idle_.begin(), idle_.end(), [&](std::uint32_t r) {
      return std::pair(of_device[r], spans_[r]->end) <= std::pair(device, span.start);
    });
    for (; row != idle_.end() && of_device[*row] == device && spans_.start[*row] < span.end; ++row) {
      const Interval part{std::max(span.start, spans_.start[*row]), std::min(span.end, spans_[*row]->end)};
      const std::uint32_t blame = store_.index(column("idle.blame"), *row);
      if (blame == absent_index || part.length() <= 0) continue;
      times[{blame, store_.index(column("idle.culprit"), *row)}] += part.length();
      of_blame[blame] += part.length();
    }
    for (const auto& [deed, time] : times)
      if (is_most(time) && deed.second != absent_index)
        return std::string(store_.strings[deed.first]) + ": " + std::string(store_.strings[deed.second]);
    for (const auto& [blame, time] : of_blame)
      if (is_most(time)) return std::string(store_.strings[blame]);
    const std::uint32_t slot = rank_slot_of_device(store_, device);
    if (slot >= recorded_from_.size()) return "";
    return is_most(std::min(recorded_from_[slot], span.end) - span.start) ? "before its recording" : "";
  }

 private:
  /// When the recording of each rank slot begins.
  static std::vector<std::int64_t> first_events(const FactStore& store) {
    std::vector<std::int64_t> first(rank_slot_count(store), latest_instant);
    for (const EventTable& events : event_tables) {
      const auto starts = store.integers(events.start);
      const RankSlots slots(store, events.table);
      for (std::size_t row = 0; row < starts.size(); ++row)
        if (const std::uint32_t slot = slots[row]; slot < first.size() && is_instant(starts[row]))
          first[slot] = std::min(first[slot], starts[row]);
    }
    return first;
  }

  const FactStore& store_;
  std::span<const DeviceTimeline> devices_;
  CommRows idle_;  ///< by device and start
  SpanColumns spans_;
  std::vector<std::int64_t> recorded_from_;  ///< by rank slot
};

/// What an input states that its calls waited is not overwritten by what is concluded from their lengths.
void set_matches(FactStore& store) {
  if (store.has(column("comms.match"))) return;
  const std::vector<CommRows> matches = matches_of(store);
  if (matches.empty()) return;
  const auto dur = store.integers(column("comms.dur"));
  const auto stated = store.integers(column("comms.waited"));
  std::vector<std::int64_t> number(store.rows(table("comms")), absent_integer), waited(number);
  std::copy(stated.begin(), stated.end(), waited.begin());
  for (std::size_t m = 0; m < matches.size(); ++m) {
    std::int64_t shortest = latest_instant;
    for (const std::uint32_t row : matches[m]) {
      number[row] = static_cast<std::int64_t>(m);
      if (!dur.empty() && dur[row] >= 0) shortest = std::min(shortest, dur[row]);
    }
    for (const std::uint32_t row : matches[m])
      if (!dur.empty() && dur[row] >= 0 && waited[row] == absent_integer) waited[row] = dur[row] - shortest;
  }
  store.replace(column("comms.match"), std::move(number), "derived");
  if (dur.empty()) return;
  const std::string by(stated.empty() ? "derived" : store.provider(column("comms.waited")));
  store.replace(column("comms.waited"), std::move(waited), by);
}

}  // namespace

void match_collectives(FactStore& store) {
  set_matches(store);
  set_stalled(store);
  set_bus_bandwidth(store);
}

void blame_late_ranks(FactStore& store, std::span<const DeviceTimeline> devices) {
  const auto match = store.integers(column("comms.match"));
  const auto device = store.indices(column("comms.device"));
  const SpanColumns spans{store.integers(column("comms.start")), store.integers(column("comms.dur"))};
  if (match.empty() || device.empty() || spans.empty() || store.has(column("comms.late_for"))) return;
  struct Lengths {
    std::int64_t shortest = latest_instant, longest = 0;
  };
  std::map<std::int64_t, Lengths> of_match;
  for (std::uint32_t row = 0; row < match.size(); ++row) {
    if (match[row] == absent_integer || spans.dur[row] < 0) continue;
    Lengths& lengths = of_match[match[row]];
    lengths = {std::min(lengths.shortest, spans.dur[row]), std::max(lengths.longest, spans.dur[row])};
  }
  const Deeds deeds(store, devices);
  std::vector<std::pair<std::uint32_t, std::string>> found;
  for (std::uint32_t row = 0; row < match.size(); ++row) {
    if (match[row] == absent_integer || device[row] == absent_index || !spans[row]) continue;
    const Lengths& lengths = of_match[match[row]];
    const std::int64_t wait = lengths.longest - lengths.shortest;  // of the first rank for the last
    if (spans.dur[row] != lengths.shortest || wait == 0 || !is_instant(spans[row]->start - wait)) continue;
    found.emplace_back(row, deeds.of(device[row], {spans[row]->start - wait, spans[row]->start}));
  }
  std::erase_if(found, [](const auto& entry) { return entry.second.empty(); });
  if (found.empty()) return;
  std::vector<std::uint32_t>& column_of = store.mutable_indices(column("comms.late_for"), "derived");
  for (const auto& [row, text] : found) column_of[row] = store.strings.intern(text);
}

}  // namespace kdiag
