// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/idle_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/derive/blame/last_sync.hpp"
#include "engine/derive/blame/recurrence.hpp"
#include "engine/facts/known_column.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {

IdleRows idle_rows_of(const FactStore& store) {
  IdleRows rows;
  const SpanColumns spans{store.integers(column("idle.start")), store.integers(column("idle.dur"))};
  for (std::uint32_t i = 0; i < store.rows(table("idle")); ++i) {
    const auto span = spans[i];
    const std::uint32_t device = store.index(column("idle.device"), i);
    if (!span || device == absent_index) continue;
    rows.push_back({.span = *span,
                    .device = device,
                    .cause = store.index(column("idle.cause"), i),
                    .op = store.index(column("idle.op"), i),
                    .call = store.index(column("idle.call"), i),
                    .thread = store.index(column("idle.host_thread"), i),
                    .frame = store.index(column("idle.frame"), i),
                    .hidden = store.index(column("idle.hidden"), i),
                    .blame = {},
                    .culprit = absent_index,
                    .range = absent_index});
  }
  return rows;
}

void store_idle_rows(FactStore& store, const IdleRows& rows, CancelFlag cancel) {
  std::uint32_t names[blame_count];
  for (std::size_t blame = 0; blame < blame_count; ++blame)
    names[blame] = store.strings.intern(catalogue_blames[blame].name);
  std::vector<std::int64_t> starts, durs;
  starts.reserve(rows.size());
  durs.reserve(rows.size());
  for (const IdleRow& row : rows) {
    starts.push_back(row.span.start);
    durs.push_back(row.span.length());
  }
  std::vector<std::uint32_t> recurring = recurrence(store, rows);
  store.resize(table("idle"), rows.size());
  store.replace(column("idle.start"), std::move(starts), "derived");
  store.replace(column("idle.dur"), std::move(durs), "derived");
  const auto put = [&](ColumnId column, auto value_of) {
    std::vector<std::uint32_t> values;
    values.reserve(rows.size());
    for (const IdleRow& row : rows) values.push_back(value_of(row));
    replace_known(store, column, std::move(values));
  };
  put(column("idle.device"), [](const IdleRow& row) { return row.device; });
  put(column("idle.cause"), [](const IdleRow& row) { return row.cause; });
  put(column("idle.op"), [](const IdleRow& row) { return row.op; });
  put(column("idle.call"), [](const IdleRow& row) { return row.call; });
  put(column("idle.host_thread"), [](const IdleRow& row) { return row.thread; });
  put(column("idle.frame"), [](const IdleRow& row) { return row.frame; });
  put(column("idle.hidden"), [](const IdleRow& row) { return row.hidden; });
  put(column("idle.blame"),
      [&](const IdleRow& row) { return row.blame ? names[static_cast<std::size_t>(*row.blame)] : absent_index; });
  put(column("idle.culprit"), [](const IdleRow& row) { return row.culprit; });
  put(column("idle.range"), [](const IdleRow& row) { return row.range; });
  std::vector<std::uint32_t> syncs = last_syncs(store, rows, cancel);
  replace_known(store, column("idle.sync"), std::move(syncs));
  replace_known(store, column("idle.recurring"), std::move(recurring));
}

}  // namespace kdiag
