// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/peers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "engine/derive/fleet/robust.hpp"

namespace kdiag::fleet {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// How many calls a rank makes in its middle step.
std::uint32_t calls_in_a_step(const Barriers& barriers, std::size_t rank) {
  std::map<std::uint32_t, std::uint32_t> by_step;
  for (std::size_t i = barriers.first[rank]; i < barriers.first[rank + 1]; ++i)
    if (barriers.calls[i].step != no_step) ++by_step[barriers.calls[i].step];
  std::vector<double> counts;
  for (const auto& [step, count] : by_step) counts.push_back(count);
  return counts.empty() ? 0 : static_cast<std::uint32_t>(middle(counts));
}

/// The middle of the calls of each bucket, set for all of them; `bucket` gives that of a call, absent_index for none.
template <class Bucket>
std::vector<std::int64_t> middle_calls(const Barriers& barriers, std::size_t buckets, Bucket bucket) {
  std::vector<std::int64_t> middles;
  for (const Call& call : barriers.calls) middles.push_back(call.local);
  std::vector<std::size_t> end(buckets + 1, 0);
  for (std::size_t i = 0; i < barriers.calls.size(); ++i)
    if (const std::size_t at = bucket(i); at != buckets) ++end[at + 1];
  for (std::size_t b = 0; b < buckets; ++b) end[b + 1] += end[b];
  std::vector<double> sorted(end[buckets]);
  std::vector<std::size_t> next(end.begin(), end.end() - 1);
  for (std::size_t i = 0; i < barriers.calls.size(); ++i)
    if (const std::size_t at = bucket(i); at != buckets)
      sorted[next[at]++] = static_cast<double>(barriers.calls[i].local);
  std::vector<std::int64_t> of_bucket(buckets, absent_integer);
  for (std::size_t b = 0; b < buckets; ++b)
    if (end[b + 1] - end[b] >= fewest_peers)
      of_bucket[b] = std::llround(middle(std::span(sorted).subspan(end[b], end[b + 1] - end[b])));
  for (std::size_t i = 0; i < barriers.calls.size(); ++i)
    if (const std::size_t at = bucket(i); at != buckets && of_bucket[at] != absent_integer) middles[i] = of_bucket[at];
  return middles;
}

}  // namespace

LocalWork::LocalWork(const FactStore& store, const Barriers& barriers)
    : steps_(barriers.steps.size()), work_(barriers.ranks() * steps_, nothing) {
  for (std::size_t rank = 0; rank < barriers.ranks(); ++rank)
    for (std::size_t i = barriers.first[rank]; i < barriers.first[rank + 1]; ++i) {
      if (barriers.calls[i].step == no_step) continue;
      double& work = work_[rank * steps_ + barriers.calls[i].step];
      work = (std::isnan(work) ? 0 : work) + static_cast<double>(barriers.calls[i].local);
    }
  find_peers(store, barriers);
  find_usual_work();
  find_calls(barriers);
}

void LocalWork::find_peers(const FactStore& store, const Barriers& barriers) {
  std::map<std::pair<std::int64_t, std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t rank = 0; rank < barriers.ranks(); ++rank) {
    const auto [at, made] = known.try_emplace({stage_of(store, rank), calls_in_a_step(barriers, rank)},
                                              static_cast<std::uint32_t>(peers_.size()));
    if (made) peers_.emplace_back();
    peers_[at->second].ranks.push_back(rank);
    of_rank_.push_back(at->second);
  }
}

void LocalWork::find_usual_work() {
  excess_.assign(of_rank_.size(), nothing);
  std::vector<double> values;
  for (Peers& peers : peers_) {
    std::vector<double> typical;
    for (std::size_t step = 0; step < steps_; ++step) {
      values.clear();
      for (const std::uint32_t rank : peers.ranks)
        if (!std::isnan(of(rank, step))) values.push_back(of(rank, step));
      peers.usual.push_back(values.empty() ? nothing : middle(values));
      if (!values.empty()) typical.push_back(peers.usual.back());
    }
    if (!typical.empty()) peers.typical = middle(typical);
    if (!peers.judged()) continue;
    for (const std::uint32_t rank : peers.ranks) {
      values.clear();
      for (std::size_t step = 0; step < steps_; ++step)
        if (!std::isnan(of(rank, step))) values.push_back((of(rank, step) - peers.usual[step]) / peers.typical);
      if (!values.empty()) excess_[rank] = middle(values);
    }
  }
}

double LocalWork::excess(std::uint32_t rank, std::size_t step) const {
  const Peers& peers = peers_[of_rank_[rank]];
  return (of(rank, step) - peers.usual[step]) / peers.typical;
}

void LocalWork::find_calls(const Barriers& barriers) {
  // A bucket for each place in a step of each kind of ranks: those of a step, then the next.
  std::vector<std::uint32_t> places(peers_.size(), 0);
  std::vector<std::uint32_t> rank_of(barriers.calls.size());
  for (std::uint32_t rank = 0; rank < barriers.ranks(); ++rank)
    for (std::size_t i = barriers.first[rank]; i < barriers.first[rank + 1]; ++i) {
      rank_of[i] = rank;
      if (barriers.calls[i].step != no_step)
        places[of_rank_[rank]] = std::max(places[of_rank_[rank]], barriers.calls[i].place + 1);
    }
  std::vector<std::size_t> base(peers_.size() + 1, 0);
  for (std::size_t p = 0; p < peers_.size(); ++p) base[p + 1] = base[p] + places[p];
  const std::size_t all_places = base.back();
  const auto place_of = [&](std::size_t i) { return base[of_rank_[rank_of[i]]] + barriers.calls[i].place; };
  usual_calls_ = middle_calls(barriers, all_places * steps_, [&](std::size_t i) {
    return barriers.calls[i].step == no_step ? all_places * steps_ : barriers.calls[i].step * all_places + place_of(i);
  });
  typical_calls_ = middle_calls(barriers, all_places, [&](std::size_t i) {
    return barriers.calls[i].step == no_step ? all_places : place_of(i);
  });
}

}  // namespace kdiag::fleet
