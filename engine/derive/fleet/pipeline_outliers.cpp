// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/pipeline_outliers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "engine/derive/fleet/barriers.hpp"
#include "engine/derive/fleet/peers.hpp"
#include "engine/derive/fleet/pipeline.hpp"
#include "engine/derive/fleet/robust.hpp"

namespace kdiag::fleet {
namespace {

constexpr std::size_t slowest_percent = 3;  // of the ranks; arXiv:2505.05713, equation 5

class PipelineSearch {
 public:
  PipelineSearch(const FactStore& store, const Pipeline& pipeline, CancelFlag cancel)
      : store_(store), pipeline_(pipeline), cancel_(cancel), computing_(store.rows(table("ranks")), 0) {
    for (const Operation& operation : pipeline.operations())
      if (operation.computes) computing_[operation.rank] += operation.recorded / static_cast<double>(pipeline.steps());
    for (std::uint32_t rank = 0; rank < computing_.size(); ++rank) stages_[stage_of(store, rank)].push_back(rank);
  }

  std::vector<Outlier> find() {
    now_ = time_with([](const Operation&) { return false; });
    ideal_ = time_with([](const Operation&) { return true; });
    if (!now_ || !ideal_ || *ideal_ <= 0) return {};
    Outlier run{.kind = "run"};
    run.observed = *now_ * steps();
    run.expected = *ideal_ * steps();
    add(run, computing_.size(), ideal_);
    find_slowest();
    find_ranks();
    find_stage();
    return std::move(found_);
  }

 private:
  double steps() const { return static_cast<double>(pipeline_.steps()); }

  /// A step in which the chosen operations take as long as usual, and the others as recorded.
  template <class Chosen>
  std::optional<double> time_with(Chosen chosen) const {
    return time_of(pipeline_, chosen);
  }
  template <class Chosen>
  std::optional<double> time_of(const Pipeline& pipeline, Chosen chosen) const {
    stop_if(cancel_);
    std::vector<double> durations;
    for (const Operation& operation : pipeline.operations())
      durations.push_back(chosen(operation) ? operation.usual : operation.recorded);
    return pipeline.step_time(durations);
  }

  void add(Outlier outlier, std::size_t ranks, std::optional<double> then) {
    outlier.ranks = static_cast<std::int64_t>(ranks);
    outlier.steps = static_cast<std::int64_t>(pipeline_.steps());
    if (then) outlier.cost = std::max<std::int64_t>(0, std::llround((*now_ - *then) * steps()));
    found_.push_back(outlier);
  }

  /// Slow is a rank whose replica and whose stage both would delay a pipeline that is as usual else.
  void find_slowest() {
    std::vector<double> of_replica;
    for (std::uint32_t replica = 0; replica < pipeline_.replicas(); ++replica)
      of_replica.push_back(time_of(pipeline_.beside_usual_ones(replica), [&](const Operation& operation) {
                             return pipeline_.replica_of(operation.rank) != replica;
                           }).value_or(*ideal_));
    std::map<std::int64_t, double> of_stage;
    for (const auto& entry : stages_)
      of_stage[entry.first] = time_with([&](const Operation& operation) {
                                return stage_of(store_, operation.rank) != entry.first;
                              }).value_or(*ideal_);
    std::vector<std::uint32_t> ranks(computing_.size());
    std::iota(ranks.begin(), ranks.end(), 0U);
    const auto score = [&](std::uint32_t rank) {
      return std::min(of_replica[pipeline_.replica_of(rank)], of_stage[stage_of(store_, rank)]);
    };
    std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) { return score(a) > score(b); });
    ranks.resize((ranks.size() * slowest_percent + 99) / 100);
    const std::set<std::uint32_t> slowest(ranks.begin(), ranks.end());
    Outlier outlier{.kind = "ranks"};
    outlier.rank = ranks.front();
    outlier.stage = stage_of(store_, ranks.front());
    outlier.observed = computing_[ranks.front()];
    outlier.expected = usual_of(ranks.front());
    add(outlier, ranks.size(), time_with([&](const Operation& operation) { return slowest.contains(operation.rank); }));
  }

  /// How long the middle rank of a rank's stage computes in a step.
  double usual_of(std::uint32_t rank) const {
    std::vector<double> values;
    for (const std::uint32_t peer : stages_.at(stage_of(store_, rank))) values.push_back(computing_[peer]);
    return middle(values);
  }

  void find_ranks() {
    for (const auto& [stage, ranks] : stages_) {
      if (ranks.size() < fewest_peers) continue;
      const double usual = usual_of(ranks.front());
      if (usual <= 0) continue;
      std::vector<Candidate> candidates;
      for (const std::uint32_t rank : ranks) candidates.push_back({rank, computing_[rank] / usual - 1});
      candidates = above_the_others(std::move(candidates), rank_noise);
      candidates.resize(std::min(candidates.size(), most_of_a_kind));
      for (const Candidate& slow : candidates) {
        Outlier outlier{.kind = "rank"};
        outlier.rank = slow.id;
        outlier.stage = stage;
        outlier.peers = static_cast<std::int64_t>(ranks.size());
        outlier.observed = computing_[slow.id];
        outlier.expected = usual;
        outlier.z = slow.z;
        outlier.q = slow.q;
        add(outlier, 1, time_with([&](const Operation& operation) { return operation.rank == slow.id; }));
      }
    }
  }

  void find_stage() {
    if (stages_.size() < 2) return;
    double sum = 0;
    std::int64_t slowest = stages_.begin()->first;
    std::map<std::int64_t, double> typical;
    for (const auto& [stage, ranks] : stages_) {
      sum += typical[stage] = usual_of(ranks.front());
      if (typical[stage] > typical[slowest]) slowest = stage;
    }
    const double mean = sum / static_cast<double>(stages_.size());
    if (typical[slowest] <= (1 + stage_noise) * mean) return;
    Outlier outlier{.kind = "stage"};
    outlier.stage = slowest;
    outlier.peers = static_cast<std::int64_t>(stages_.size());
    outlier.observed = typical[slowest];
    outlier.expected = mean;
    add(outlier, stages_.at(slowest).size(),
        time_with([&](const Operation& operation) { return stage_of(store_, operation.rank) == slowest; }));
  }

  const FactStore& store_;
  const Pipeline& pipeline_;
  CancelFlag cancel_;
  std::vector<double> computing_;  ///< by rank: ns in a step
  std::map<std::int64_t, std::vector<std::uint32_t>> stages_;
  std::optional<double> now_, ideal_;
  std::vector<Outlier> found_;
};

}  // namespace

std::vector<Outlier> pipeline_outliers(const FactStore& store, CancelFlag cancel) {
  const std::optional<Pipeline> pipeline = Pipeline::of(store);
  return pipeline ? PipelineSearch(store, *pipeline, cancel).find() : std::vector<Outlier>{};
}

}  // namespace kdiag::fleet
