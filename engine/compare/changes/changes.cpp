// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/changes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "base/number.hpp"
#include "engine/compare/changes/change_columns.hpp"
#include "engine/compare/changes/collectives.hpp"
#include "engine/compare/changes/counters.hpp"
#include "engine/compare/changes/device_functions.hpp"
#include "engine/compare/changes/equal_work.hpp"
#include "engine/compare/changes/launch_shapes.hpp"
#include "engine/compare/changes/named_changes.hpp"
#include "engine/compare/changes/same_program.hpp"
#include "engine/compare/changes/time_changes.hpp"
#include "engine/compare/changes/together.hpp"
#include "engine/compare/changes/transfers.hpp"
#include "engine/compare/cycles/cycle_facts.hpp"

namespace kdiag {
namespace {

using Changes = std::vector<Change>;

void append(Changes& all, Changes more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// The row that says that a kind cannot be compared at a place, and for want of what.
Change unknown_change(ChangeRowKind kind, const ComparedPlace& place, std::string missing) {
  return {.kind = kind, .device = place.device, .rank = place.rank, .missing = std::move(missing)};
}

std::string missing_of(const Changes& all, ChangeRowKind kind) {
  const auto found =
      std::find_if(all.begin(), all.end(), [kind](const Change& c) { return c.kind == kind && !c.missing.empty(); });
  return found == all.end() ? std::string() : found->missing;
}

Changes of_kind(const Changes& all, ChangeRowKind kind) {
  Changes out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [kind](const Change& c) { return c.kind == kind; });
  return out;
}

/// What a table of comparisons says of a kind on a device, or of none that the run has.
Changes reported_of(const Changes& reported, ChangeRowKind kind, std::uint32_t device) {
  Changes out;
  for (const Change& change : reported)
    if (change.kind == kind && (change.device == device || change.device == absent_index)) out.push_back(change);
  return out;
}

/// What a report on two runs does not tell, and which facts would.
struct ReportGap {
  ChangeRowKind kind;
  std::string_view missing;
};
constexpr ReportGap not_in_reports[] = {
    {ChangeRowKind::kernel, "kernel_stats functions"},
    {ChangeRowKind::copy, "copy_stats functions"},
    {ChangeRowKind::op, "op_stats"},
    {ChangeRowKind::call, "api_stats"},
    {ChangeRowKind::range, "annotations"},
    {ChangeRowKind::launch, "kernel_stats functions"},
    {ChangeRowKind::transfer, "copies functions"},
    {ChangeRowKind::collective, "comms kernels functions"},
    {ChangeRowKind::device, "kernel_stats functions"},
    {ChangeRowKind::host, "op_stats api_stats"},
};

/// The changes of both runs, place by place.
class BothRuns {
 public:
  BothRuns(const ComparedRuns& runs, const RunFacts& run, const RunFacts& baseline)
      : runs_(runs),
        run_(run),
        baseline_(baseline),
        devices_(compared_devices(runs)),
        collectives_(runs),
        reported_(reported_changes(runs.run, runs.cancel)) {}

  Changes all() const {
    Changes out;
    for (const ComparedPlace& place : devices_) add_device(out, place);
    for (const ComparedPlace& place : compared_ranks(runs_)) add_rank(out, place);
    append(out, counter_changes(runs_.run, &runs_.baseline, devices_, runs_.cancel));
    add_unmatched_devices(out);
    return out;
  }

  const std::vector<ComparedPlace>& devices() const { return devices_; }

 private:
  Changes named_or_unknown(ChangeRowKind kind, const ComparedPlace& place, const std::string& missing) const {
    if (!missing.empty()) return {unknown_change(kind, place, missing)};
    return named_changes(runs_, kind, place);
  }

