// SPDX-License-Identifier: Apache-2.0
// Sets of time that rows make on the wall, and how long they are.
#include <algorithm>

#include "engine/checking/call_check.hpp"
#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"

namespace kdiag {
namespace {

// --- Checks ---------------------------------------------------------------------------------------------------------

/// The arguments of a function that takes `wanted` tables of rows with time, all on one timeline.
std::optional<std::vector<PlanPtr>> timelines(CallCheck& call, std::size_t wanted) {
  if (call.written().size() != wanted) {
    call.wrong("needs " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments"));
    return {};
  }
  std::vector<PlanPtr> out;
  for (std::size_t i = 0; i < wanted; ++i) {
    out.push_back(call.timed_table(i));
    if (!out.back() || !call.one_timeline(i, out.back())) return {};
  }
  return out;
}

PlanPtr check_spans(CallCheck& call) {
  const auto args = timelines(call, 1);
  return args ? call.result(types::intervals(), *args) : nullptr;
}

PlanPtr check_busy(CallCheck& call) {
  const auto args = timelines(call, 1);
  return args ? call.result(types::number(dimensions::time), *args) : nullptr;
}

PlanPtr check_two_timelines(CallCheck& call) {
  const auto args = timelines(call, 2);
  return args ? call.result(types::number(dimensions::time), *args) : nullptr;
}

PlanPtr check_concurrency(CallCheck& call) {
  const auto args = timelines(call, 1);
  return args ? call.result(types::number(), *args) : nullptr;
}

/// A function of one set of intervals.
PlanPtr check_set(CallCheck& call, Type result) {
  if (call.written().size() != 1) return call.wrong("needs 1 argument");
  const PlanPtr set = call.argument(0);
  if (!set) return nullptr;
  if (!set->type.is(Kind::intervals)) return call.misfit(0, set, "a set of intervals");
  return call.result(std::move(result), {set});
}

PlanPtr check_length(CallCheck& call) { return check_set(call, types::number(dimensions::time)); }

/// The columns of a table of intervals.
const std::shared_ptr<const Schema>& interval_columns() {
  static const auto columns = std::make_shared<const Schema>(Schema{{{"start", types::number(dimensions::instant)},
                                                                     {"end", types::number(dimensions::instant)},
                                                                     {"dur", types::number(dimensions::time)}}});
  return columns;
}

PlanPtr check_rows(CallCheck& call) { return check_set(call, Type{.kind = Kind::table, .schema = interval_columns()}); }

// --- Values ---------------------------------------------------------------------------------------------------------

std::shared_ptr<const IntervalSet> share(IntervalSet set) {
  return std::make_shared<const IntervalSet>(std::move(set));
}

bool several_devices(Evaluator& evaluator, const TableRows& table) {
  const RunContext& run = evaluator.run();
  return evaluator.subject().device == absent_index && !table.derived &&
         find_column(info(table.base).name, "device").valid() && run.store().rows(kdiag::table("devices")) > 1 &&
         !run.implied_device();
}

/// The union of the rows' time, or the wall without it.
Value spans_of(Evaluator& evaluator, const TableRows& table, bool complement) {
  const RunContext& run = evaluator.run();
  const RowFrame frame = frame_of(table);
  evaluator.visit_rows(frame.size);
  if (several_devices(evaluator, table)) return unknown_reason("several devices: choose one with --device");
  Causes causes = table.causes;
  bool complete = !table.open && !table.maybe;
  auto known = evaluator.row_intervals(table, frame, causes, complete);
  if (!known) return unknown(std::move(causes));
  if (!run.window(evaluator.subject())) return unknown_fact("runs.wall", "there is no window of time");
  const IntervalSet wall = run.parts(evaluator.subject());
  const IntervalSet set = IntervalSet::of(*known) & wall;
  Value out;
  out.coverage = table.coverage;
  if (!table.derived) {
    const ColumnId start = find_column(info(table.base).name, "start");
    const ColumnId dur = find_column(info(table.base).name, "dur");
    out.columns = {std::min(start.index, dur.index), std::max(start.index, dur.index)};
  }
  if (complete) {
    out.data = TimeRange::of(complement ? wall - set : set);
    return out;
  }
  out.doubts = causes;
  IntervalSet low = set;
  IntervalSet high = wall;  // a row without times could be anywhere
  if (table.maybe && !table.open) {
    bool bounded = true;
    Causes ignored;
    const RowFrame doubtful{&table, table.maybe.get(), table.maybe->size()};
    if (auto more = evaluator.row_intervals(table, doubtful, ignored, bounded); more && bounded) {
      known->insert(known->end(), more->begin(), more->end());
      high = IntervalSet::of(std::move(*known)) & wall;
    }
  }
  if (table.open && table.complement) {
    high = set;
    low = {};
  }
  if (complement) out.data = TimeRange{share(wall - high), share(wall - low)};
  else out.data = TimeRange{share(std::move(low)), share(std::move(high))};
  return out;
}

/// The spans of an argument, which the result then rests on.
Value spans_of(Evaluator& evaluator, Arguments& args, std::size_t i, bool complement = false) {
  Value out = spans_of(evaluator, args.table(i), complement);
  inherit(args.rests_on, out);
  return out;
}

Range length_of(const TimeRange& set) { return {Number(set.low->length()), Number(set.high->length())}; }

Value eval_spans(Evaluator& evaluator, Arguments& args) { return spans_of(evaluator, args, 0); }
Value eval_gaps(Evaluator& evaluator, Arguments& args) { return spans_of(evaluator, args, 0, true); }
Value eval_length(Evaluator&, Arguments& args) { return of(length_of(*args.values[0].as<TimeRange>())); }

std::int64_t longest_of(const IntervalSet& set) {
  std::int64_t longest = 0;
  for (const Interval& interval : set.intervals()) longest = std::max(longest, interval.length());
  return longest;
}

/// What surely belongs to a set is at least as long, what may belong to it at most.
Value eval_longest(Evaluator&, Arguments& args) {
  const auto& set = *args.values[0].as<TimeRange>();
  return of(Range{Number(longest_of(*set.low)), Number(longest_of(*set.high))});
}

Value eval_rows(Evaluator& evaluator, Arguments& args) {
  const auto& set = *args.values[0].as<TimeRange>();
  if (!set.exact()) return unknown(doubts_of({&args.values[0]}));  // where one ends and the next begins is not known
  const auto& intervals = set.low->intervals();
  evaluator.visit_rows(intervals.size());
  std::vector<std::int64_t> start, end, length;
  for (const Interval& interval : intervals) {
    start.push_back(interval.start);
    end.push_back(interval.end);
    length.push_back(interval.length());
  }
  auto table = std::make_shared<DerivedTable>(DerivedTable{.schema = interval_columns(), .rows = intervals.size()});
  for (auto* const column : {&start, &end, &length})
    table->columns.push_back({.data = std::move(*column), .causes = {}});
  TableRows out;
  out.derived = std::move(table);
  out.total = intervals.size();
  return {.data = std::move(out)};
}

Value eval_busy(Evaluator& evaluator, Arguments& args) {
  const Value spans = spans_of(evaluator, args, 0);
  return spans.known() ? of(length_of(*spans.as<TimeRange>())) : spans;
}

/// The length of what `combine` makes of the surest, and of the widest, times of two tables.
template <class Combine>
Value combined_length(Evaluator& evaluator, Arguments& args, Combine combine) {
  const Value a = spans_of(evaluator, args, 0);
  if (!a.known()) return a;
  const Value b = spans_of(evaluator, args, 1);
  if (!b.known()) return b;
  return of(combine(*a.as<TimeRange>(), *b.as<TimeRange>()));
}

Value eval_exposed(Evaluator& evaluator, Arguments& args) {
  return combined_length(evaluator, args, [](const TimeRange& a, const TimeRange& b) {
    return Range{Number((*a.low - *b.high).length()), Number((*a.high - *b.low).length())};
  });
}

Value eval_overlap(Evaluator& evaluator, Arguments& args) {
  return combined_length(evaluator, args, [](const TimeRange& a, const TimeRange& b) {
    return Range{Number((*a.low & *b.low).length()), Number((*a.high & *b.high).length())};
  });
}

Value eval_concurrency(Evaluator& evaluator, Arguments& args) {
  const TableRows& table = args.table(0);
  const Value spans = spans_of(evaluator, table, false);
  const auto* set = spans.as<TimeRange>();
  if (set == nullptr) return spans;
  if (!set->exact()) return unknown(table.causes);
  const std::int64_t busy = set->low->length();
  if (busy == 0) return unknown_reason("nothing runs");
  Causes causes;
  bool complete = true;
  const auto rows = evaluator.row_intervals(table, frame_of(table), causes, complete);
  const IntervalSet wall = evaluator.run().parts(evaluator.subject());
  double sum = 0;  // rows may overlap: together they can be longer than any time
  for (const Interval& row : *rows) sum += static_cast<double>(wall.covered(row));
  return of(Number(sum / static_cast<double>(busy)));
}

constexpr Function interval_table[] = {
    {"spans", "spans(table) -> intervals", "Union of the rows' time, clipped to the wall.", "spans(kernels)",
     check_spans, of_known<eval_spans>},
    {"gaps", "gaps(table) -> intervals", "The wall without spans(table), head and tail included.", "gaps(kernels)",
     check_spans, of_known<eval_gaps>},
    {"length", "length(intervals) -> time", "Length of a set of time.", "length(spans(kernels) & spans(copies))",
     check_length, of_known<eval_length>},
    {"longest", "longest(intervals) -> time", "The longest of them; 0 where there is none.", "longest(gaps(steps))",
     check_length, of_known<eval_longest>},
    {"rows", "rows(intervals) -> table", "A row for each interval, with its start, end and dur.",
     "count(rows(gaps(kernels)) where dur > 100us)", check_rows, of_known<eval_rows>},
    {"busy", "busy(table) -> time", "length(spans(table)).", "busy(kernels) / run.wall", check_busy,
     of_known<eval_busy>},
    {"exposed", "exposed(a, b) -> time", "Time of a while b does not run: length(spans(a) - spans(b)).",
     "exposed(copies, kernels)", check_two_timelines, of_known<eval_exposed>},
    {"overlap", "overlap(a, b) -> time", "Time in which both run: length(spans(a) & spans(b)).",
     "overlap(copies, kernels)", check_two_timelines, of_known<eval_overlap>},
    {"concurrency", "concurrency(table) -> number", "Mean number of rows that run at a time while any does.",
     "concurrency(kernels)", check_concurrency, of_known<eval_concurrency>},
};

}  // namespace

FunctionFamily interval_functions() { return interval_table; }

}  // namespace kdiag
