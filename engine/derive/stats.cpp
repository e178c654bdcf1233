// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/stats.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/rows/name_groups.hpp"
#include "engine/derive/rows/outermost_of_name.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

using Indices = std::vector<std::uint32_t>;
using Times = std::vector<std::int64_t>;

template <class T>
std::vector<T> at_rows(std::span<const T> column, const Indices& rows) {
  std::vector<T> values;
  if (column.empty()) return values;
  values.reserve(rows.size());
  for (std::uint32_t row : rows) values.push_back(column[row]);
  return values;
}

/// A table's rows in scope, with their names, and the device or rank that owns each.
struct Events {
  Indices rows, owner, name;
  std::size_t owners = 0;
  bool by_device = false;
};

Events events_by_device(const FactStore& store, TableId table_id, ColumnId device, ColumnId name) {
  Events events{.rows = rows_in_scope(store, table_id),
                .owner = {},
                .name = {},
                .owners = store.rows(table("devices")),
                .by_device = true};
  events.owner = at_rows(store.indices(device), events.rows);
  events.name = at_rows(store.indices(name), events.rows);
  return events;
}

Events events_by_rank(const FactStore& store, TableId table_id, ColumnId name) {
  Events events{.rows = rows_in_scope(store, table_id),
                .owner = {},
                .name = {},
                .owners = store.rows(table("ranks")),
                .by_device = false};
  const RankSlots slots(store, table_id);
  if (events.owners > 0)
    for (std::uint32_t row : events.rows) events.owner.push_back(slots[row]);
  events.name = at_rows(store.indices(name), events.rows);
  return events;
}

/// A *_stats table being written: groups in the order of their totals.
class StatsTable {
 public:
  StatsTable(FactStore& store, TableId table_id, const Events& events, const NameGroups& groups,
             std::span<const std::int64_t> total)
      : store_(store), order_(largest_first(store.strings, groups, total)) {
    store.resize(table_id, groups.size());
    const std::string_view name = info(table_id).name;
    set(find_column(name, "name"), groups.name);
    Indices rank = groups.owner;
    if (events.by_device) {
      set(find_column(name, "device"), groups.owner);
      for (std::uint32_t& owner : rank)
        if (owner != absent_index) owner = store.index(column("devices.rank"), owner);
    }
    if (store.rows(table("ranks")) > 0) set(find_column(name, "rank"), rank);
    Times calls(groups.size());
    for (std::uint32_t g : groups.of_row)
      if (g != absent_index) ++calls[g];
    set(find_column(name, "calls"), calls);
  }

  template <class T>
  void set(ColumnId id, const std::vector<T>& by_group) {
    if (by_group.empty()) return;
    std::vector<T> values;
    values.reserve(order_.size());
    for (std::uint32_t group : order_) values.push_back(by_group[group]);
    store_.replace(id, std::move(values), "derived");
  }

 private:
  FactStore& store_;
  Indices order_;
};

struct Spread {
  Times shortest, longest, mean;
};

Spread spread_of(const NameGroups& groups, const Times& dur, const Times& total) {
  Spread spread{Times(groups.size(), absent_integer), Times(groups.size(), absent_integer),
                Times(groups.size(), absent_integer)};
  Times timed(groups.size());
  for (std::size_t row = 0; row < dur.size(); ++row) {
    const std::uint32_t g = groups.of_row[row];
    if (g == absent_index || dur[row] == absent_integer) continue;
    spread.shortest[g] = timed[g] == 0 ? dur[row] : std::min(spread.shortest[g], dur[row]);
    spread.longest[g] = std::max(spread.longest[g], dur[row]);
    ++timed[g];
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (timed[g] > 0 && total[g] != absent_integer) spread.mean[g] = (total[g] + timed[g] / 2) / timed[g];
  return spread;
}

/// Durations of the events; what is no duration is absent.
Times durations(std::span<const std::int64_t> column, const Indices& rows) {
  Times dur = at_rows(column, rows);
  for (std::int64_t& value : dur)
    if (!span_of(0, value)) value = absent_integer;
  return dur;
}

/// Writes the columns that kernel_stats, api_stats and copy_stats share.
StatsTable write_stats(FactStore& store, TableId table_id, const Events& events, const NameGroups& groups,
                       std::span<const std::int64_t> dur_column) {
  const Times dur = durations(dur_column, events.rows);
  const Times total = sums(groups, dur);
  const Spread spread = spread_of(groups, dur, total);
  StatsTable stats(store, table_id, events, groups, total);
  const std::string_view name = info(table_id).name;
  stats.set(find_column(name, "total"), total);
  stats.set(find_column(name, "min"), spread.shortest);
  stats.set(find_column(name, "max"), spread.longest);
  stats.set(find_column(name, "mean"), spread.mean);
  return stats;
}

NameGroups grouped(const FactStore& store, const Events& events) {
  return group_by_name(events.owner, events.owners, events.name, store.strings.size());
}

void derive_kernel_stats(FactStore& store) {
  const Events events = events_by_device(store, table("kernels"), column("kernels.device"), column("kernels.name"));
  const NameGroups groups = grouped(store, events);
  StatsTable stats = write_stats(store, table("kernel_stats"), events, groups, store.integers(column("kernels.dur")));
  if (!store.has(column("kernels.class"))) return;
  Indices classes;
  for (std::uint32_t first : groups.first) classes.push_back(store.index(column("kernels.class"), events.rows[first]));
  stats.set(column("kernel_stats.class"), classes);
}

void derive_api_stats(FactStore& store) {
  const Events events = events_by_rank(store, table("api"), column("api.name"));
  write_stats(store, table("api_stats"), events, grouped(store, events), store.integers(column("api.dur")));
}

/// "h2d (pageable -> device)": the kind, and the memories when both are known.
Indices copy_names(FactStore& store, const Indices& rows) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  std::vector<std::pair<Key, std::uint32_t>> known;  // a handful
  const std::uint32_t unknown = store.strings.find("unknown");
  Indices names;
  for (std::uint32_t row : rows) {
    const Key key{store.index(column("copies.kind"), row), store.index(column("copies.src"), row),
                  store.index(column("copies.dst"), row)};
    auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == key; });
    if (found == known.end()) {
      const auto [kind, src, dst] = key;
      std::string name(kind == absent_index ? "unknown" : store.strings[kind]);
      const bool both = src != absent_index && dst != absent_index && src != unknown && dst != unknown;
      if (both) name += " (" + std::string(store.strings[src]) + " -> " + std::string(store.strings[dst]) + ")";
      known.emplace_back(key, store.strings.intern(name));
      found = std::prev(known.end());
    }
    names.push_back(found->second);
  }
  return names;
}

