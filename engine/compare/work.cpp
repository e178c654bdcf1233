// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/work.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/number.hpp"
#include "base/text.hpp"
#include "engine/compare/function_comparison_names.hpp"
#include "engine/compare/host_ranges.hpp"
#include "engine/compare/waits.hpp"
#include "engine/derive/rows/outermost_of_name.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

struct TotalsTable {
  TableId table;
  ColumnId name, calls, total;
};
constexpr TotalsTable kernel_stats{table("kernel_stats"), column("kernel_stats.name"), column("kernel_stats.calls"),
                                   column("kernel_stats.total")};
constexpr TotalsTable copy_stats{table("copy_stats"), column("copy_stats.name"), column("copy_stats.calls"),
                                 column("copy_stats.total")};
constexpr TotalsTable api_stats{table("api_stats"), column("api_stats.name"), column("api_stats.calls"),
                                column("api_stats.total")};
constexpr TotalsTable op_stats{table("op_stats"), column("op_stats.name"), column("op_stats.calls"),
                               column("op_stats.host_total")};
constexpr TotalsTable function_totals{table("functions"), column("functions.name"), column("functions.calls"),
                                      column("functions.total")};

/// Single events that totals are made of.
struct EventTable {
  TableId table;
  ColumnId name, start, dur;
};
constexpr EventTable api_events{table("api"), column("api.name"), column("api.start"), column("api.dur")};
constexpr EventTable op_events{table("ops"), column("ops.name"), column("ops.start"), column("ops.dur")};

struct Total {
  std::int64_t calls = 0, ns = 0;
  double waited = 0;  // ns of it
  bool communication = false;
  std::optional<std::int64_t> shortest = {}, longest = {}, bytes = {};  // known only of all of its calls
};
using Totals = std::map<std::uint32_t, Total>;  // by id of the name in the run's strings

/// Nothing where one of both is not known.
template <class Choose>
std::optional<std::int64_t> of_both(std::optional<std::int64_t> a, std::optional<std::int64_t> b, Choose choose) {
  return a && b ? std::optional(choose(*a, *b)) : std::nullopt;
}

void add_to(Total& sum, const Total& more) {
  const bool first = sum.calls == 0 && sum.ns == 0;
  sum.shortest =
      first ? more.shortest : of_both(sum.shortest, more.shortest, [](auto a, auto b) { return std::min(a, b); });
  sum.longest =
      first ? more.longest : of_both(sum.longest, more.longest, [](auto a, auto b) { return std::max(a, b); });
  sum.bytes = first ? more.bytes : of_both(sum.bytes, more.bytes, [](auto a, auto b) { return add_times(a, b); });
  sum.calls = add_times(sum.calls, more.calls);
  sum.ns = add_times(sum.ns, more.ns);
  sum.waited += more.waited;
  sum.communication = sum.communication || more.communication;
}

std::optional<std::int64_t> stated(const FactStore& store, std::optional<ColumnId> id, std::uint32_t row) {
  const std::int64_t value = id ? store.integer(*id, row) : absent_integer;
  return value == absent_integer ? std::nullopt : std::optional(value);
}

bool belongs(const PairSide& side, const TotalsTable& stats, const RankSlots& slots, std::uint32_t row) {
  const ColumnId device = find_column(info(stats.table).name, "device");
  const bool of_device = stats.table == kernel_stats.table || stats.table == copy_stats.table;
  return of_device ? side.store().index(device, row) == side.device : slots[row] == side.slot;
}

Totals name_totals(const PairSide& side, const TotalsTable& stats, CancelFlag cancel) {
  const FactStore& store = side.store();
  const RankSlots slots(store, stats.table);
  const bool of_kernels = stats.table == kernel_stats.table, of_copies = stats.table == copy_stats.table;
  std::optional<ColumnId> shortest, longest;
  if (of_kernels || of_copies) {
    shortest = find_column(info(stats.table).name, "min");
    longest = find_column(info(stats.table).name, "max");
  }
  Totals totals;
  for (std::uint32_t row = 0; row < store.rows(stats.table); ++row) {
    stop_if(cancel);
    const std::uint32_t name = store.index(stats.name, row);
    const std::int64_t calls = store.integer(stats.calls, row), ns = store.integer(stats.total, row);
    if (name == absent_index || ns == absent_integer || !belongs(side, stats, slots, row)) continue;
    add_to(totals[name],
           {.calls = std::max<std::int64_t>(calls, 0),
            .ns = ns,
            .communication = of_kernels && store.text(column("kernel_stats.class"), row) == "communication",
            .shortest = stated(store, shortest, row),
            .longest = stated(store, longest, row),
            .bytes = of_copies ? stated(store, column("copy_stats.bytes"), row) : std::nullopt});
  }
  return totals;
}

