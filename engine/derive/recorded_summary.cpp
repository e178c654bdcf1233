// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/recorded_summary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// A kind of record; `unless`: the table whose rows are the same ones by one.
struct RecordKind {
  TableId table;
  ColumnId name, time;
  TableId unless = {};
};
constexpr RecordKind record_kinds[] = {
    {table("steps"), column("steps.anchor"), column("steps.dur")},
    {table("functions"), column("functions.name"), column("functions.total")},
    {table("comms"), column("comms.op"), column("comms.dur")},
    {table("ops"), column("ops.name"), column("ops.dur")},
    {table("op_stats"), column("op_stats.name"), column("op_stats.host_self"), table("ops")},
    {table("annotations"), column("annotations.name"), column("annotations.dur")},
    {table("api"), column("api.name"), column("api.dur")},
    {table("api_stats"), column("api_stats.name"), column("api_stats.total"), table("api")},
    {table("os_calls"), column("os_calls.name"), column("os_calls.dur")},
    {table("copies"), column("copies.kind"), column("copies.dur")},
    {table("copy_stats"), column("copy_stats.name"), column("copy_stats.total"), table("copies")},
};

/// Whether a row is about the profiler, and nothing that the program did.
bool is_of_profiler(const FactStore& store, const RecordKind& kind, std::size_t row) {
  constexpr ColumnId range_kind = column("annotations.kind");
  if (kind.table != table("annotations") || !store.has(range_kind)) return false;
  const std::string_view about = store.text(range_kind, row);
  return about == "window" || about == "overhead";
}

/// The rows of the kind.
std::vector<std::size_t> rows_of(const FactStore& store, const RecordKind& kind) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < store.rows(kind.table); ++row)
    if (!is_of_profiler(store, kind, row)) rows.push_back(row);
  return rows;
}

/// The rows that lie in no other of their name on their thread: the time of a function that calls itself is that of its
/// outermost call.
std::vector<std::size_t> without_recursion(const FactStore& store, const RecordKind& kind,
                                           std::vector<std::size_t> rows) {
  const std::string_view table = info(kind.table).name;
  const ColumnId start = find_column(table, "start"), thread = find_column(table, "thread");
  if (!start.valid() || !thread.valid() || !store.has(start) || !store.has(thread) || !store.has(kind.time))
    return rows;
  const SpanColumns spans{store.integers(start), store.integers(kind.time)};
  std::stable_sort(rows.begin(), rows.end(), [&spans](std::size_t a, std::size_t b) {
    return std::pair(spans.start[a], spans.dur[b]) < std::pair(spans.start[b], spans.dur[a]);
  });
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> ends;  // by thread and name
  std::erase_if(rows, [&](std::size_t row) {
    const auto span = spans[static_cast<std::uint32_t>(row)];
    const std::uint32_t on = store.index(thread, row);
    if (!span || on == absent_index) return false;
    const auto [known, added] = ends.try_emplace({on, store.index(kind.name, row)}, span->end);
    if (!added && span->end <= known->second) return span->length() > 0;
    known->second = span->end;
    return false;
  });
  return rows;
}

/// The name whose rows have most time together, with that time; of equal ones the first by letters.
std::optional<std::pair<std::string, std::int64_t>> longest_name(const FactStore& store, const RecordKind& kind,
                                                                 const std::vector<std::size_t>& rows,
                                                                 std::size_t& names) {
  if (!store.has(kind.name)) return std::nullopt;
  std::map<std::string_view, std::int64_t> times;
  for (const std::size_t row : without_recursion(store, kind, rows)) {
    if (store.index(kind.name, row) == absent_index) continue;
    std::int64_t& time = times[store.text(kind.name, row)];
    if (!store.has(kind.time)) continue;
    const std::int64_t ns = store.integer(kind.time, row);
    if (ns > 0 && __builtin_add_overflow(time, ns, &time)) time = std::numeric_limits<std::int64_t>::max();
  }
  names = times.size();
  const auto longest =
      std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (longest == times.end() || longest->second == 0) return std::nullopt;
  return std::pair(std::string(longest->first), longest->second);
}

std::optional<std::int64_t> median_time(const FactStore& store, const RecordKind& kind,
                                        const std::vector<std::size_t>& rows) {
  std::vector<std::int64_t> times;
  if (store.has(kind.time))
    for (const std::size_t row : rows)
      if (const std::int64_t ns = store.integer(kind.time, row); ns >= 0) times.push_back(ns);
  if (times.empty()) return std::nullopt;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::optional<double> highest_bandwidth(const FactStore& store) {
  std::optional<double> highest;
  constexpr ColumnId bandwidth = column("comms.bus_bw");
  if (store.has(bandwidth))
    for (std::size_t row = 0; row < store.rows(table("comms")); ++row)
      if (const double value = store.real(bandwidth, row); value > highest.value_or(0)) highest = value;
  return highest;
}

}  // namespace

std::vector<RecordedEntry> summarise_records(const FactStore& store) {
  std::vector<RecordedEntry> entries;
  for (const RecordKind& kind : record_kinds) {
    const std::vector<std::size_t> rows = rows_of(store, kind);
    if (rows.empty() || (kind.unless.valid() && store.rows(kind.unless) > 0)) continue;
    RecordedEntry& entry = entries.emplace_back();
    entry.table = info(kind.table).name;
    entry.rows = static_cast<std::int64_t>(rows.size());
    std::size_t names = 0;
    if (auto longest = longest_name(store, kind, rows, names)) {
      entry.longest = std::move(longest->first);
      entry.longest_ns = longest->second;
    }
    entry.names = static_cast<std::int64_t>(names);
    entry.median_ns = median_time(store, kind, rows);
    if (kind.table == table("comms")) entry.bus_bandwidth = highest_bandwidth(store);
  }
  return entries;
}

}  // namespace kdiag
