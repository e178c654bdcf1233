// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/replay.hpp"

#include <algorithm>
#include <vector>

namespace kdiag::fleet {
namespace {

constexpr std::uint32_t nobody = no_step;

class Replay {
 public:
  Replay(const Barriers& barriers, std::span<const std::int64_t> local, std::span<const std::int64_t> transfer)
      : barriers_(barriers),
        local_(local),
        transfer_(transfer),
        ranks_(barriers.ranks()),
        missing_(barriers.members),
        end_(barriers.members.size(), 0),
        waiting_(barriers.members.size(), nobody) {}

  std::optional<std::int64_t> run() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      ranks_[rank].next = ranks_[rank].ended = barriers_.first[rank];
      ready_.push_back(rank);
    }
    while (!ready_.empty()) {
      const std::uint32_t rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
    std::int64_t job = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].ended != barriers_.first[rank + 1]) return std::nullopt;
      job = std::max(job, ranks_[rank].at + barriers_.tail[rank]);
    }
    return job;
  }

 private:
  struct Rank {
    std::size_t next = 0;           ///< its call to come
    std::size_t ended = 0;          ///< place in Barriers::by_end up to which its calls have ended
    std::int64_t at = 0;            ///< the later of its last arrival and its last end
    std::uint32_t beside = nobody;  ///< the next rank that waits for the same barrier
  };

  /// Goes on with a rank until it waits for a barrier.
  void advance(std::uint32_t number) {
    Rank& rank = ranks_[number];
    const std::size_t last = barriers_.first[number + 1];
    for (;;) {
      const std::int64_t until = rank.next < last ? barriers_.calls[rank.next].span.start : latest_instant;
      for (; rank.ended < last; ++rank.ended) {
        const Call& call = barriers_.calls[barriers_.by_end[rank.ended]];
        if (call.span.end > until) break;
        if (missing_[call.barrier] > 0) return wait(number, call.barrier);
        rank.at = std::max(rank.at, end_[call.barrier]);
      }
      if (rank.next == last) return;
      rank.at += local_[rank.next];
      arrive(barriers_.calls[rank.next].barrier, rank.at);
      ++rank.next;
    }
  }

  void wait(std::uint32_t number, std::uint32_t barrier) {
    ranks_[number].beside = waiting_[barrier];
    waiting_[barrier] = number;
  }

  void arrive(std::uint32_t barrier, std::int64_t at) {
    end_[barrier] = std::max(end_[barrier], at);
    if (--missing_[barrier] > 0) return;
    end_[barrier] += transfer_[barrier];
    for (std::uint32_t rank = waiting_[barrier]; rank != nobody; rank = ranks_[rank].beside) ready_.push_back(rank);
  }

  const Barriers& barriers_;
  std::span<const std::int64_t> local_, transfer_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> missing_;  ///< by barrier: calls that have not arrived
  std::vector<std::int64_t> end_;       ///< by barrier: the last arrival, and once all are there its end
  std::vector<std::uint32_t> waiting_;  ///< by barrier: one of the ranks that wait for it
  std::vector<std::uint32_t> ready_;
};

}  // namespace

std::optional<std::int64_t> job_time(const Barriers& barriers, std::span<const std::int64_t> local,
                                     std::span<const std::int64_t> transfer) {
  return Replay(barriers, local, transfer).run();
}

}  // namespace kdiag::fleet