/// As far as the events lie in the wall of a device; nothing where the wall is another, which the totals are of. Each
/// is a call, but a recursive operator takes its time once, as in op_stats.
std::optional<Totals> totals_in_device_wall(const PairSide& side, const EventTable& events, CancelFlag cancel) {
  const FactStore& store = side.store();
  const SpanColumns spans{store.integers(events.start), store.integers(events.dur)};
  if (side.wall().basis != WallBasis::device || spans.empty()) return std::nullopt;
  const RankSlots slots(store, events.table);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < store.rows(events.table); ++row)
    if (store.index(events.name, row) != absent_index && slots[row] == side.slot) rows.push_back(row);
  std::vector<bool> outermost;
  if (events.table == op_events.table) outermost = outermost_of_name(store, rows);
  Totals totals;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    stop_if(cancel);
    const auto span = spans[rows[at]];
    const std::int64_t inside = span ? side.wall().parts.covered(*span) : 0;
    if (inside <= 0) continue;
    Total& total = totals[store.index(events.name, rows[at])];
    ++total.calls;
    if (outermost.empty() || outermost[at]) total.ns = add_times(total.ns, inside);
  }
  return totals;
}

Totals totals_of(const PairSide& side, const TotalsTable& stats, CancelFlag cancel) {
  std::optional<Totals> inside;
  if (stats.table == api_stats.table) inside = totals_in_device_wall(side, api_events, cancel);
  if (stats.table == op_stats.table) inside = totals_in_device_wall(side, op_events, cancel);
  return inside ? std::move(*inside) : name_totals(side, stats, cancel);
}

/// Operators or calls, with what of them waits for the device.
Totals host_totals_of(const PairSide& side, const TotalsTable& stats, const Waits& waits, CancelFlag cancel) {
  Totals totals = totals_of(side, stats, cancel);
  for (auto& [name, total] : totals)
    total.waited =
        static_cast<double>(total.ns) * (stats.table == op_stats.table ? waits.of_operator(name) : waits.of_call(name));
  return totals;
}

/// Totals of the functions of the host or of devices.
Totals function_totals_of(const PairSide& side, bool of_devices, CancelFlag cancel) {
  const FactStore& store = side.store();
  Totals totals;
  for (std::uint32_t row = 0; row < store.rows(function_totals.table); ++row) {
    stop_if(cancel);
    const std::uint32_t name = store.index(function_totals.name, row);
    const std::int64_t calls = store.integer(function_totals.calls, row);
    const std::int64_t ns = store.integer(function_totals.total, row);
    const bool on_device = store.index(column("functions.device"), row) != absent_index;
    if (name == absent_index || ns == absent_integer || on_device != of_devices) continue;
    Total& total = totals[name];
    total.calls = add_times(total.calls, std::max<std::int64_t>(calls, 0));
    total.ns = add_times(total.ns, ns);
  }
  return totals;
}

/// Cycles that have functions of the host, or of devices; 1 where the input does not say to which they belong.
double cycles_with_functions(const PairSide& side, bool of_devices) {
  const FactStore& store = side.store();
  std::set<std::int64_t> cycles;
  for (std::uint32_t row = 0; row < store.rows(function_totals.table); ++row)
    if ((store.index(column("functions.device"), row) != absent_index) == of_devices)
      cycles.insert(store.integer(column("functions.cycle"), row));
  return static_cast<double>(std::max<std::size_t>(1, cycles.size()));
}

/// What one side has under a name that is compared.
struct OwnNames {
  Total total;
  std::set<std::string> names;
};
using JoinedTotals = std::map<std::string, OwnNames>;