  void add_rank(Changes& out, const ComparedPlace& place) const {
    const auto named = [&](ChangeRowKind kind) {
      return named_or_unknown(kind, place, not_in_both(runs_, {table_of(kind)}));
    };
    const Changes operators = named(ChangeRowKind::op), calls = named(ChangeRowKind::call);
    append(out, operators);
    append(out, calls);
    append(out, named(ChangeRowKind::range));
    out.push_back(host_change(operators, calls, place)
                      .value_or(unknown_change(ChangeRowKind::host, place,
                                               not_in_both(runs_, {table("op_stats"), table("api_stats")}))));
  }

  void add_device(Changes& all, const ComparedPlace& place) const {
    stop_if(runs_.cancel);
    Changes out;
    append(out, part_changes(runs_, place, run_.ledger, baseline_.ledger));
    append(out, idle_changes(runs_, place));
    const Changes functions = cycle_changes(runs_, place);
    const auto named = [&](ChangeRowKind kind) {
      Changes rows = named_changes(runs_, kind, place);
      return rows.empty() ? of_kind(functions, kind) : rows;
    };
    const Changes kernels = named(ChangeRowKind::kernel), copies = named(ChangeRowKind::copy);
    const auto with_functions = [&](TableId id) { return not_in_both(runs_, {id, table("functions")}); };
    add_or_unknown(out, ChangeRowKind::kernel, place, kernels, with_functions(table("kernel_stats")));
    add_or_unknown(out, ChangeRowKind::copy, place, copies, with_functions(table("copy_stats")));

    const bool by_name = kernels.empty() ? not_in_both(runs_, {table("kernel_stats")}).empty()
                                         : kernels.front().basis != ChangeBasis::cycle;
    add_best(out, ChangeRowKind::launch, place, by_name ? launch_changes(runs_, place, kernels) : LikeForLike(),
             functions, {table("kernel_stats")});
    add_best(out, ChangeRowKind::transfer, place, transfer_changes(runs_, place, copies), functions, {table("copies")});
    add_best(out, ChangeRowKind::collective, place, collectives_.on(place), functions,
             {table("comms"), table("kernels")});
    if (auto device = device_change(runs_, out, place)) out.push_back(std::move(*device));
    else out.push_back(unknown_change(ChangeRowKind::device, place, missing_of(out, ChangeRowKind::launch)));
    append(all, std::move(out));
  }

  /// Rows of names; where there are none, and the tables that would have them are not in both runs, one that says so.
  static void add_or_unknown(Changes& out, ChangeRowKind kind, const ComparedPlace& place, const Changes& rows,
                             const std::string& missing) {
    const bool by_either_table = missing.find(' ') == std::string::npos;
    if (rows.empty() && !by_either_table) out.push_back(unknown_change(kind, place, missing));
    append(out, rows);
  }

  void add_best(Changes& out, ChangeRowKind kind, const ComparedPlace& place, LikeForLike best,
                const Changes& functions, std::initializer_list<TableId> own_tables) const {
    const std::string lacks = best.lacks;
    if (!best.known) best = like_functions(functions, kind, place);
    if (!best.known) best.rows = reported_of(reported_, kind, place.device);
    if (best.known || !best.rows.empty()) return append(out, std::move(best.rows));
    std::string missing = not_in_both(runs_, own_tables);
    for (const std::string& also : {lacks, not_in_both(runs_, {table("functions")}),
                                    std::string(runs_.run.rows(table("comparisons")) > 0 ? "" : "comparisons")})
      if (!also.empty()) missing += (missing.empty() ? "" : " ") + also;
    out.push_back(unknown_change(kind, place, missing));
  }

  void add_unmatched_devices(Changes& out) const {
    for (std::uint32_t device = 0; device < runs_.run.rows(table("devices")); ++device) {
      if (runs_.match.device(device)) continue;
      const ComparedPlace place{.device = device, .rank = runs_.run.index(column("devices.rank"), device)};
      for (const ChangeRowKind kind :
           {ChangeRowKind::kernel, ChangeRowKind::copy, ChangeRowKind::launch, ChangeRowKind::transfer,
            ChangeRowKind::collective, ChangeRowKind::device, ChangeRowKind::counter})
        out.push_back(unknown_change(kind, place, "baseline"));
    }
  }

