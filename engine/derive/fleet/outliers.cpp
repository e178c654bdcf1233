// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/fleet/barriers.hpp"
#include "engine/derive/fleet/causes.hpp"
#include "engine/derive/fleet/modes.hpp"
#include "engine/derive/fleet/outlier_rows.hpp"
#include "engine/derive/fleet/peer_clocks.hpp"
#include "engine/derive/fleet/peers.hpp"
#include "engine/derive/fleet/pipeline_outliers.hpp"
#include "engine/derive/fleet/replay.hpp"
#include "engine/derive/fleet/robust.hpp"
#include "engine/derive/fleet/transfers.hpp"

namespace kdiag {
namespace fleet {
namespace {

constexpr std::size_t fewest_hosts = 3;       // of which one can stand out; judgement
constexpr std::size_t fewest_steps = 5;       // as many as warm-up is told by (steps.hpp)
constexpr std::size_t fewest_of_moments = 3;  // of which the middle one of a rank is not the late one
constexpr double step_noise = 0.02;           // shares of the typical time below which differences are noise; judgement
constexpr double link_noise = 0.05;
constexpr double far_off = 8;  // robust deviations of a single rank in a single step; judgement

/// By rank row: for how long it communicates with nothing beside it; absent_integer where that is not known.
std::vector<std::int64_t> exposed_communication(const FactStore& store) {
  const auto kind = store.indices(column("phases.kind"));
  const auto dur = store.integers(column("phases.dur"));
  const auto device = store.indices(column("phases.device"));
  const std::uint32_t communication = store.strings.find("communication");
  std::vector<std::int64_t> exposed(store.rows(table("ranks")), absent_integer);
  if (communication == absent_index) return exposed;
  for (std::size_t row = 0; row < std::min({kind.size(), dur.size(), device.size()}); ++row) {
    if (kind[row] != communication || device[row] == absent_index || dur[row] < 0) continue;
    const std::uint32_t rank = store.index(column("devices.rank"), device[row]);
    if (rank != absent_index) exposed[rank] = add_times(std::max<std::int64_t>(exposed[rank], 0), dur[row]);
  }
  return exposed;
}

class Search {
 public:
  Search(FactStore& store, CancelFlag cancel)
      : store_(store),
        cancel_(cancel),
        barriers_(barriers_of(store)),
        work_(store, barriers_),
        exposed_(exposed_communication(store)) {
    for (const Call& call : barriers_.calls) local_.push_back(call.local);
    for (std::size_t rank = 0; rank < store.rows(table("ranks")); ++rank)
      if (const std::int32_t world = store.small(column("ranks.world_size"), rank); world != absent_small)
        all_ranks_here_ = all_ranks_here_ && static_cast<std::size_t>(world) <= store.rows(table("ranks"));
  }

  std::vector<Outlier> find() {
    if (std::none_of(work_.peers().begin(), work_.peers().end(), [](const Peers& peers) { return peers.judged(); }))
      return {};
    now_ = job_time(barriers_, local_, barriers_.transfer);
    collect_moments();
    find_run();
    find_hosts();
    find_ranks();
    find_modes();
    find_moments();
    find_steps();
    find_stages();
    find_links();
    return std::move(found_);
  }

 private:
  /// What the job would take if some calls came after other local work.
  template <class Changed>
  std::optional<std::int64_t> replayed(const std::vector<std::int64_t>& instead, Changed changed) {
    if (!now_) return std::nullopt;
    stop_if(cancel_);
    std::vector<std::int64_t> local = local_;
    for (std::uint32_t rank = 0; rank < barriers_.ranks(); ++rank)
      for (std::size_t i = barriers_.first[rank]; i < barriers_.first[rank + 1]; ++i)
        if (changed(rank, barriers_.calls[i].step)) local[i] = instead[i];
    return job_time(barriers_, local, barriers_.transfer);
  }
  std::optional<std::int64_t> shorter(std::optional<std::int64_t> then) const {
    if (!now_ || !then) return std::nullopt;
    return std::max<std::int64_t>(0, *now_ - *then);
  }
  /// What the job would gain of what ranks wait for each other. The replay takes it that a call keeps its rank waiting;
  /// of calls beside computing, no more is lost than what nothing hides on those that would wait less: the others, if
  /// any.
  template <class Changed>
  std::optional<std::int64_t> gain(const std::vector<std::int64_t>& instead, Changed changed) {
    std::vector<double> of_others, of_all;
    for (std::uint32_t rank = 0; rank < barriers_.ranks(); ++rank) {
      if (exposed_[rank] == absent_integer) continue;
      const auto begin = barriers_.calls.begin() + static_cast<std::ptrdiff_t>(barriers_.first[rank]);
      const auto end = barriers_.calls.begin() + static_cast<std::ptrdiff_t>(barriers_.first[rank + 1]);
      of_all.push_back(static_cast<double>(exposed_[rank]));
      if (std::none_of(begin, end, [&](const Call& call) { return changed(rank, call.step); }))
        of_others.push_back(static_cast<double>(exposed_[rank]));
    }
    std::optional<std::int64_t> gained = shorter(replayed(instead, changed));
    if (!gained || of_all.empty()) return gained;
    const double most = of_others.empty() ? *std::max_element(of_all.begin(), of_all.end()) : middle(of_others);
    return std::min(*gained, static_cast<std::int64_t>(most));
  }