JoinedTotals joined_totals(const Totals& totals, const StringPool& strings,
                           const std::map<std::string, std::string>& joined, CancelFlag cancel) {
  JoinedTotals out;
  for (const auto& [id, total] : totals) {
    stop_if(cancel);
    const std::string name(strings[id]);
    const auto other = joined.find(name);
    OwnNames& own = out[other == joined.end() ? name : other->second];
    own.names.insert(name);
    add_to(own.total, total);
  }
  return out;
}

std::map<std::string, std::string> joined_kernels(const Totals& before, const StringPool& old_names,
                                                  const Totals& after, const StringPool& new_names, CancelFlag cancel) {
  const auto names_of = [cancel](const Totals& totals, const StringPool& strings) {
    std::set<std::string> names;
    for (const auto& [id, total] : totals) {
      stop_if(cancel);
      names.emplace(strings[id]);
    }
    return names;
  };
  return joined_names(names_of(before, old_names), names_of(after, new_names), cancel);
}

std::vector<NamedWork> named_work(const JoinedTotals& before, const JoinedTotals& after, CancelFlag cancel) {
  std::map<std::string, NamedWork> work;
  for (const auto& [name, own] : before) {
    stop_if(cancel);
    NamedWork& row = work[name];
    row.name = own.names.size() == 1 ? *own.names.begin() : name;
    row.communication = own.total.communication;
    row.in_normal = true;
    row.calls_normal = own.total.calls;
    row.ns_normal = own.total.ns;
    row.waited_normal = own.total.waited;
    row.shortest_normal = own.total.shortest;
    row.longest_normal = own.total.longest;
    row.bytes_normal = own.total.bytes;
  }
  for (const auto& [name, own] : after) {
    stop_if(cancel);
    NamedWork& row = work[name];
    const auto other = before.find(name);
    row.renamed = other != before.end() && other->second.names != own.names;
    row.name = own.names.size() == 1 ? *own.names.begin() : name;
    row.communication = row.communication || own.total.communication;
    row.in_abnormal = true;
    row.calls_abnormal = own.total.calls;
    row.ns_abnormal = own.total.ns;
    row.waited_abnormal = own.total.waited;
    row.shortest_abnormal = own.total.shortest;
    row.longest_abnormal = own.total.longest;
    row.bytes_abnormal = own.total.bytes;
  }
  std::vector<NamedWork> rows;
  for (auto& [name, row] : work) rows.push_back(std::move(row));
  return rows;
}

std::vector<NamedWork> named_work(const ComparedPair& pair, const Totals& before, const Totals& after,
                                  bool join_families, CancelFlag cancel) {
  const StringPool& old_names = pair.normal.store().strings;
  const StringPool& new_names = pair.abnormal.store().strings;
  std::map<std::string, std::string> joined;
  if (join_families) joined = joined_kernels(before, old_names, after, new_names, cancel);
  return named_work(joined_totals(before, old_names, joined, cancel), joined_totals(after, new_names, joined, cancel),
                    cancel);
}

std::vector<NamedWork> named_work(const ComparedPair& pair, const TotalsTable& stats, CancelFlag cancel) {
  return named_work(pair, totals_of(pair.normal, stats, cancel), totals_of(pair.abnormal, stats, cancel),
                    stats.table == kernel_stats.table, cancel);
}

std::vector<NamedWork> named_host_work(const ComparedPair& pair, const TotalsTable& stats, const Waits& before,
                                       const Waits& after, CancelFlag cancel) {
  return named_work(pair, host_totals_of(pair.normal, stats, before, cancel),
                    host_totals_of(pair.abnormal, stats, after, cancel), false, cancel);
}

std::vector<NamedWork> named_ranges(const ComparedPair& pair, CancelFlag cancel) {
  const auto before = host_ranges(pair.normal, cancel), after = host_ranges(pair.abnormal, cancel);
  const auto is_whole = [](const std::map<std::string, RangeTotal>& ranges, const std::string& name) {
    const auto found = ranges.find(name);
    return found != ranges.end() && found->second.whole;
  };
  const auto joined = [&](const std::map<std::string, RangeTotal>& ranges) {
    JoinedTotals out;
    for (const auto& [name, range] : ranges)
      if (!is_whole(before, name) || !is_whole(after, name))
        out[name] = {{.calls = range.calls, .ns = range.ns}, {name}};
    return out;
  };
  return named_work(joined(before), joined(after), cancel);
}