  const ComparedRuns& runs_;
  const RunFacts& run_;
  const RunFacts& baseline_;
  const std::vector<ComparedPlace> devices_;
  const CollectiveChanges collectives_;
  const Changes reported_;
};

void add_repetitions(FactStore& store, const ComparedRuns& runs, const std::vector<ComparedPlace>& devices) {
  if (const auto all = repetitions_of(runs); all && store.rows(table("runs")) > 0)
    store.replace(column("runs.repetitions"), std::vector<double>(store.rows(table("runs")), *all), "derived");
  std::vector<double> of_devices(store.rows(table("devices")), absent_real);
  bool any = false;
  for (const ComparedPlace& place : devices) {
    of_devices[place.device] = place.repetitions.value_or(absent_real);
    any = any || place.repetitions;
  }
  if (any) store.replace(column("devices.repetitions"), std::move(of_devices), "derived");
}

/// Of every device; nothing where runs.comparable says that the runs are not.
void add_same_program(FactStore& store, const ComparedRuns& runs, const Changes& changes,
                      const std::vector<ComparedPlace>& devices) {
  const std::size_t rows = store.rows(table("devices"));
  if (rows == 0 || !is_comparable(store)) return;
  std::vector<std::uint32_t> comparable(rows, 1);
  std::vector<std::int64_t> more(rows, absent_integer);
  std::map<std::uint32_t, double> more_of_rank;
  for (const ComparedPlace& place : devices) {
    comparable[place.device] = std::uint32_t{is_same_program(changes, place)};
    const auto [known, added] = more_of_rank.try_emplace(place.rank);
    if (added) known->second = more_work(runs, changes, place);
    more[place.device] = Number(known->second).rounded();
  }
  store.replace(column("devices.comparable"), std::move(comparable), "derived");
  store.replace(column("devices.more_work"), std::move(more), "derived");
}

}  // namespace

std::shared_ptr<const FactStore> with_changes(std::shared_ptr<const FactStore> facts, const RunFacts& run,
                                              const RunFacts& baseline, const RunMatch& match, CancelFlag cancel) {
  if (facts->present(table("changes"))) return facts;
  const PlacedRows rows(*facts), rows_before(*baseline.store);
  const ComparedRuns runs{*facts, *baseline.store, match, rows, rows_before, cancel};
  const BothRuns both(runs, run, baseline);
  auto store = std::make_shared<FactStore>(FactStore::extending(facts));
  const Changes changes = both.all();
  add_changes(*store, changes);
  add_repetitions(*store, runs, both.devices());
  add_same_program(*store, runs, changes, both.devices());
  return store;
}

std::shared_ptr<const FactStore> with_reported_changes(std::shared_ptr<const FactStore> facts, CancelFlag cancel) {
  if (facts->present(table("changes"))) return facts;
  const Changes reported = reported_changes(*facts, cancel);
  Changes out = reported;
  std::vector<ComparedPlace> devices;
  for (std::uint32_t device = 0; device < facts->rows(table("devices")); ++device)
    devices.push_back({.device = device, .rank = facts->index(column("devices.rank"), device)});
  if (devices.empty()) devices.push_back({});
  for (const ComparedPlace& place : devices)
    for (const ReportGap& gap : not_in_reports)
      if (reported_of(reported, gap.kind, place.device).empty())
        out.push_back(unknown_change(gap.kind, place, std::string(gap.missing)));
  append(out, counter_changes(*facts, nullptr, devices, cancel));
  auto store = std::make_shared<FactStore>(FactStore::extending(facts));
  add_changes(*store, out);
  if (const std::size_t rows = store->rows(table("devices")); rows > 0)
    store->replace(column("devices.comparable"), std::vector<std::uint32_t>(rows, 1), "derived");
  return store;
}

}  // namespace kdiag