  const Peers& peers_of(std::uint32_t rank) const { return work_.peers()[work_.peers_of(rank)]; }

  /// What is said of a rank that takes longer in some steps (all of them where none is given).
  void describe(Outlier& outlier, std::uint32_t rank, const std::vector<std::size_t>& steps, double excess) const {
    const Peers& peers = peers_of(rank);
    std::vector<std::int64_t> numbers;
    for (const std::size_t step : steps) numbers.push_back(barriers_.steps[step]);
    outlier.rank = rank;
    outlier.host = store_.index(column("ranks.host"), rank);
    outlier.stage = stage_of(store_, rank);
    outlier.peers = static_cast<std::int64_t>(peers.ranks.size());
    const double times = static_cast<double>(steps.empty() ? work_.steps() : steps.size());
    outlier.cause = cause_of(store_, rank, peers.ranks, numbers, excess * peers.typical * times);
    outlier.clock = clock_ratio(store_, rank, peers.ranks, numbers).value_or(absent_real);
  }

  /// Every rank in every step as the middle of its peers: what all unevenness together costs.
  void find_run() {
    Outlier run{.kind = "run"};
    run.cost = gain(work_.usual_calls(), [](std::uint32_t, std::uint32_t) { return true; });
    if (!run.cost) return;
    run.ranks = static_cast<std::int64_t>(barriers_.ranks());
    run.steps = static_cast<std::int64_t>(work_.steps());
    run.observed = static_cast<double>(*now_);
    run.expected = static_cast<double>(*now_ - *run.cost);
    found_.push_back(run);
    find_steady();
  }

  /// Every rank without what it is slower in its middle step: what of that comes back in every step, whoever it is.
  void find_steady() {
    std::vector<std::int64_t> even = local_;
    std::int64_t slower = 0;
    for (std::uint32_t rank = 0; rank < barriers_.ranks(); ++rank) {
      const double excess = work_.excess(rank);
      if (std::isnan(excess) || excess <= rank_noise) continue;
      ++slower;
      for (std::size_t i = barriers_.first[rank]; i < barriers_.first[rank + 1]; ++i)
        even[i] = std::llround(static_cast<double>(local_[i]) / (1 + excess));
    }
    Outlier steady{.kind = "steady"};
    steady.ranks = slower;
    steady.cost = gain(even, [](std::uint32_t, std::uint32_t) { return true; });
    steady.observed = static_cast<double>(*now_);
    steady.expected = static_cast<double>(*now_ - steady.cost.value_or(0));
    if (slower > 0) found_.push_back(steady);
  }

