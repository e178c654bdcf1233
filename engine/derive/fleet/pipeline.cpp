// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/pipeline.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/derive/fleet/barriers.hpp"
#include "engine/derive/fleet/robust.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag::fleet {
namespace {

/// Kinds of operations.
namespace op {
enum : std::size_t {
  gather,
  forward_recv,
  forward,
  forward_send,
  backward_recv,
  backward,
  backward_send,
  collect_garbage,
  layer_norms,
  embeddings,
  scatter,
  clip,
  optimizer,
  kinds
};
}  // namespace op

constexpr std::array<std::string_view, op::kinds> operation_names = {"params-all-gather",
                                                                     "forward-recv",
                                                                     "forward-compute",
                                                                     "forward-send",
                                                                     "backward-recv",
                                                                     "backward-compute",
                                                                     "backward-send",
                                                                     "gc",
                                                                     "layernorm-grads-all-reduce",
                                                                     "embedding-grads-all-reduce",
                                                                     "grads-reduce-scatter",
                                                                     "optimizer-clip-main-grad",
                                                                     "optimizer"};

constexpr bool computes(std::size_t kind) {
  return kind == op::forward || kind == op::backward || kind == op::collect_garbage || kind == op::optimizer;
}

/// The operations of a rank in a step, in order.
using StepOperations = std::array<std::vector<std::uint32_t>, op::kinds>;

}  // namespace

class PipelineBuilder {
 public:
  explicit PipelineBuilder(const FactStore& store) : store_(store) {}

  std::optional<Pipeline> build() {
    if (!add_operations() || !number_replicas() || !set_usual()) return std::nullopt;
    pipeline_.group_.resize(pipeline_.operations_.size());
    std::size_t begin = 0;
    while (begin < pipeline_.operations_.size()) {
      const Operation& first = pipeline_.operations_[begin];
      std::size_t end = begin;
      while (end < pipeline_.operations_.size() && pipeline_.operations_[end].rank == first.rank &&
             pipeline_.operations_[end].step == first.step)
        ++end;
      if (!connect(begin, end)) return std::nullopt;
      begin = end;
    }
    if (!all_are_met()) return std::nullopt;
    pipeline_.members_ = RowGroups(pipeline_.group_, pipeline_.group_.size(), groups_.size());
    pipeline_.edges_ = RowGroups(predecessor_, predecessor_.size(), pipeline_.operations_.size());
    pipeline_.count_waits();
    find_shapes();
    return std::move(pipeline_);
  }

 private:
  /// What ends together: a kind, the step, and what tells such groups apart.
  using Group = std::tuple<std::size_t, std::uint32_t, std::int64_t, std::int64_t, std::size_t>;

  /// The operations of all ranks, by rank, step and start; false where there are none, or steps are not those of all.
  bool add_operations() {
    const auto name = store_.indices(column("annotations.name"));
    const auto thread = store_.indices(column("annotations.thread"));
    const auto of_thread = store_.indices(column("threads.rank"));
    const SpanColumns spans{store_.integers(column("annotations.start")), store_.integers(column("annotations.dur"))};
    if (name.empty() || thread.empty() || of_thread.empty() || spans.empty()) return false;
    std::map<std::uint32_t, std::size_t> kind_of;  // by text
    for (std::size_t kind = 0; kind < op::kinds; ++kind)
      if (const std::uint32_t text = store_.strings.find(operation_names[kind]); text != absent_index)
        kind_of[text] = kind;
    if (kind_of.size() < 3) return false;  // no pipeline only computes; most runs end here
    std::vector<std::vector<std::uint32_t>> rows(store_.rows(table("ranks")));
    std::vector<std::size_t> kind_of_row(name.size(), op::kinds);
    for (std::uint32_t row = 0; row < name.size(); ++row) {
      const auto known = kind_of.find(name[row]);
      if (known == kind_of.end() || thread[row] == absent_index || !spans[row]) continue;
      kind_of_row[row] = known->second;
      if (const std::uint32_t rank = of_thread[thread[row]]; rank != absent_index) rows[rank].push_back(row);
    }
    for (std::uint32_t rank = 0; rank < rows.size(); ++rank) {
      std::stable_sort(rows[rank].begin(), rows[rank].end(),
                       [&](std::uint32_t a, std::uint32_t b) { return spans.start[a] < spans.start[b]; });
      std::uint32_t step = 0;
      for (const std::uint32_t row : rows[rank]) {
        const std::size_t kind = kind_of_row[row];
        pipeline_.operations_.push_back({.rank = rank,
                                         .step = step,
                                         .computes = kind == op::forward || kind == op::backward,
                                         .recorded = static_cast<double>(spans[row]->length())});
        kind_.push_back(kind);
        if (kind == op::optimizer) ++step;
      }
      if (step == 0 || kind_.back() != op::optimizer || (rank > 0 && step != pipeline_.steps_)) return false;
      pipeline_.steps_ = step;
    }
    return pipeline_.steps_ > 0;
  }