/// Sums of groups; absent of a group that has a row without a value.
Times whole_sums(const NameGroups& groups, const Times& values) {
  if (values.empty()) return {};
  Times sum = sums(groups, values);
  for (std::size_t row = 0; row < values.size(); ++row)
    if (const std::uint32_t g = groups.of_row[row]; g != absent_index && values[row] == absent_integer)
      sum[g] = absent_integer;
  return sum;
}

void write_copy_stats(FactStore& store) {
  Events events = events_by_device(store, table("copies"), column("copies.device"), column("copies.kind"));
  events.name = copy_names(store, events.rows);
  const NameGroups groups = grouped(store, events);
  const Times bytes = whole_sums(groups, at_rows(store.integers(column("copies.bytes")), events.rows));
  write_stats(store, table("copy_stats"), events, groups, store.integers(column("copies.dur")))
      .set(column("copy_stats.bytes"), bytes);
}

void derive_op_stats(FactStore& store, CancelFlag cancel) {
  const Events events = events_by_rank(store, table("ops"), column("ops.name"));
  stop_if(cancel);
  const NameGroups groups = grouped(store, events);
  stop_if(cancel);
  const std::vector<bool> outermost = outermost_of_name(store, events.rows);
  auto inclusive = [&](ColumnId id) {
    stop_if(cancel);
    Times values = at_rows(store.integers(id), events.rows);
    for (std::size_t at = 0; at < values.size(); ++at)
      if (!outermost[at]) values[at] = 0;
    return values.empty() ? values : sums(groups, values);
  };
  auto self = [&](ColumnId id) {
    stop_if(cancel);
    const Times values = at_rows(store.integers(id), events.rows);
    return values.empty() ? values : sums(groups, values);
  };
  const Times host_total =
      inclusive(store.has(column("ops.host_total")) ? column("ops.host_total") : column("ops.dur"));
  StatsTable stats(store, table("op_stats"), events, groups, host_total.empty() ? Times(groups.size()) : host_total);
  stats.set(column("op_stats.host_total"), host_total);
  stats.set(column("op_stats.host_self"), self(column("ops.host_self")));
  stats.set(column("op_stats.device_self"), self(column("ops.device_self")));
  stats.set(column("op_stats.device_total"), inclusive(column("ops.device_total")));
}

}  // namespace

void derive_copy_stats(FactStore& store) {
  if (store.present(table("copies")) && !store.present(table("copy_stats"))) write_copy_stats(store);
}

void derive_stats(FactStore& store, CancelFlag cancel) {
  const auto needed = [&](TableId events, TableId stats) {
    stop_if(cancel);
    const bool named = store.rows(events) == 0 || store.has(find_column(info(events).name, "name"));
    return named && store.present(events) && !store.present(stats);
  };
  if (needed(table("kernels"), table("kernel_stats"))) derive_kernel_stats(store);
  if (needed(table("api"), table("api_stats"))) derive_api_stats(store);
  derive_copy_stats(store);
  if (needed(table("ops"), table("op_stats"))) derive_op_stats(store, cancel);
}

}  // namespace kdiag
