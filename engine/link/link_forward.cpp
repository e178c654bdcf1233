// SPDX-License-Identifier: Apache-2.0
// Backward operators and the forward operators they belong to.
#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/link/link_steps.hpp"

namespace kdiag {
namespace {

/// A forward operator that may have recorded a node of the autograd graph.
struct Forward {
  std::uint32_t rank;
  std::int64_t sequence;
  std::uint32_t thread;
  std::int64_t start;
  std::uint32_t row;
};

bool earlier(const Forward& a, const Forward& b) {
  return std::tie(a.rank, a.sequence, a.thread, a.start, a.row) <
         std::tie(b.rank, b.sequence, b.thread, b.start, b.row);
}

std::vector<Forward> forward_ops(const FactStore& store, const RowRanks& ranks) {
  const auto sequences = store.integers(column("ops.sequence"));
  const auto numbers = store.integers(column("ops.forward_thread"));
  const auto threads = store.indices(column("ops.thread"));
  const auto starts = store.integers(column("ops.start"));
  std::vector<Forward> found;
  for (std::uint32_t row = 0; row < sequences.size(); ++row)
    if (sequences[row] != absent_integer && numbers[row] == 0 && starts[row] != absent_integer)
      found.push_back({ranks.of_thread(threads[row]), sequences[row], threads[row], starts[row], row});
  std::sort(found.begin(), found.end(), earlier);
  return found;
}

}  // namespace

/// Sequence numbers count per forward thread, and backward operators name that thread by autograd's number, which
/// forward operators do not state. The thread that shares most sequence numbers with the backward operators of a number
/// is taken to be it. Of several operators with one sequence number the last that began before the backward one
/// recorded the node (as PyTorch's own forward-backward arrows have it).
void link_forward_ops(FactStore& store) {
  for (const ColumnId needed :
       {column("ops.sequence"), column("ops.forward_thread"), column("ops.thread"), column("ops.start")})
    if (!store.has(needed)) return;
  const RowRanks ranks(store);
  const std::vector<Forward> forward = forward_ops(store, ranks);
  if (forward.empty()) return;
  const auto sequences = store.integers(column("ops.sequence"));
  const auto numbers = store.integers(column("ops.forward_thread"));
  const auto threads = store.indices(column("ops.thread"));
  const auto starts = store.integers(column("ops.start"));

  const auto is_backward = [&](std::uint32_t row) {
    return sequences[row] != absent_integer && numbers[row] > 0 && starts[row] != absent_integer;
  };
  const auto first_of = [&](std::uint32_t rank, std::int64_t sequence) {
    return std::lower_bound(forward.begin(), forward.end(), Forward{rank, sequence, 0, absent_integer, 0}, earlier);
  };
  using Number = std::pair<std::uint32_t, std::int64_t>;  // rank, autograd's number of the forward thread
  std::map<Number, std::map<std::uint32_t, std::size_t>> votes;
  for (std::uint32_t row = 0; row < sequences.size(); ++row) {
    if (!is_backward(row)) continue;
    const std::uint32_t rank = ranks.of_thread(threads[row]);
    std::uint32_t last = absent_index;
    for (auto at = first_of(rank, sequences[row]);
         at != forward.end() && at->rank == rank && at->sequence == sequences[row]; ++at) {
      if (at->thread != last) ++votes[{rank, numbers[row]}][at->thread];
      last = at->thread;
    }
  }
  std::map<Number, std::uint32_t> thread_of;
  for (const auto& [number, threads_voted] : votes)
    thread_of[number] = std::max_element(threads_voted.begin(), threads_voted.end(), [](const auto& a, const auto& b) {
                          return a.second < b.second;
                        })->first;

  std::vector<std::uint32_t>& link = store.mutable_indices(column("ops.forward"), "derived");
  for (std::uint32_t row = 0; row < sequences.size(); ++row) {
    if (!is_backward(row)) continue;
    const std::uint32_t rank = ranks.of_thread(threads[row]);
    const auto known = thread_of.find({rank, numbers[row]});
    if (known == thread_of.end()) continue;
    // The last entry before one that starts with the backward operator.
    const auto after = std::lower_bound(forward.begin(), forward.end(),
                                        Forward{rank, sequences[row], known->second, starts[row], 0}, earlier);
    if (after == forward.begin()) continue;
    const Forward& best = *(after - 1);
    if (best.rank == rank && best.sequence == sequences[row] && best.thread == known->second) link[row] = best.row;
  }
}

}  // namespace kdiag
