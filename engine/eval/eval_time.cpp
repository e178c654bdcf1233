// SPDX-License-Identifier: Apache-2.0
// Interval functions, series and source sites.
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/eval/eval.hpp"
#include "engine/facts/library_frames.hpp"
#include "engine/facts/series.hpp"
#include "engine/facts/spans.hpp"
#include "engine/facts/throttle_reasons.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::uint32_t>;

std::shared_ptr<const IntervalSet> share(IntervalSet set) {
  return std::make_shared<const IntervalSet>(std::move(set));
}

}  // namespace

std::optional<std::vector<Interval>> Evaluator::row_intervals(const TableRows& table, const Frame& frame,
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

Value Evaluator::eval_spans(const TableRows& table, bool complement) {
  const auto window = run_.window(subject_);
  const Frame frame = frame_of(table);
  visit_rows(frame.size);
  if (subject_.device == absent_index && !table.derived &&
      find_column(info(table.base).name, "device").index != 0xFFFF && run_.store().rows(kdiag::table("devices")) > 1 &&
      !run_.implied_device())
    return unknown_reason("several devices: choose one with --device");
  Causes causes = table.causes;
  bool complete = !table.open && !table.maybe;
  auto known = row_intervals(table, frame, causes, complete);
  if (!known) return unknown(std::move(causes));
  if (!window) return unknown_fact("runs.wall", "there is no window of time");
  const IntervalSet wall = run_.parts(subject_);
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
    const Frame doubtful{&table, table.maybe.get(), table.maybe->size()};
    if (auto more = row_intervals(table, doubtful, ignored, bounded); more && bounded) {
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

Value Evaluator::eval_timeline(const Plan& plan) {
  using F = FunctionId;
  std::vector<Value> args;
  Value out;
  Causes causes;
  bool known = true;
  for (const PlanPtr& arg : plan.args) {
    args.push_back(eval(*arg));
    inherit(out, args.back());
    merge_causes(causes, args.back().causes());
    known = known && args.back().known();
  }
  if (!known) {
    out.data = Unknown{std::move(causes)};
    return out;
  }
  const auto length = [](const TimeRange& set) { return Range{Number(set.low->length()), Number(set.high->length())}; };
  const auto finish = [&](Value value) {
    inherit(value, out);
    return value;
  };
  if (plan.function == F::length) return finish(of(length(*args[0].as<TimeRange>())));
  if (plan.function == F::outermost) return finish(eval_outermost(*args[0].as<TableRows>()));
  if (plan.function == F::consecutive)
    return finish(eval_consecutive(*args[0].as<TableRows>(), args[1].as<Range>()->low));
  if (plan.function == F::concurrency) return finish(concurrency_of(*args[0].as<TableRows>()));
  const Value a = eval_spans(*args[0].as<TableRows>(), plan.function == F::gaps);
  inherit(out, a);
  if (!a.known() || plan.function == F::spans || plan.function == F::gaps) return finish(a);
  if (plan.function == F::busy) return finish(of(length(*a.as<TimeRange>())));
  const Value b = eval_spans(*args[1].as<TableRows>(), false);
  inherit(out, b);
  if (!b.known()) return finish(b);
  const TimeRange& x = *a.as<TimeRange>();
  const TimeRange& y = *b.as<TimeRange>();
  if (plan.function == F::overlap)
    return finish(of(Range{Number((*x.low & *y.low).length()), Number((*x.high & *y.high).length())}));
  return finish(of(Range{Number((*x.low - *y.high).length()), Number((*x.high - *y.low).length())}));
}

Value Evaluator::concurrency_of(const TableRows& table) {
  const Value spans = eval_spans(table, false);
  const auto* set = spans.as<TimeRange>();
  if (set == nullptr) return spans;
  if (!set->exact()) return unknown(table.causes);
  const std::int64_t busy = set->low->length();
  if (busy == 0) return unknown_reason("nothing runs");
  Causes causes;
  bool complete = true;
  const auto rows = row_intervals(table, frame_of(table), causes, complete);
  const IntervalSet wall = run_.parts(subject_);
  double sum = 0;  // rows may overlap: together they can be longer than any time
  for (const Interval& row : *rows) sum += static_cast<double>(wall.covered(row));
  return of(Number(sum / static_cast<double>(busy)));
}

// --- Source sites ---------------------------------------------------------------------------------------------------

Value Evaluator::eval_site(const Plan& plan) {
  const Value of_row = eval(*plan.args[0]);
  RowRef row;
  if (const auto* reference = of_row.as<RowRef>()) row = *reference;
  else if (const auto* table = of_row.as<TableRows>()) {
    if (table->size() == 0) return unknown_reason("no rows");
    row = {table->base, frame_of(*table).at(0)};
  } else return of_row;
  return user_frame(row);
}

RowValues Evaluator::site_rows(const Plan& plan, const RowValues& rows) {
  Indices frames = std::get<Indices>(rows.data);
  Causes causes = rows.causes;
  for (std::uint32_t& row : frames) {
    if (row == absent_index) continue;
    run_.stop_if_cancelled();
    const Value frame = user_frame({plan.args[0]->type.table, row});
    const auto* found = frame.as<RowRef>();
    row = found != nullptr ? found->row : absent_index;
    merge_causes(causes, frame.causes());
  }
  return {.data = std::move(frames), .causes = std::move(causes)};
}

/// From any row to its operator, from there to its frame, and on to the first caller that is not a library's.
Value Evaluator::user_frame(RowRef row) {
  const FactStore& store = run_.store();
  constexpr std::string_view steps[] = {"frame", "op", "call", "launch", "kernel"};
  for (int hops = 0; hops < 4 && !(row.table == table("frames")); ++hops) {
    bool moved = false;
    for (std::string_view step : steps) {
      const ColumnId column = find_column(info(row.table).name, step);
      if (column.index == 0xFFFF || info(column).type != ColumnType::reference) continue;
      const std::uint32_t next = store.index(column, row.row);
      if (next == absent_index) continue;
      row = {target_of(column), next};
      moved = true;
      break;
    }
    if (!moved) return unknown_fact("ops.frame", "no source frames were recorded for it");
  }
  if (!(row.table == table("frames"))) return unknown_fact("ops.frame", "no source frames were recorded for it");
  const std::uint32_t frame = first_user_frame(store, row.row);
  if (frame != absent_index) return {.data = RowRef{table("frames"), frame}, .columns = {column("ops.frame").index}};
  return unknown_reason("all its frames are a library's");
}

// --- Series ---------------------------------------------------------------------------------------------------------

namespace {

using Sample = std::pair<std::int64_t, double>;

/// Of several values for one instant the last stands: the others hold for no time. Samples in order of time.
void keep_last_of_each_instant(std::vector<Sample>& samples) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (i + 1 == samples.size() || samples[i + 1].first != samples[i].first) samples[kept++] = samples[i];
  samples.resize(kept);
}

/// The mean of the values, each for as long as it holds. Values near the largest double are weighed before they are
/// added, so that only a mean that is none itself is infinite.
double mean_over_time(const Series& series, double total) {
  double sum = 0;
  for (const auto& [span, value] : series.spans) sum += value * static_cast<double>(span.length());
  if (std::isfinite(sum)) return sum / total;
  sum = 0;
  for (const auto& [span, value] : series.spans) sum += value * (static_cast<double>(span.length()) / total);
  return sum;
}

}  // namespace

Value Evaluator::eval_series(const Plan& plan) {
  const FactStore& store = run_.store();
  const std::string fact = "samples:" + plan.names.front();
  const std::uint32_t name = store.strings.find(plan.names.front());
  const bool host = of_host(plan.names.front());
  std::uint32_t device = subject_.device;
  if (device == absent_index && !host) {
    const auto implied = run_.implied_device();
    if (!implied && store.rows(table("devices")) > 1)
      return unknown_reason("several devices: choose one with --device");
    device = implied.value_or(0);
  }
  const auto series = store.indices(column("samples.series"));
  const auto devices = store.indices(column("samples.device"));
  const auto times = store.integers(column("samples.time"));
  const auto values = store.reals(column("samples.value"));
  std::vector<Sample> samples;
  if (name != absent_index && !times.empty() && !values.empty())
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (series[i] != name || std::isnan(values[i]) || times[i] == absent_integer) continue;
      const bool own = host || devices.empty() || devices[i] == device ||
                       (devices[i] == absent_index && store.rows(table("devices")) == 1);
      if (own) samples.emplace_back(times[i], values[i]);
    }
  visit_rows(series.size());
  if (samples.empty()) return unknown_fact(fact);
  std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  keep_last_of_each_instant(samples);
  Series out{
      .name = plan.names.front(), .spans = {}, .aligned = store.samples_aligned, .dimension = plan.type.dimension};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int64_t end = 0;
    if (i + 1 < samples.size()) end = samples[i + 1].first;
    // The last value holds as long as the one before it did; a single one to the end of the wall (judgement).
    else if (i > 0) end = add_times(samples[i].first, samples[i].first - samples[i - 1].first);
    else if (const auto window = run_.window(subject_)) end = std::max(window->end, samples[i].first + 1);
    else end = samples[i].first + 1;
    if (end > samples[i].first) out.spans.push_back({{samples[i].first, end}, samples[i].second});
  }
  if (out.spans.empty()) return unknown_fact(fact);
  Value value{.data = std::move(out), .columns = {column("samples.series").index, column("samples.value").index}};
  return value;
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
    if (cut.spans.empty()) out.data = Unknown{{{"samples:" + series->name, "no sample lies in that time"}}};
    else out.data = std::move(cut);
    return out;
  }
  const TableRows& table = *subject.as<TableRows>();
  Causes row_causes = table.causes;
  bool complete = true;
  const Frame frame = frame_of(table);
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

