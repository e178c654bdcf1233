// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/evidence_time.hpp"

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/eval/subject_groups.hpp"

namespace kdiag {
namespace {

/// Whether a plan is rows of the run that were chosen from those of a whole table.
bool is_choice(const Plan& plan) {
  return plan.type.is(Kind::table) && !plan.type.schema &&
         (plan.op == PlanOp::where || plan.op == PlanOp::during || plan.op == PlanOp::call ||
          plan.op == PlanOp::define);
}

/// What an impact is computed from, in the order in which its expression names it.
class EvidenceFinder {
 public:
  EvidenceFinder(const CheckedFinding& finding, Evaluator& evaluator) : finding_(finding), evaluator_(evaluator) {}

  /// The time of the first spans or chosen rows that have some; null: none has.
  std::shared_ptr<const IntervalSet> find(const Plan& plan) {
    if (!seen_.insert(&plan).second) return nullptr;
    if (plan.op == PlanOp::let) return find(finding_.lets[plan.slot]);
    if (plan.per_row || !plan.outer.empty()) return nullptr;  // a value of each row is none of its own
    if (plan.type.is(Kind::intervals) || is_choice(plan))
      if (auto time = time_of(plan); time && !time->empty()) return time;
    if (plan.op == PlanOp::define) return find(evaluator_.library().defines[plan.slot]);
    for (const PlanPtr& arg : plan.args)
      if (auto time = find(arg)) return time;
    return nullptr;
  }

 private:
  /// Of a part; of one that had an error, null.
  std::shared_ptr<const IntervalSet> find(const PlanPtr& plan) { return plan ? find(*plan) : nullptr; }

  /// Rows as a table of values has them, or the events that rows of totals add up: those of their names.
  TableRows events(const TableRows& rows) {
    const TableId events = events_of(rows.base);
    if (!events.valid()) return rows;
    const ColumnId total_name = find_column(info(rows.base).name, "name"),
                   name = find_column(info(events).name, "name");
    if (!total_name.valid() || !name.valid()) return rows;
    const RunContext& run = evaluator_.run();
    const auto totals = run.store().indices(total_name), names = run.store().indices(name);
    std::set<std::uint32_t> wanted;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const std::uint32_t row = rows.rows ? (*rows.rows)[i] : static_cast<std::uint32_t>(i); row < totals.size())
        wanted.insert(totals[row]);
    wanted.erase(absent_index);
    TableRows out;
    out.base = events;
    out.total = run.store().rows(events);
    std::vector<std::uint32_t> found;
    const RowList own = run.rows(events, evaluator_.subject());
    const std::size_t count = own ? own->size() : out.total;
    evaluator_.visit_rows(count);
    for (std::size_t i = 0; i < count; ++i)
      if (const std::uint32_t row = own ? (*own)[i] : static_cast<std::uint32_t>(i);
          row < names.size() && wanted.contains(names[row]))
        found.push_back(row);
    out.rows = std::make_shared<const std::vector<std::uint32_t>>(std::move(found));
    return out;
  }

  std::shared_ptr<const IntervalSet> time_of(const Plan& plan) {
    const Value value = evaluator_.eval(plan);
    if (const auto* span = value.as<TimeRange>()) return span->high;
    const auto* rows = value.as<TableRows>();
    if (rows == nullptr || !evaluator_.run().window(evaluator_.subject())) return nullptr;
    const TableRows timed = events(*rows);
    const std::string_view table = info(timed.base).name;
    if (!find_column(table, "start").valid() || !find_column(table, "dur").valid()) return nullptr;
    Causes unknown;
    bool complete = true;
    auto times = evaluator_.row_intervals(timed, frame_of(timed), unknown, complete);
    if (!times) return nullptr;
    return std::make_shared<const IntervalSet>(IntervalSet::of(std::move(*times)) &
                                               evaluator_.run().parts(evaluator_.subject()));
  }

  const CheckedFinding& finding_;
  Evaluator& evaluator_;
  std::set<const Plan*> seen_;
};

}  // namespace

std::shared_ptr<const IntervalSet> evidence_time(const CheckedFinding& finding, Evaluator& evaluator) {
  if (!finding.impact) return nullptr;
  try {
    return EvidenceFinder(finding, evaluator).find(*finding.impact);
  } catch (const BudgetExceeded&) {
    return nullptr;  // a finding that is made stays one
  }
}

}  // namespace kdiag
