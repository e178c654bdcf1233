// SPDX-License-Identifier: Apache-2.0
// Which ranks do the same work, how long each does it, and how long it would take in the middle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/derive/fleet/barriers.hpp"

namespace kdiag::fleet {

/// Fewer like it have no middle that one of them could be off (judgement).
inline constexpr std::size_t fewest_peers = 4;

/// Ranks that do the same work: of one pipeline stage, with as many collectives in a step.
struct Peers {
  std::vector<std::uint32_t> ranks;  ///< rows
  std::vector<double> usual;         ///< by step: ns of local work of the middle rank; NaN where there is none
  double typical = 0;                ///< ns of local work in the middle step of the middle rank
  bool judged() const { return ranks.size() >= fewest_peers && typical > 0; }
};

class LocalWork {
 public:
  LocalWork(const FactStore& store, const Barriers& barriers);

  const std::vector<Peers>& peers() const { return peers_; }
  std::uint32_t peers_of(std::uint32_t rank) const { return of_rank_[rank]; }
  std::size_t steps() const { return steps_; }
  /// ns of local work of a rank in a step; NaN where it made no call.
  double of(std::uint32_t rank, std::size_t step) const { return work_[rank * steps_ + step]; }
  /// In the middle step, how much more a rank works than the middle one of its peers, as a share of what is typical of
  /// them; NaN where it is not judged.
  double excess(std::uint32_t rank) const { return excess_[rank]; }
  /// The same of one step alone.
  double excess(std::uint32_t rank, std::size_t step) const;
  /// By call: ns of the same call of the middle one of its peers in that step; its own where there are none.
  const std::vector<std::int64_t>& usual_calls() const { return usual_calls_; }
  /// By call: ns of the same call of all its peers in the middle of all steps; its own where there are none.
  const std::vector<std::int64_t>& typical_calls() const { return typical_calls_; }

 private:
  void find_peers(const FactStore& store, const Barriers& barriers);
  void find_usual_work();
  void find_calls(const Barriers& barriers);

  std::size_t steps_ = 0;
  std::vector<double> work_;
  std::vector<Peers> peers_;
  std::vector<std::uint32_t> of_rank_;
  std::vector<double> excess_;
  std::vector<std::int64_t> usual_calls_, typical_calls_;
};

}  // namespace kdiag::fleet