Value Evaluator::eval_series_call(const Plan& plan) {
  using F = FunctionId;
  const Value source = eval(*plan.args[0]);
  const auto* series = source.as<Series>();
  if (series == nullptr) return source;
  Value out;
  inherit(out, source);
  double total = 0;
  for (const auto& [span, value] : series->spans) total += static_cast<double>(span.length());
  const auto weighted_by_value = [&] {
    std::map<double, double> held;
    for (const auto& [span, value] : series->spans) held[value] += static_cast<double>(span.length());
    return held;
  };
  switch (plan.function) {
    case F::time_avg: {
      const Number mean(mean_over_time(*series, total));
      out.data = Range{mean, mean};
      break;
    }
    case F::time_median: {
      double so_far = 0;
      for (const auto& [value, held] : weighted_by_value()) {
        so_far += held;
        if (so_far < total / 2) continue;
        out.data = Range{Number(value), Number(value)};
        break;
      }
      break;
    }
    case F::min:
    case F::max: {
      const auto held = weighted_by_value();
      const double value = plan.function == F::min ? held.begin()->first : held.rbegin()->first;
      out.data = Range{Number(value), Number(value)};
      break;
    }
    case F::time_where: {
      const Value low = eval(*plan.args[1]);
      const Value high = eval(*plan.args[2]);
      const auto* a = low.as<Range>();
      const auto* b = high.as<Range>();
      if (a == nullptr || b == nullptr) return a == nullptr ? low : high;
      std::vector<Interval> spans;
      for (const auto& [span, value] : series->spans)
        if (Number(value) >= a->low && Number(value) <= b->high) spans.push_back(span);
      out.data = TimeRange::of(IntervalSet::of(std::move(spans)));
      break;
    }
    case F::time_flagged: {
      const Value wanted = eval(*plan.args[1]);
      std::uint64_t mask = 0;
      for (const Value& flag : *wanted.as<List>())
        for (const ThrottleReason& reason : throttle_reason_table)
          if (const auto* name = flag.as<std::string>(); name && *name == reason.name) mask |= reason.bit;
      std::vector<Interval> spans;
      for (const auto& [span, value] : series->spans)
        if ((throttle_bits(value) & mask) != 0) spans.push_back(span);
      out.data = TimeRange::of(IntervalSet::of(std::move(spans)));
      break;
    }
    default: {  // top
      const Value wanted = eval(*plan.args[1]);
      const auto* n = wanted.as<Range>();
      if (n == nullptr) return wanted;
      std::vector<std::pair<double, double>> order;
      for (const auto& [value, held] : weighted_by_value()) order.emplace_back(held, value);
      std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      order.resize(
          std::min<std::size_t>(order.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, n->low.rounded()))));
      auto derived = std::make_shared<DerivedTable>();
      derived->schema = plan.type.schema;
      derived->rows = order.size();
      std::vector<double> values, shares;
      Indices meanings;
      for (const auto& [held, value] : order) {
        values.push_back(value);
        shares.push_back(held / total);
        meanings.push_back(run_.string_id(decode_throttle_reasons(throttle_bits(value))));
      }
      derived->columns = {RowValues{values, {}}, RowValues{shares, {}}};
      if (plan.type.schema->columns.size() > 2) derived->columns.push_back(RowValues{meanings, {}});
      TableRows table{.derived = std::move(derived), .rows = nullptr, .maybe = nullptr, .total = order.size()};
      out.data = std::move(table);
    }
  }
  return out;
}

}  // namespace kdiag
