// SPDX-License-Identifier: Apache-2.0
// The operations of a training pipeline, and how long its steps take if some of them took otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/derive/rows/row_groups.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

/// One rank's operation in a step.
struct Operation {
  std::uint32_t rank = 0;  ///< row
  std::uint32_t step = 0;  ///< counted from 0 on each rank
  bool computes = false;   ///< else it moves data, or does what lies between
  double recorded = 0;     ///< ns; of what ranks do together its transfer alone, as timelines show it
  double usual = 0;        ///< ns of all operations of its kind: their mean, of communication their median
};

/// Steps of a pipeline whose ranges are called as the timers of Megatron-LM (forward-compute, backward-recv, ...), with
/// what each operation waits for:
///
///  - the one before it on the rank's compute stream, or of its kind on the link;
///  - a computation for what it receives, a sending for what is computed;
///  - a rank's first computation for the gathered parameters, and behind its last one gradients, clipping and optimizer
///    in this order;
///  - what ranks do together (a send and its receive, collectives of all replicas of a stage, embeddings of the first
///    and last stage, the clipping of all ranks) ends for all once the last of them came.
///
/// Source: J. Lin et al., "Understanding Stragglers in Large Model Training Using What-if Analysis", arXiv:2505.05713,
/// sections 3.1 and 3.2, and the timelines published with it.
class Pipeline {
 public:
  /// Nothing where no ranges are such operations, or they fit no such pipeline: counts of partners that differ, steps
  /// of one rank alone, interleaved stages. Needs ranks.stage; ranks of a process are one replica.
  static std::optional<Pipeline> of(const FactStore& store);

  std::span<const Operation> operations() const { return operations_; }
  std::size_t steps() const { return steps_; }
  std::size_t replicas() const { return replicas_; }
  std::uint32_t replica_of(std::uint32_t rank) const { return replica_of_[rank]; }

  /// ns of the mean step in which each operation takes this long and nothing else delays it. Linear in operations.
  /// Nothing where they wait for each other in a circle.
  std::optional<double> step_time(std::span<const double> durations) const;

  /// A replica and of each shape another one, which stands for all that are shaped like it: for a replay in which the
  /// others take as long as is usual, and so as long as each other. All questions cost as much as the pipeline has
  /// operations for each shape, however many replicas there are.
  Pipeline beside_usual_ones(std::uint32_t replica) const;

 private:
  friend class PipelineBuilder;

  void count_waits();

  std::vector<Operation> operations_;
  std::size_t steps_ = 0, replicas_ = 0;
  std::vector<std::uint32_t> replica_of_;  ///< by rank
  std::vector<std::uint32_t>
      shape_of_;  ///< by replica: of one shape are those with the same operations in the same order
  std::vector<std::vector<std::uint32_t>> of_replica_;  ///< by replica: its operations
  std::vector<std::uint32_t> group_;                    ///< by operation: those with the same one end together
  RowGroups members_{{}, 0, 0};                         ///< by group
  std::vector<std::uint32_t> successor_;                ///< by edge
  RowGroups edges_{{}, 0, 0};                           ///< by operation: to those that wait for it
  std::vector<std::uint32_t> waits_;                    ///< by operation: for how many
};

}  // namespace kdiag::fleet