  /// Ranks of one process are one replica, of whose stages each has one rank.
  bool number_replicas() {
    const auto process = store_.integers(column("threads.process"));
    const auto of_thread = store_.indices(column("threads.rank"));
    std::map<std::int64_t, std::uint32_t> numbers;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> rank_at;
    pipeline_.replica_of_.assign(store_.rows(table("ranks")), absent_index);
    for (std::size_t thread = 0; thread < process.size(); ++thread) {
      const std::uint32_t rank = of_thread[thread];
      if (rank == absent_index) continue;
      const std::uint32_t replica =
          numbers.try_emplace(process[thread], static_cast<std::uint32_t>(numbers.size())).first->second;
      if (std::exchange(pipeline_.replica_of_[rank], replica) == replica) continue;
      stages_ = std::max(stages_, stage_of(store_, rank) + 1);
      if (stage_of(store_, rank) == absent_integer ||
          !rank_at.try_emplace({replica, stage_of(store_, rank)}, rank).second)
        return false;
    }
    pipeline_.replicas_ = numbers.size();
    return rank_at.size() == pipeline_.replica_of_.size() &&
           rank_at.size() == numbers.size() * static_cast<std::size_t>(stages_);
  }

  bool set_usual() {
    std::array<std::vector<double>, op::kinds> all;
    for (std::size_t i = 0; i < kind_.size(); ++i) all[kind_[i]].push_back(pipeline_.operations_[i].recorded);
    if (all[op::forward].empty() || all[op::backward].empty()) return false;
    std::array<double, op::kinds> usual{};
    for (std::size_t kind = 0; kind < op::kinds; ++kind) {
      if (all[kind].empty()) continue;
      usual[kind] = computes(kind) ? std::accumulate(all[kind].begin(), all[kind].end(), 0.0) /
                                         static_cast<double>(all[kind].size())
                                   : middle(all[kind]);
    }
    for (std::size_t i = 0; i < kind_.size(); ++i) pipeline_.operations_[i].usual = usual[kind_[i]];
    return true;
  }

  /// Says of the operations of one rank in one step what they wait for, and with whom they end.
  bool connect(std::size_t begin, std::size_t end) {
    StepOperations of;
    std::vector<std::uint32_t> computations;
    for (std::size_t i = begin; i < end; ++i) {
      of[kind_[i]].push_back(static_cast<std::uint32_t>(i));
      if (kind_[i] == op::forward || kind_[i] == op::backward) computations.push_back(static_cast<std::uint32_t>(i));
    }
    if (computations.empty() || of[op::forward].empty()) return false;
    chain(computations);
    if (!exchange(of[op::forward], of[op::forward_recv], of[op::forward_send]) ||
        !exchange(of[op::backward], of[op::backward_recv], of[op::backward_send]))
      return false;
    hold_backward(computations, of);
    chain(of[op::gather]);
    if (!of[op::gather].empty()) edge(of[op::gather].back(), of[op::forward].front());
    std::vector<std::uint32_t> last = {computations.back()};
    for (const std::size_t kind :
         {op::collect_garbage, op::layer_norms, op::embeddings, op::scatter, op::clip, op::optimizer})
      last.insert(last.end(), of[kind].begin(), of[kind].end());
    chain(last);
    for (std::size_t kind = 0; kind < op::kinds; ++kind)
      for (std::size_t i = 0; i < of[kind].size(); ++i) join(of[kind][i], kind, i);
    return true;
  }