  void find_hosts() {
    std::map<std::uint32_t, std::vector<double>> by_host;
    for (std::uint32_t rank = 0; rank < barriers_.ranks(); ++rank)
      if (const std::uint32_t host = store_.index(column("ranks.host"), rank);
          host != absent_index && !std::isnan(work_.excess(rank)))
        by_host[host].push_back(work_.excess(rank));
    std::erase_if(by_host, [](const auto& entry) { return entry.second.size() < 2; });
    if (by_host.size() < fewest_hosts) return;
    std::vector<Candidate> hosts;
    for (auto& [host, excess] : by_host) hosts.push_back({host, middle(excess)});
    // Ranks of one host can lie above the others by chance: a host is as uncertain as a rank.
    std::vector<double> of_ranks;
    for (const auto& [host, excess] : by_host) of_ranks.insert(of_ranks.end(), excess.begin(), excess.end());
    hosts = above_the_others(std::move(hosts), spread_of(of_ranks, rank_noise).deviation);
    for (const Candidate& host : hosts) slow_hosts_[host.id] = host.excess;
    hosts.resize(std::min(hosts.size(), most_of_a_kind));
    for (const Candidate& host : hosts) {
      const auto of_host = [&](std::uint32_t rank, std::uint32_t) {
        return store_.index(column("ranks.host"), rank) == host.id;
      };
      Outlier outlier{.kind = "host"};
      std::uint32_t worst = absent_index;
      for (std::uint32_t rank = 0; rank < barriers_.ranks(); ++rank)
        if (of_host(rank, 0) && !std::isnan(work_.excess(rank)) &&
            (worst == absent_index || work_.excess(rank) > work_.excess(worst)))
          worst = rank;
      describe(outlier, worst, {}, host.excess);
      set_times(outlier, worst, host);
      outlier.stage = absent_integer;
      outlier.ranks = static_cast<std::int64_t>(by_host[host.id].size());
      outlier.peers = static_cast<std::int64_t>(by_host.size());
      outlier.cost = gain(work_.usual_calls(), of_host);
      found_.push_back(outlier);
    }
  }

  /// By call, of a rank that takes longer in all steps: its usual time, but in single late steps what these are late
  /// by.
  std::vector<std::int64_t> as_usual(std::uint32_t rank, std::vector<std::int64_t> usual) const {
    const auto late = late_.find(rank);
    if (late == late_.end()) return usual;
    for (std::size_t i = barriers_.first[rank]; i < barriers_.first[rank + 1]; ++i) {
      const std::uint32_t step = barriers_.calls[i].step;
      if (std::find(late->second.begin(), late->second.end(), step) == late->second.end()) continue;
      const double longer = 1 + work_.excess(rank, step);
      usual[i] = std::llround(static_cast<double>(local_[i]) * (longer - std::max(0.0, work_.excess(rank))) / longer);
    }
    return usual;
  }

  void find_ranks() {
    std::map<std::uint32_t, Candidate> slow;
    for (const Peers& peers : work_.peers()) {
      if (!peers.judged()) continue;
      std::vector<Candidate> ranks;
      for (const std::uint32_t rank : peers.ranks)
        if (!std::isnan(work_.excess(rank))) ranks.push_back({rank, work_.excess(rank)});
      ranks = above_the_others(std::move(ranks), rank_noise);
      std::erase_if(ranks, [&](const Candidate& rank) { return is_of_slow_host(rank); });
      for (const Candidate& rank : ranks) slow[rank.id] = rank;
      ranks.resize(std::min(ranks.size(), most_of_a_kind));
      for (const Candidate& rank : ranks) {
        Outlier outlier{.kind = "rank"};
        describe(outlier, rank.id, {}, rank.excess);
        set_times(outlier, rank.id, rank);
        outlier.cost = gain(as_usual(rank.id, work_.usual_calls()),
                            [&](std::uint32_t other, std::uint32_t) { return other == rank.id; });
        found_.push_back(outlier);
      }
    }
    if (slow.size() > 1) add_slow_ranks(slow);
  }

  /// Whether no host has ranks of both kinds.
  template <class Slow>
  bool is_host_apart(const Peers& peers, Slow is_slow) const {
    std::map<std::uint32_t, bool> slow_host;
    for (const std::uint32_t rank : peers.ranks) {
      const std::uint32_t host = store_.index(column("ranks.host"), rank);
      if (host == absent_index || std::isnan(work_.excess(rank))) continue;
      const auto [known, is_new] = slow_host.emplace(host, is_slow(rank));
      if (!is_new && known->second != is_slow(rank)) return false;
    }
    return slow_host.size() > 1;
  }

