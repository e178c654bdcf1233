// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/outermost_of_name.hpp"

#include <algorithm>

#include "engine/derive/rows/row_groups.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {

std::vector<bool> outermost_of_name(const FactStore& store, const std::vector<std::uint32_t>& rows) {
  using Indices = std::vector<std::uint32_t>;
  std::vector<bool> outermost(rows.size(), true);
  const SpanColumns spans{store.integers(column("ops.start")), store.integers(column("ops.dur"))};
  const auto names = store.indices(column("ops.name")), threads = store.indices(column("ops.thread"));
  if (spans.empty() || names.empty()) return outermost;
  Indices thread;
  if (!threads.empty())
    for (std::uint32_t row : rows) thread.push_back(threads[row]);
  const RowGroups by_thread(thread, rows.size(), store.rows(table("threads")));
  std::vector<std::int64_t> end_of_name(store.strings.size());
  Indices thread_of_name(store.strings.size(), absent_index);
  for (std::uint32_t t = 0; t < by_thread.owner_count(); ++t) {
    Indices order;
    for (std::uint32_t at : by_thread.of(t))
      if (names[rows[at]] != absent_index && spans[rows[at]]) order.push_back(at);
    auto outer_first = [&](std::uint32_t a, std::uint32_t b) {
      if (spans.start[rows[a]] != spans.start[rows[b]]) return spans.start[rows[a]] < spans.start[rows[b]];
      return spans.dur[rows[a]] > spans.dur[rows[b]];
    };
    if (!std::is_sorted(order.begin(), order.end(), outer_first))
      std::stable_sort(order.begin(), order.end(), outer_first);
    for (std::uint32_t at : order) {
      const std::int64_t end = spans[rows[at]]->end;
      const std::uint32_t name = names[rows[at]];
      if (thread_of_name[name] == t && end <= end_of_name[name] && spans.dur[rows[at]] > 0) {
        outermost[at] = false;
      } else {
        thread_of_name[name] = t;
        end_of_name[name] = end;
      }
    }
  }
  return outermost;
}

}  // namespace kdiag