std::vector<NamedWork> named_functions(const ComparedPair& pair, bool of_devices, CancelFlag cancel) {
  return named_work(pair, function_totals_of(pair.normal, of_devices, cancel),
                    function_totals_of(pair.abnormal, of_devices, cancel), of_devices, cancel);
}

std::optional<double> per_call(std::int64_t ns, std::int64_t calls) {
  return calls > 0 ? std::optional(static_cast<double>(ns) / static_cast<double>(calls)) : std::nullopt;
}

ChangeWay change_of(const NamedWork& work, const CycleCounts& cycles) {
  if (!work.in_normal) return ChangeWay::appeared;
  if (!work.in_abnormal) return ChangeWay::gone;
  const double growth = work.growth(cycles), by_calls = work.growth_by_calls(cycles);
  if (std::abs(by_calls) > std::abs(growth - by_calls))
    return by_calls > 0 ? ChangeWay::more_calls : ChangeWay::fewer_calls;
  return growth - by_calls > 0 ? ChangeWay::slower : ChangeWay::faster;
}

void add_changes(std::vector<ChangeEntry>& changes, ChangeKind kind, const std::vector<NamedWork>& all,
                 const CycleCounts& cycles, CancelFlag cancel) {
  for (const NamedWork& work : all) {
    stop_if(cancel);
    const std::int64_t delta = Number(work.growth(cycles)).rounded();
    if (delta == 0) continue;
    changes.push_back({.kind = kind,
                       .name = work.name,
                       .change = change_of(work, cycles),
                       .calls_normal = work.calls_normal_per(cycles),
                       .calls_abnormal = work.calls_abnormal_per(cycles),
                       .mean_normal_ns = per_call(work.ns_normal, work.calls_normal),
                       .mean_abnormal_ns = per_call(work.ns_abnormal, work.calls_abnormal),
                       .delta_ns = delta,
                       .waits = work.growth_by_waiting(cycles) / work.growth(cycles) > 0.5});
  }
}

/// Whether an operator only encloses another one of the list, or lies inside it.
bool same_change(const ChangeEntry& a, const ChangeEntry& b) {
  return a.kind == ChangeKind::op && b.kind == ChangeKind::op && a.calls_normal == b.calls_normal &&
         a.calls_abnormal == b.calls_abnormal &&
         std::abs(static_cast<double>(a.delta_ns - b.delta_ns)) <= 0.05 * std::abs(static_cast<double>(a.delta_ns));
}

/// "aten::linear", unlike a range of the user's around it, which tables of totals list as an operator.
bool is_of_framework(std::string_view op) { return contains(op, "::"); }

template <class IsCommon>
std::optional<double> similarity_of(const std::vector<NamedWork>& work, const CycleCounts& cycles, IsCommon is_common) {
  double common = 0, all = 0;
  for (const NamedWork& own : work) {
    const auto [fewer, more] = std::minmax({own.calls_normal_per(cycles), own.calls_abnormal_per(cycles)});
    if (is_common(own)) common += fewer;
    all += more;
  }
  return all > 0 ? std::optional(common / all) : std::nullopt;
}

}  // namespace

double NamedWork::growth(const CycleCounts& n) const {
  return static_cast<double>(ns_abnormal) / n.abnormal - static_cast<double>(ns_normal) / n.normal;
}

double NamedWork::growth_by_calls(const CycleCounts& n) const {
  if (calls_normal == 0 || calls_abnormal == 0) return 0;
  const double mean = static_cast<double>(ns_normal) / static_cast<double>(calls_normal);
  return (calls_abnormal_per(n) - calls_normal_per(n)) * mean;
}

double NamedWork::growth_by_waiting(const CycleCounts& n) const {
  return waited_abnormal / n.abnormal - waited_normal / n.normal;
}

