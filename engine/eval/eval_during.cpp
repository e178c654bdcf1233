// SPDX-License-Identifier: Apache-2.0
// `during`: what of a series or a table lies in a set of time.
#include <algorithm>

#include "engine/eval/eval.hpp"
#include "engine/facts/series.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::uint32_t>;

}  // namespace

std::optional<std::vector<Interval>> Evaluator::row_intervals(const TableRows& table, const RowFrame& frame,
                                                              Causes& causes, bool& complete) {
  const auto values_of = [&](std::string_view name) {
    Plan plan;
    plan.op = PlanOp::column;
    plan.per_row = true;
    if (table.derived) {
      const auto& columns = table.derived->schema->columns;
      for (std::uint32_t c = 0; c < columns.size(); ++c)
        if (columns[c].first == name) {
          plan.slot = c;
          plan.type = columns[c].second;
        }
    } else {
      const ColumnId id = find_column(info(table.base).name, name);
      plan.slot = id.index;
      plan.type = type_of(info(id));
    }
    return column_rows(plan, frame);
  };
  const RowValues starts = values_of("start");
  const RowValues durs = values_of("dur");
  merge_causes(causes, starts.causes);
  merge_causes(causes, durs.causes);
  const auto* start = std::get_if<Integers>(&starts.data);
  const auto* dur = std::get_if<Integers>(&durs.data);
  if (start == nullptr || dur == nullptr) return {};
  std::vector<Interval> out;
  out.reserve(frame.size);
  for (std::size_t i = 0; i < frame.size; ++i) {
    // A column that a rule computes may hold what is no time.
    if (const auto span = span_of((*start)[i], (*dur)[i])) out.push_back(*span);
    else complete = false;
  }
  if (out.empty() && frame.size > 0) return {};
  return out;
}

Value Evaluator::eval_during(const Plan& plan) {
  const Value subject = eval(*plan.args[0]);
  const Value intervals = eval(*plan.args[1]);
  Causes causes = subject.causes();
  merge_causes(causes, intervals.causes());
  Value out;
  inherit(out, subject);
  inherit(out, intervals);
  if (!subject.known() || !intervals.known()) {
    out.data = Unknown{std::move(causes)};
    return out;
  }
  const TimeRange& set = *intervals.as<TimeRange>();
  if (const auto* series = subject.as<Series>()) {
    if (!series->aligned && run_.wall(subject_).basis != WallBasis::samples) {
      out.data = Unknown{{{"samples:" + series->name, "its clock could not be aligned with the trace's"}}};
      return out;
    }
    Series cut{.name = series->name, .spans = {}, .aligned = series->aligned, .dimension = series->dimension};
    // Both are sorted: one sweep.
    const auto& windows = set.low->intervals();
    std::size_t w = 0;
    for (const auto& [span, value] : series->spans) {
      while (w < windows.size() && windows[w].end <= span.start) ++w;
      for (std::size_t k = w; k < windows.size() && windows[k].start < span.end; ++k)
        cut.spans.push_back({{std::max(span.start, windows[k].start), std::min(span.end, windows[k].end)}, value});
    }
    visit_rows(series->spans.size() + windows.size());
    if (cut.spans.empty()) out.data = Unknown{{{"samples:" + series->name, std::string(no_sample_then)}}};
    else out.data = std::move(cut);
    return out;
  }
  const TableRows& table = *subject.as<TableRows>();
  Causes row_causes = table.causes;
  bool complete = true;
  const RowFrame frame = frame_of(table);
  const auto rows = row_intervals(table, frame, row_causes, complete);
  if (!rows) {
    out.data = Unknown{std::move(row_causes)};
    return out;
  }
  const FactStore& store = run_.store();
  const ColumnId start = find_column(info(table.base).name, "start");
  const ColumnId dur = find_column(info(table.base).name, "dur");
  auto kept = std::make_shared<Indices>();
  auto maybe = std::make_shared<Indices>();
  const auto& windows = set.low->intervals();
  const auto touches = [&](std::uint32_t row) {
    const std::int64_t begin = store.integer(start, row);
    const std::int64_t end = begin + store.integer(dur, row);
    const auto next = std::upper_bound(windows.begin(), windows.end(), begin,
                                       [](std::int64_t t, const Interval& i) { return t < i.end; });
    return next != windows.end() && (next->start < end || next->start <= begin);
  };
  for (std::size_t i = 0; i < frame.size; ++i) {
    const std::uint32_t row = frame.at(i);
    if (store.integer(start, row) == absent_integer || store.integer(dur, row) == absent_integer) maybe->push_back(row);
    else if (touches(row)) kept->push_back(row);
  }
  TableRows cut = table;
  cut.rows = std::move(kept);
  if (!maybe->empty()) {
    cut.maybe = std::move(maybe);
    merge_causes(cut.causes, row_causes);
  }
  out.data = std::move(cut);
  return out;
}

}  // namespace kdiag