  /// Computation i waits for what it receives, which is asked for once the one before is done, and is sent from.
  bool exchange(const std::vector<std::uint32_t>& computed, const std::vector<std::uint32_t>& received,
                const std::vector<std::uint32_t>& sent) {
    chain(received);
    chain(sent);
    for (const auto* moved : {&received, &sent})
      if (!moved->empty() && moved->size() != computed.size()) return false;
    for (std::size_t i = 0; i < received.size(); ++i) {
      edge(received[i], computed[i]);
      if (i > 0) edge(computed[i - 1], received[i]);
    }
    for (std::size_t i = 0; i < sent.size(); ++i) edge(computed[i], sent[i]);
    return true;
  }

  /// The first exchange of gradients begins no earlier than the computation before the last one in front of it.
  void hold_backward(const std::vector<std::uint32_t>& computations, const StepOperations& of) {
    const auto first = std::find_if(computations.begin(), computations.end(),
                                    [&](std::uint32_t operation) { return kind_[operation] == op::backward; });
    if (first - computations.begin() < 2 || first == computations.end()) return;
    for (const std::size_t kind : {op::backward_recv, op::backward_send})
      if (!of[kind].empty()) edge(*(first - 2), of[kind].front());
  }

  void join(std::uint32_t operation, std::size_t kind, std::size_t place) {
    const Operation& self = pipeline_.operations_[operation];
    const std::int64_t replica = pipeline_.replica_of_[self.rank], stage = stage_of(store_, self.rank);
    Group group{op::kinds, self.step, operation, 0, place};  // its own
    std::size_t size = 1;
    switch (kind) {
      case op::forward_send:
      case op::forward_recv:
        group = {op::forward_send, self.step, replica, stage - (kind == op::forward_recv ? 1 : 0), place};
        size = 2;
        break;
      case op::backward_send:
      case op::backward_recv:
        group = {op::backward_send, self.step, replica, stage + (kind == op::backward_recv ? 1 : 0), place};
        size = 2;
        break;
      case op::gather:
      case op::scatter:
        group = {kind, self.step, stage, 0, place};
        size = pipeline_.replicas_;
        break;
      case op::embeddings:
        group = {kind, self.step, replica, 0, place};
        size = stages_ > 1 ? 2 : 1;
        break;
      case op::clip:
        group = {kind, self.step, 0, 0, place};
        size = pipeline_.replica_of_.size();
        break;
      default: break;
    }
    const auto [known, added] = groups_.try_emplace(group, static_cast<std::uint32_t>(groups_.size()));
    if (added) missing_.push_back(size);
    pipeline_.group_[operation] = known->second;
    if (missing_[known->second]-- == 0) too_many_ = true;
  }

  /// Whether each operation has all its partners.
  bool all_are_met() const {
    return !too_many_ && std::all_of(missing_.begin(), missing_.end(), [](std::size_t left) { return left == 0; });
  }

  void find_shapes() {
    const auto count = static_cast<std::uint32_t>(pipeline_.operations_.size());
    pipeline_.of_replica_.resize(pipeline_.replicas_);
    for (std::uint32_t operation = 0; operation < count; ++operation)
      pipeline_.of_replica_[pipeline_.replica_of_[pipeline_.operations_[operation].rank]].push_back(operation);
    using Shape = std::vector<std::tuple<std::int64_t, std::uint32_t, std::size_t>>;  // by stage and step
    std::map<Shape, std::uint32_t> shapes;
    for (const std::vector<std::uint32_t>& operations : pipeline_.of_replica_) {
      Shape shape;
      for (const std::uint32_t operation : operations) {
        const Operation& self = pipeline_.operations_[operation];
        shape.emplace_back(stage_of(store_, self.rank), self.step, kind_[operation]);
      }
      std::stable_sort(shape.begin(), shape.end(), [](const auto& a, const auto& b) {
        return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
      });
      pipeline_.shape_of_.push_back(
          shapes.try_emplace(std::move(shape), static_cast<std::uint32_t>(shapes.size())).first->second);
    }
  }