  /// Ranks of two speeds: which of them is usual no middle tells, and half of them or more may be slow.
  void find_modes() {
    for (const Peers& peers : work_.peers()) {
      if (!peers.judged()) continue;
      std::vector<double> values;
      for (const std::uint32_t rank : peers.ranks)
        if (!std::isnan(work_.excess(rank))) values.push_back(work_.excess(rank));
      const std::optional<Modes> modes = modes_of(values, rank_noise);
      if (!modes) continue;
      const auto is_slow = [&](std::uint32_t rank) { return work_.excess(rank) >= modes->bound; };
      Outlier slower{.kind = "modes"};
      std::uint32_t worst = absent_index;
      std::vector<std::int64_t> even = local_;
      for (const std::uint32_t rank : peers.ranks) {
        if (std::isnan(work_.excess(rank)) || !is_slow(rank)) continue;
        slower.members.push_back(rank);
        if (worst == absent_index || work_.excess(rank) > work_.excess(worst)) worst = rank;
        const double ratio = (1 + modes->lower) / (1 + work_.excess(rank));
        for (std::size_t i = barriers_.first[rank]; i < barriers_.first[rank + 1]; ++i)
          even[i] = std::llround(static_cast<double>(local_[i]) * ratio);
      }
      slower.rank = worst;
      slower.ranks = static_cast<std::int64_t>(slower.members.size());
      slower.stage = stage_of(store_, worst);
      slower.host = is_host_apart(peers, is_slow) ? store_.index(column("ranks.host"), worst) : absent_index;
      slower.peers = static_cast<std::int64_t>(values.size());
      slower.steps = static_cast<std::int64_t>(work_.steps());
      slower.observed = peers.typical * (1 + modes->upper);
      slower.expected = peers.typical * (1 + modes->lower);
      slower.clock = clock_ratio_of_sides(store_, peers.ranks, is_slow).value_or(absent_real);
      slower.cost = gain(even, [](std::uint32_t, std::uint32_t) { return true; });
      found_.push_back(slower);
    }
  }

  /// Of ranks that are as slow as each other each alone costs nothing: the job waits for the next one.
  void add_slow_ranks(const std::map<std::uint32_t, Candidate>& slow) {
    const auto worst = std::max_element(slow.begin(), slow.end(),
                                        [](const auto& a, const auto& b) { return a.second.excess < b.second.excess; });
    Outlier all{.kind = "ranks"};
    set_times(all, worst->first, worst->second);
    all.z = all.q = absent_real;
    all.ranks = static_cast<std::int64_t>(slow.size());
    for (const auto& [rank, candidate] : slow) all.members.push_back(rank);
    std::vector<std::int64_t> usual = work_.usual_calls();
    for (const auto& [rank, candidate] : slow) usual = as_usual(rank, std::move(usual));
    all.cost = gain(usual, [&](std::uint32_t rank, std::uint32_t) { return slow.contains(rank); });
    found_.push_back(all);
  }

  /// A rank that is as slow as its whole host is not a second finding.
  bool is_of_slow_host(const Candidate& rank) const {
    const auto host = slow_hosts_.find(store_.index(column("ranks.host"), rank.id));
    return host != slow_hosts_.end() && rank.excess < 2 * host->second;
  }

  void set_times(Outlier& outlier, std::uint32_t rank, const Candidate& candidate) const {
    outlier.expected = peers_of(rank).typical;
    outlier.observed = outlier.expected * (1 + candidate.excess);
    outlier.z = candidate.z;
    outlier.q = candidate.q;
    outlier.steps = static_cast<std::int64_t>(work_.steps());
  }

  /// Ranks that are far off in single steps, beyond what they are in all of them.
  void collect_moments() {
    if (work_.steps() < fewest_of_moments) return;
    for (const Peers& peers : work_.peers()) {
      if (!peers.judged()) continue;
      std::vector<double> values;
      std::vector<std::pair<std::uint32_t, std::size_t>> where;
      for (const std::uint32_t rank : peers.ranks)
        for (std::size_t step = 0; step < work_.steps(); ++step) {
          if (std::isnan(work_.of(rank, step))) continue;
          values.push_back(work_.excess(rank, step) - std::max(0.0, work_.excess(rank)));
          where.emplace_back(rank, step);
        }
      if (values.empty()) continue;
      const Spread spread = spread_of(values, rank_noise);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double z = spread.z(values[i]);
        if (z < far_off) continue;
        late_[where[i].first].push_back(where[i].second);
        Candidate& candidate = moments_[where[i].first];
        candidate.id = where[i].first;
        candidate.excess += values[i];
        candidate.z = std::max(candidate.z, z);
      }
    }
  }

  void find_moments() {
    std::vector<Candidate> ranks;
    for (const auto& [rank, candidate] : moments_) ranks.push_back(candidate);
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const Candidate& a, const Candidate& b) { return a.excess > b.excess; });
    ranks.resize(std::min(ranks.size(), most_of_a_kind));
    for (const Candidate& rank : ranks) add_moment(rank, late_[rank.id]);
  }