Work work_of(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel) {
  Work work;
  if (pair.normal.device != absent_index && pair.abnormal.device != absent_index) {
    work.kernels = kernels_of(pair, cancel);
    work.copies = named_work(pair, copy_stats, cancel);
  }
  const Waits before(pair.normal.store(), cancel), after(pair.abnormal.store(), cancel);
  work.operators = named_host_work(pair, op_stats, before, after, cancel);
  work.calls = named_host_work(pair, api_stats, before, after, cancel);
  work.ranges = named_ranges(pair, cancel);
  stop_if(cancel);
  // What one input does not record is neither new nor gone.
  for (std::vector<NamedWork>* recorded : {&work.operators, &work.calls, &work.ranges}) {
    const auto none = [&](bool NamedWork::*side) {
      return std::none_of(recorded->begin(), recorded->end(), std::mem_fn(side));
    };
    if (none(&NamedWork::in_normal) || none(&NamedWork::in_abnormal)) recorded->clear();
  }
  work.host_functions = named_functions(pair, false, cancel);
  work.device_functions = device_functions_of(pair, cancel);
  work.host_cycles = {cycles_with_functions(pair.normal, false), cycles_with_functions(pair.abnormal, false)};
  work.device_cycles = device_cycles_of(pair);
  for (CycleCounts* counts : {&work.host_cycles, &work.device_cycles}) {
    counts->normal *= cycles.work_normal;
    counts->abnormal *= cycles.work_abnormal;
  }
  return work;
}

std::vector<NamedWork> kernels_of(const ComparedPair& pair, CancelFlag cancel) {
  return named_work(pair, kernel_stats, cancel);
}

std::vector<NamedWork> operators_of(const ComparedPair& pair, CancelFlag cancel) {
  return named_work(pair, op_stats, cancel);
}

std::vector<NamedWork> device_functions_of(const ComparedPair& pair, CancelFlag cancel) {
  return named_functions(pair, true, cancel);
}

CycleCounts device_cycles_of(const ComparedPair& pair) {
  return {cycles_with_functions(pair.normal, true), cycles_with_functions(pair.abnormal, true)};
}

std::optional<double> similarity(const std::vector<NamedWork>& work, const CycleCounts& cycles) {
  return similarity_of(work, cycles, [](const NamedWork&) { return true; });
}

std::optional<double> similarity_by_name(const std::vector<NamedWork>& work, const CycleCounts& cycles) {
  return similarity_of(work, cycles, [](const NamedWork& own) { return !own.renamed || own.communication; });
}

std::vector<ChangeEntry> largest_changes(const Work& work, const CycleCounts& cycles, std::size_t most,
                                         CancelFlag cancel) {
  std::vector<ChangeEntry> changes;
  add_changes(changes, ChangeKind::kernel, work.kernels, cycles, cancel);
  add_changes(changes, ChangeKind::copy, work.copies, cycles, cancel);
  add_changes(changes, ChangeKind::op, work.operators, cycles, cancel);
  add_changes(changes, ChangeKind::api, work.calls, cycles, cancel);
  add_changes(changes, ChangeKind::range, work.ranges, cycles, cancel);
  add_changes(changes, ChangeKind::function, work.host_functions, work.host_cycles, cancel);
  add_changes(changes, ChangeKind::function, work.device_functions, work.device_cycles, cancel);
  const auto key = [](const ChangeEntry& change) {
    return std::tuple(-std::abs(change.delta_ns), name_of(change.kind), std::string_view(change.name));
  };
  std::sort(changes.begin(), changes.end(), [&](const ChangeEntry& a, const ChangeEntry& b) {
    stop_if(cancel);
    return key(a) < key(b);
  });
  std::vector<ChangeEntry> kept;
  for (ChangeEntry& change : changes) {
    stop_if(cancel);
    const auto told =
        std::find_if(kept.begin(), kept.end(), [&](const ChangeEntry& other) { return same_change(other, change); });
    if (told == kept.end() && kept.size() == most) break;  // an operator inside the last one stands next to it
    if (told == kept.end()) kept.push_back(std::move(change));
    else if (!is_of_framework(told->name) && is_of_framework(change.name)) *told = std::move(change);
  }
  std::stable_partition(kept.begin(), kept.end(), [](const ChangeEntry& change) { return !change.waits; });
  return kept;
}

}  // namespace kdiag
