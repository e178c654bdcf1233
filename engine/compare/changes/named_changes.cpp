// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/named_changes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "engine/compare/changes/launch_shapes.hpp"

namespace kdiag {
namespace {

/// The columns of totals by name, or of single ranges.
struct NamedTable {
  ChangeRowKind kind;
  TableId table;
  ColumnId name;
  ColumnId calls;  ///< of totals
  ColumnId total;
};
constexpr ColumnId one_call{};
constexpr NamedTable named_tables[] = {
    {ChangeRowKind::kernel, table("kernel_stats"), column("kernel_stats.name"), column("kernel_stats.calls"),
     column("kernel_stats.total")},
    {ChangeRowKind::copy, table("copy_stats"), column("copy_stats.name"), column("copy_stats.calls"),
     column("copy_stats.total")},
    {ChangeRowKind::op, table("op_stats"), column("op_stats.name"), column("op_stats.calls"),
     column("op_stats.host_total")},
    {ChangeRowKind::call, table("api_stats"), column("api_stats.name"), column("api_stats.calls"),
     column("api_stats.total")},
    {ChangeRowKind::range, table("annotations"), column("annotations.name"), one_call, column("annotations.dur")},
};

const NamedTable& named_table(ChangeRowKind kind) {
  return *std::find_if(std::begin(named_tables), std::end(named_tables),
                       [kind](const NamedTable& known) { return known.kind == kind; });
}

struct NamedTotal {
  std::optional<double> calls, total;
  std::string_view group;
};
using NamedTotals = std::map<std::string_view, NamedTotal>;

void add_known(std::optional<double>& sum, std::int64_t value) {
  if (value != absent_integer && value >= 0) sum = sum.value_or(0) + static_cast<double>(value);
}

/// A range of the host that the program names, not one that a tool adds.
bool named_by_program(const FactStore& store, std::uint32_t row) {
  const std::string_view kind = store.text(column("annotations.kind"), row);
  return store.index(column("annotations.thread"), row) != absent_index && (kind.empty() || kind == "user");
}

constexpr std::string_view copy_directions[] = {"h2d", "d2h", "d2d", "h2h", "p2p", "um"};

/// "h2d" of "h2d pageable -> device"; empty where a tool names copies otherwise.
std::string_view direction_of(std::string_view copy) {
  const std::string_view first = copy.substr(0, copy.find_first_of(" ("));
  const auto* known = std::find(std::begin(copy_directions), std::end(copy_directions), first);
  return known == std::end(copy_directions) ? std::string_view{} : *known;
}

NamedTotals totals_at(const FactStore& store, const NamedTable& named, std::span<const std::uint32_t> rows,
                      CancelFlag cancel) {
  NamedTotals out;
  for (const std::uint32_t row : rows) {
    stop_if(cancel);
    if (store.index(named.name, row) == absent_index) continue;
    if (named.kind == ChangeRowKind::range && !named_by_program(store, row)) continue;
    const std::string_view name = store.text(named.name, row);
    NamedTotal& total = out[name];
    add_known(total.calls, named.calls == one_call ? 1 : store.integer(named.calls, row));
    add_known(total.total, store.integer(named.total, row));
    if (named.kind == ChangeRowKind::kernel) total.group = store.text(column("kernel_stats.class"), row);
    if (named.kind == ChangeRowKind::copy) total.group = direction_of(name);
  }
  return out;
}

/// What the baseline run calls a name, and how it was found.
struct NameBefore {
  std::string_view name;
  ChangeBasis basis = ChangeBasis::name;
};

NameBefore name_before(const ComparedRuns& runs, ChangeRowKind kind, std::string_view name) {
  if (kind != ChangeRowKind::kernel) return {name};
  const Counterpart other = runs.match.kernel(runs.run.strings.find(name));
  if (!other) return {};
  return {runs.baseline.strings[other.row],
          other.basis == MatchBasis::family ? ChangeBasis::family : ChangeBasis::name};
}

Change of_one_run(ChangeRowKind kind, std::string_view name, const NamedTotal& total, bool now) {
  Change out{.kind = kind,
             .name = std::string(name),
             .group = std::string(total.group),
             .basis = ChangeBasis::name,
             .present = now ? ChangePresent::now : ChangePresent::before};
  (now ? out.calls : out.calls_before) = total.calls;
  (now ? out.total : out.total_before) = total.total;
  (now ? out.calls_before : out.calls) = 0;
  (now ? out.total_before : out.total) = 0;
  (now ? out.each : out.each_before) = over(total.total, total.calls);
  return out;
}

Change of_both_runs(ChangeRowKind kind, std::string_view name, const NamedTotal& now, const NamedTotal& before,
                    ChangeBasis basis) {
  return {.kind = kind,
          .name = std::string(name),
          .group = std::string(now.group),
          .basis = basis,
          .present = ChangePresent::both,
          .calls = now.calls,
          .calls_before = before.calls,
          .each = over(now.total, now.calls),
          .each_before = over(before.total, before.calls),
          .total = now.total,
          .total_before = before.total};
}

}  // namespace

TableId table_of(ChangeRowKind kind) { return named_table(kind).table; }

std::vector<Change> named_changes(const ComparedRuns& runs, ChangeRowKind kind, const ComparedPlace& place) {
  const NamedTable& named = named_table(kind);
  std::vector<Change> out;
  if (!runs.run.present(named.table) || !runs.baseline.present(named.table)) return out;
  const bool of_device = kind == ChangeRowKind::kernel || kind == ChangeRowKind::copy;
  const auto now =
      totals_at(runs.run, named,
                of_device ? runs.rows.on_device(named.table, place.device) : runs.rows.of_rank(named.table, place.rank),
                runs.cancel);
  const auto before = totals_at(runs.baseline, named,
                                of_device ? runs.rows_before.on_device(named.table, place.device_before)
                                          : runs.rows_before.of_rank(named.table, place.rank_before),
                                runs.cancel);
  std::set<std::string_view> found;
  for (const auto& [name, total] : now) {
    const NameBefore other = name_before(runs, kind, name);
    const auto same = other.name.empty() ? before.end() : before.find(other.name);
    if (same == before.end()) {
      out.push_back(of_one_run(kind, name, total, true));
      continue;
    }
    found.insert(same->first);
    out.push_back(of_both_runs(kind, name, total, same->second, other.basis));
  }
  for (const auto& [name, total] : before)
    if (found.count(name) == 0) out.push_back(of_one_run(kind, name, total, false));
  for (Change& change : out) {
    // In as much work; none of it is none of however much.
    if (change.present != ChangePresent::now) {
      change.calls_before = times(change.calls_before, place.repetitions);
      change.total_before = times(change.total_before, place.repetitions);
    }
    if (!place.repetitions) change.missing = "steps kernel_stats";
    change.device = of_device ? place.device : absent_index;
    change.rank = place.rank;
  }
  if (kind == ChangeRowKind::kernel) add_launch_shapes(runs, place, out);
  return out;
}

}  // namespace kdiag