  void add_moment(const Candidate& rank, const std::vector<std::size_t>& steps) {
    const Peers& peers = peers_of(rank.id);
    std::vector<double> observed, expected;
    std::size_t worst = steps.front();
    for (const std::size_t step : steps) {
      observed.push_back(work_.of(rank.id, step));
      expected.push_back(peers.usual[step]);
      if (work_.excess(rank.id, step) > work_.excess(rank.id, worst)) worst = step;
    }
    Outlier outlier{.kind = "moment"};
    describe(outlier, rank.id, steps, rank.excess / static_cast<double>(steps.size()));
    outlier.observed = middle(observed);
    outlier.expected = middle(expected);
    outlier.z = rank.z;
    outlier.step = barriers_.steps[worst];
    outlier.steps = static_cast<std::int64_t>(steps.size());
    // A rank that is slower in every step would be so in these, too.
    std::vector<std::int64_t> instead = work_.usual_calls();
    const double always = 1 + std::max(0.0, work_.excess(rank.id));
    for (std::int64_t& local : instead) local = std::llround(static_cast<double>(local) * always);
    outlier.cost = gain(instead, [&](std::uint32_t other, std::uint32_t step) {
      return other == rank.id && std::find(steps.begin(), steps.end(), step) != steps.end();
    });
    found_.push_back(outlier);
  }

  /// Steps in which the middle rank, too, takes longer than in the others.
  void find_steps() {
    if (work_.steps() < fewest_steps) return;
    std::vector<Candidate> steps;
    double typical = 0;
    for (const Peers& peers : work_.peers())
      if (peers.judged()) typical = std::max(typical, peers.typical);
    for (std::size_t step = 0; step < work_.steps(); ++step) {
      std::vector<double> excess;
      for (const Peers& peers : work_.peers())
        if (peers.judged() && !std::isnan(peers.usual[step])) excess.push_back(peers.usual[step] / peers.typical - 1);
      if (!excess.empty()) steps.push_back({static_cast<std::uint32_t>(step), middle(excess)});
    }
    const auto all = static_cast<std::int64_t>(steps.size());
    steps = above_the_others(std::move(steps), step_noise);
    std::erase_if(steps, [](const Candidate& step) { return step.z < far_off; });
    steps.resize(std::min(steps.size(), most_of_a_kind));
    for (const Candidate& step : steps) {
      Outlier outlier{.kind = "step"};
      outlier.step = barriers_.steps[step.id];
      outlier.steps = 1;
      outlier.ranks = static_cast<std::int64_t>(barriers_.ranks());
      outlier.peers = all;
      outlier.expected = typical;
      outlier.observed = typical * (1 + step.excess);
      outlier.z = step.z;
      outlier.q = step.q;
      outlier.cost =
          shorter(replayed(work_.typical_calls(), [&](std::uint32_t, std::uint32_t of) { return of == step.id; }));
      // What one late rank adds in that step is no work of all.
      if (outlier.cost) outlier.cost = std::min(*outlier.cost, static_cast<std::int64_t>(typical * step.excess));
      found_.push_back(outlier);
    }
  }

