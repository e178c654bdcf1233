// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/transfers.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace kdiag::fleet {
namespace {

/// A barrier's calls: the first and the last rank, and a row of `comms`.
struct Ends {
  std::uint32_t first = absent_index, last = absent_index, row = absent_index;
};

std::vector<Ends> ends_of(const Barriers& barriers) {
  std::vector<Ends> out(barriers.members.size());
  for (std::uint32_t rank = 0; rank < barriers.ranks(); ++rank)
    for (std::size_t i = barriers.first[rank]; i < barriers.first[rank + 1]; ++i) {
      Ends& ends = out[barriers.calls[i].barrier];
      if (ends.first == absent_index) ends.first = rank;
      ends.last = rank;
      ends.row = barriers.calls[i].row;
    }
  return out;
}

bool is_message(const FactStore& store, std::uint32_t op) {
  constexpr std::string_view names[] = {"send", "recv", "send_recv"};
  return op != absent_index && std::find(std::begin(names), std::end(names), store.strings[op]) != std::end(names);
}

}  // namespace

std::vector<std::optional<Transfer>> transfers_of(const FactStore& store, const Barriers& barriers, bool all_here) {
  const std::vector<Ends> all_ends = ends_of(barriers);
  std::vector<std::optional<Transfer>> out(all_ends.size());
  for (std::size_t barrier = 0; barrier < out.size(); ++barrier) {
    const Ends& ends = all_ends[barrier];
    const std::uint32_t calls = barriers.members[barrier];
    if (ends.row == absent_index || calls < 2) continue;
    const std::int32_t size = store.small(column("comms.group_size"), ends.row);
    Transfer transfer;
    transfer.link.group = store.index(column("comms.group"), ends.row);
    transfer.op = store.index(column("comms.op"), ends.row);
    transfer.bytes = store.integer(column("comms.bytes"), ends.row);
    transfer.calls = calls;
    if (transfer.link.group == absent_index) continue;
    if (is_message(store, transfer.op) && calls == 2) {
      transfer.op = absent_index;  // one end sends, the other receives
      if (size != 2) std::tie(transfer.link.rank, transfer.link.peer) = std::pair(ends.first, ends.last);
    } else if (size == absent_small ? !all_here : calls < static_cast<std::uint32_t>(std::max(0, size))) {
      continue;
    }
    out[barrier] = transfer;
  }
  return out;
}

}  // namespace kdiag::fleet