  void chain(const std::vector<std::uint32_t>& operations) {
    for (std::size_t i = 1; i < operations.size(); ++i) edge(operations[i - 1], operations[i]);
  }
  void edge(std::uint32_t from, std::uint32_t to) {
    predecessor_.push_back(from);
    pipeline_.successor_.push_back(to);
  }

  const FactStore& store_;
  Pipeline pipeline_;
  std::vector<std::size_t> kind_;  ///< by operation
  std::int64_t stages_ = 0;
  std::vector<std::uint32_t> predecessor_;  ///< by edge
  std::map<Group, std::uint32_t> groups_;
  std::vector<std::size_t> missing_;  ///< by group: partners that were not met
  bool too_many_ = false;
};

std::optional<Pipeline> Pipeline::of(const FactStore& store) { return PipelineBuilder(store).build(); }

void Pipeline::count_waits() {
  waits_.assign(operations_.size(), 0);
  for (const std::uint32_t operation : successor_) ++waits_[operation];
}

Pipeline Pipeline::beside_usual_ones(std::uint32_t replica) const {
  std::vector<std::uint32_t> kept = of_replica_[replica];
  std::vector<bool> has_shape(shape_of_.size());
  for (std::uint32_t other = 0; other < shape_of_.size(); ++other) {
    if (other == replica || has_shape[shape_of_[other]]) continue;
    has_shape[shape_of_[other]] = true;
    kept.insert(kept.end(), of_replica_[other].begin(), of_replica_[other].end());
  }
  std::sort(kept.begin(), kept.end());
  const auto place = [](const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
    return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
  };
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t operation : kept) groups.push_back(group_[operation]);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  Pipeline part;
  part.steps_ = steps_;
  part.replica_of_ = replica_of_;
  std::vector<std::uint32_t> predecessor;
  for (const std::uint32_t operation : kept) {
    part.operations_.push_back(operations_[operation]);
    part.group_.push_back(place(groups, group_[operation]));
    for (const std::uint32_t edge : edges_.of(operation)) {  // to an operation of the same rank
      predecessor.push_back(static_cast<std::uint32_t>(part.operations_.size() - 1));
      part.successor_.push_back(place(kept, successor_[edge]));
    }
  }
  part.members_ = RowGroups(part.group_, part.group_.size(), groups.size());
  part.edges_ = RowGroups(predecessor, predecessor.size(), part.operations_.size());
  part.count_waits();
  return part;
}

std::optional<double> Pipeline::step_time(std::span<const double> durations) const {
  std::vector<double> ready(operations_.size(), 0), together(members_.owner_count(), 0), ends(steps_, 0);
  std::vector<std::uint32_t> waits = waits_, missing;
  std::vector<std::uint32_t> open;
  for (std::size_t group = 0; group < members_.owner_count(); ++group)
    missing.push_back(static_cast<std::uint32_t>(members_.of(group).size()));
  for (std::uint32_t operation = 0; operation < waits.size(); ++operation)
    if (waits[operation] == 0) open.push_back(operation);
  std::size_t done = 0;
  while (!open.empty()) {
    const std::uint32_t arrived = open.back(), group = group_[arrived];
    open.pop_back();
    together[group] = std::max(together[group], ready[arrived]);
    if (--missing[group] > 0) continue;
    for (const std::uint32_t operation : members_.of(group)) {
      const double end = together[group] + durations[operation];
      double& of_step = ends[operations_[operation].step];
      of_step = std::max(of_step, end);
      ++done;
      for (const std::uint32_t edge : edges_.of(operation)) {
        const std::uint32_t next = successor_[edge];
        ready[next] = std::max(ready[next], end);
        if (--waits[next] == 0) open.push_back(next);
      }
    }
  }
  if (done != operations_.size()) return std::nullopt;
  return std::accumulate(ends.begin(), ends.end(), 0.0) / static_cast<double>(steps_);
}

}  // namespace kdiag::fleet