  /// The stage with the most work, and what the job would gain if all had as much.
  void find_stages() {
    std::map<std::int64_t, std::pair<double, std::int64_t>> stages;  // typical work, ranks
    for (const Peers& peers : work_.peers())
      if (const std::int64_t stage = stage_of(store_, peers.ranks.front());
          stage != absent_integer && peers.typical > 0) {
        auto& [typical, ranks] = stages[stage];
        typical = std::max(typical, peers.typical);
        ranks += static_cast<std::int64_t>(peers.ranks.size());
      }
    if (stages.size() < 2) return;
    const double mean = std::accumulate(stages.begin(), stages.end(), 0.0,
                                        [](double sum, const auto& stage) { return sum + stage.second.first; }) /
                        static_cast<double>(stages.size());
    const auto slowest = std::max_element(stages.begin(), stages.end(),
                                          [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    if (slowest->second.first <= (1 + stage_noise) * mean) return;
    std::vector<std::int64_t> even = local_;
    for (std::uint32_t rank = 0; rank < barriers_.ranks(); ++rank)
      if (const auto stage = stages.find(stage_of(store_, rank)); stage != stages.end())
        for (std::size_t i = barriers_.first[rank]; i < barriers_.first[rank + 1]; ++i)
          even[i] = std::llround(static_cast<double>(local_[i]) * mean / stage->second.first);
    Outlier outlier{.kind = "stage"};
    outlier.stage = slowest->first;
    outlier.steps = static_cast<std::int64_t>(work_.steps());
    outlier.ranks = slowest->second.second;
    outlier.peers = static_cast<std::int64_t>(stages.size());
    outlier.observed = slowest->second.first;
    outlier.expected = mean;
    outlier.cost = shorter(replayed(even, [](std::uint32_t, std::uint32_t) { return true; }));
    found_.push_back(outlier);
  }

  /// Links whose transfers take longer than those of as many bytes over others of as many ranks.
  void find_links() {
    struct Sum {
      double took = 0, usual = 0, count = 0;
      std::int64_t ranks = 0, like = 0;
    };
    const std::vector<std::optional<Transfer>> all = transfers_of(store_, barriers_, all_ranks_here_);
    std::map<Transfer::Kind, std::map<Link, std::vector<double>>> times;
    for (std::size_t barrier = 0; barrier < all.size(); ++barrier)
      if (const auto& transfer = all[barrier])
        times[transfer->kind()][transfer->link].push_back(static_cast<double>(barriers_.transfer[barrier]));
    std::map<std::pair<Transfer::Kind, Link>, double> usual;
    std::map<Link, Sum> sums;
    for (auto& [kind, of_link] : times) {
      if (of_link.size() < fewest_peers) continue;
      std::vector<double> middles;
      for (auto& [link, values] : of_link) middles.push_back(middle(values));
      const double expected = middle(middles);
      for (const auto& [link, values] : of_link) {
        Sum& sum = sums[link];
        sum.took += std::accumulate(values.begin(), values.end(), 0.0);
        sum.usual += expected * static_cast<double>(values.size());
        sum.count += static_cast<double>(values.size());
        sum.ranks = std::max<std::int64_t>(sum.ranks, std::get<2>(kind));
        sum.like = std::max(sum.like, static_cast<std::int64_t>(of_link.size()));
        usual[{kind, link}] = expected;
      }
    }
    std::vector<Link> links;
    std::vector<Candidate> slow;
    for (const auto& [link, sum] : sums)
      if (sum.usual > 0) {
        slow.push_back({static_cast<std::uint32_t>(links.size()), sum.took / sum.usual - 1});
        links.push_back(link);
      }
    slow = above_the_others(std::move(slow), link_noise);
    slow.resize(std::min(slow.size(), most_of_a_kind));
    for (const Candidate& candidate : slow) {
      const Link& link = links[candidate.id];
      std::vector<std::int64_t> instead = barriers_.transfer;
      for (std::size_t barrier = 0; barrier < all.size(); ++barrier)
        if (all[barrier] && all[barrier]->link == link)
          if (const auto expected = usual.find({all[barrier]->kind(), link}); expected != usual.end())
            instead[barrier] = std::min(instead[barrier], static_cast<std::int64_t>(std::llround(expected->second)));
      const Sum& sum = sums[link];
      Outlier outlier{.kind = "group"};
      outlier.group = link.group;
      outlier.rank = link.rank;
      outlier.peer = link.peer;
      outlier.ranks = sum.ranks;
      outlier.peers = sum.like;
      outlier.observed = sum.took / sum.count;
      outlier.expected = sum.usual / sum.count;
      outlier.z = candidate.z;
      outlier.q = candidate.q;
      if (now_) outlier.cost = shorter(job_time(barriers_, local_, instead));
      found_.push_back(outlier);
    }
  }

  FactStore& store_;
  CancelFlag cancel_;
  Barriers barriers_;
  LocalWork work_;
  std::vector<std::int64_t> exposed_;
  std::vector<std::int64_t> local_;
  bool all_ranks_here_ = true;
  std::optional<std::int64_t> now_;
  std::map<std::uint32_t, double> slow_hosts_;
  std::map<std::uint32_t, std::vector<std::size_t>> late_;  ///< by rank row: the single steps in which it is late
  std::map<std::uint32_t, Candidate> moments_;
  std::vector<Outlier> found_;
};

}  // namespace
}  // namespace fleet

void derive_outliers(FactStore& store, CancelFlag cancel) {
  if (store.present(table("outliers")) || store.rows(table("ranks")) < fleet::fewest_peers) return;
  fleet::store_outliers(store, store.has(column("comms.match")) ? fleet::Search(store, cancel).find()
                                                                : fleet::pipeline_outliers(store, cancel));
}

}  // namespace kdiag
