// SPDX-License-Identifier: Apache-2.0
// Series of samples: a value holds until the next one.
#include <algorithm>
#include <cmath>

#include <kdiag/error_ids.hpp>

#include "base/edit_distance.hpp"
#include "engine/checking/call_check.hpp"
#include "engine/facts/series.hpp"
#include "engine/facts/spans.hpp"
#include "engine/facts/throttle_reasons.hpp"
#include "engine/functions/families.hpp"
#include "engine/functions/held_values.hpp"

namespace kdiag {
namespace {

// --- Checks ---------------------------------------------------------------------------------------------------------

PlanPtr check_series(CallCheck& call) {
  const auto* name = call.written().size() == 1 ? std::get_if<StringLiteral>(&call.written()[0]->node) : nullptr;
  if (name == nullptr) return call.wrong("needs the name of a series in quotes");
  const SeriesInfo* known = find_series(name->value);
  if (known == nullptr) {
    std::vector<std::string_view> names;
    for (const SeriesInfo& series : catalogue_series) names.push_back(series.name);
    return call.error(error_id::unknown_series, "unknown series '" + name->value + "'", call.place(0),
                      did_you_mean(name->value, names));
  }
  if (!of_host(known->name) && !call.scope().query && !call.scope().subject.has_device())
    return call.error(error_id::several_timelines, "series() belongs to one device", call.place(), {},
                      "add `for_each: device`");
  Type type = types::series(dimension_of(known->unit));
  type.mask = name->value == "throttle_reasons";
  auto out = std::make_shared<Plan>(*call.result(std::move(type), {}));
  out->names = {name->value};
  return out;
}

/// The arguments of a function whose first is a series.
std::optional<std::vector<PlanPtr>> with_series(CallCheck& call) {
  auto args = call.arguments();
  if (!args) return {};
  if (!args->empty() && args->front()->type.is(Kind::series)) return args;
  if (args->empty()) call.wrong("a series is needed");
  else call.wrong(0, "a series is needed");
  return {};
}

PlanPtr check_time_avg(CallCheck& call) {
  const auto args = with_series(call);
  if (!args) return nullptr;
  if (args->size() != 1) return call.wrong("needs one series");
  return call.result(types::number(args->front()->type.dimension), *args);
}

PlanPtr check_time_where(CallCheck& call) {
  const auto args = with_series(call);
  if (!args) return nullptr;
  if (args->size() != 3) return call.wrong("needs a series, a low and a high end");
  const Dimension dimension = args->front()->type.dimension;
  for (std::size_t i = 1; i < 3; ++i)
    if (const PlanPtr& end = (*args)[i]; !end->type.numeric() || !(end->type.dimension == dimension || is_zero(end)))
      return call.wrong(i, "this is " + describe(end->type) + ", the series is of " + dimension_name(dimension));
  return call.result(types::intervals(), *args);
}

PlanPtr check_time_flagged(CallCheck& call) {
  const auto args = with_series(call);
  if (!args) return nullptr;
  if (args->size() != 2 || (*args)[1]->op != PlanOp::list || !args->front()->type.mask)
    return call.wrong("needs series(\"throttle_reasons\") and a list of flags");
  std::vector<std::string_view> flags;
  for (const ThrottleReason& reason : throttle_reason_table) flags.push_back(reason.name);
  for (const PlanPtr& flag : (*args)[1]->args) {
    const auto* name = flag->constant.as<std::string>();
    if (name == nullptr) return call.wrong_at(flag->range, "a flag in quotes is needed");
    if (std::find(flags.begin(), flags.end(), *name) == flags.end())
      return call.error(error_id::unknown_series, "unknown flag '" + *name + "'", flag->range,
                        did_you_mean(*name, flags), std::string(call.function().signature));
  }
  return call.result(types::intervals(), *args);
}

// --- Values ---------------------------------------------------------------------------------------------------------

Value eval_series(Evaluator& evaluator, const Plan& plan) {
  const RunContext& run = evaluator.run();
  const Subject& subject = evaluator.subject();
  const FactStore& store = run.store();
  const std::string fact = "samples:" + plan.names.front();
  const std::uint32_t name = store.strings.find(plan.names.front());
  const bool host = of_host(plan.names.front());
  std::uint32_t device = subject.device;
  if (device == absent_index && !host) {
    const auto implied = run.implied_device();
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
  evaluator.visit_rows(series.size());
  if (samples.empty()) return unknown_fact(fact);
  Series out{.name = plan.names.front(),
             .spans = sample_spans(std::move(samples), run.window(subject)),
             .aligned = store.samples_aligned,
             .dimension = plan.type.dimension};
  if (out.spans.empty()) return unknown_fact(fact);
  Value value{.data = std::move(out), .columns = {column("samples.series").index, column("samples.value").index}};
  return value;
}

double mean_of(const Series& series) { return mean_over_time(series.spans); }

double median_of(const Series& series) {
  const HeldValues values = held_values(series);
  const double half = total_length(series) / 2;
  double so_far = 0;
  for (const auto& [value, held] : values)
    if ((so_far += held) >= half) return value;
  return values.rbegin()->first;
}

/// By how much a counter grew from its first value to its last. Where it falls it was reset, and had grown to what it
/// then is.
double growth_of(const Series& series) {
  double sum = 0;
  for (std::size_t i = 1; i < series.spans.size(); ++i) {
    const double before = series.spans[i - 1].second, now = series.spans[i].second;
    sum += now < before ? now : now - before;
  }
  return sum;
}

template <double (*Of)(const Series&)>
Value number_of_series(Evaluator& evaluator, const Plan& plan) {
  const Value source = evaluator.eval(*plan.args[0]);
  const auto* series = source.as<Series>();
  if (series == nullptr) return source;
  Value out = of(Number(Of(*series)));
  inherit(out, source);
  return out;
}

Value eval_increase(Evaluator& evaluator, const Plan& plan) {
  const Value source = evaluator.eval(*plan.args[0]);
  if (const auto* series = source.as<Series>(); series != nullptr && series->spans.size() < 2)
    return unknown_fact("samples:" + series->name, "a single sample tells no growth");
  return number_of_series<growth_of>(evaluator, plan);
}

/// The time in which `holds` is true of a series' value, of the subject's window as all time is: the last sample holds
/// beyond it. Samples of another clock have no place in it, and a single sample holds for no time.
template <class Holds>
Value time_in_which(Evaluator& evaluator, const Value& source, Holds holds) {
  const auto& series = *source.as<Series>();
  std::vector<Interval> spans;
  for (const auto& [span, value] : series.spans)
    if (holds(value)) spans.push_back(span);
  IntervalSet time = IntervalSet::of(std::move(spans));
  if (const IntervalSet parts = evaluator.run().parts(evaluator.subject()); series.aligned && parts.length() > 0)
    time = time & parts;
  Value out{.data = TimeRange::of(std::move(time)), .columns = {}};
  inherit(out, source);
  return out;
}

Value eval_time_where(Evaluator& evaluator, const Plan& plan) {
  const Value source = evaluator.eval(*plan.args[0]);
  if (source.as<Series>() == nullptr) return source;
  const Value low = evaluator.eval(*plan.args[1]);
  const Value high = evaluator.eval(*plan.args[2]);
  const auto* a = low.as<Range>();
  const auto* b = high.as<Range>();
  if (a == nullptr || b == nullptr) return a == nullptr ? low : high;
  return time_in_which(evaluator, source,
                       [&](double value) { return Number(value) >= a->low && Number(value) <= b->high; });
}

Value eval_time_flagged(Evaluator& evaluator, const Plan& plan) {
  const Value source = evaluator.eval(*plan.args[0]);
  if (source.as<Series>() == nullptr) return source;
  const Value wanted = evaluator.eval(*plan.args[1]);
  std::uint64_t mask = 0;
  for (const Value& flag : *wanted.as<List>())
    for (const ThrottleReason& reason : throttle_reason_table)
      if (const auto* name = flag.as<std::string>(); name && *name == reason.name) mask |= reason.bit;
  return time_in_which(evaluator, source, [mask](double value) { return (throttle_bits(value) & mask) != 0; });
}

constexpr FunctionTraits reads_samples{.reads = table("samples")};
constexpr FunctionTraits mean_of_series{.hardly_ever_equal = true};

constexpr Function series_table[] = {
    {"series", "series(name) -> series",
     "The subject's samples of that series as a step function; unknown when there are none.", "series(\"sm_clock\")",
     check_series, eval_series, nullptr, reads_samples},
    {"time_avg", "time_avg(series) -> value", "Mean weighted by time.", "time_avg(series(\"power\"))", check_time_avg,
     number_of_series<mean_of>, nullptr, mean_of_series},
    {"time_median", "time_median(series) -> value", "Median weighted by time.", "time_median(series(\"sm_clock\"))",
     check_time_avg, number_of_series<median_of>},
    {"increase", "increase(series) -> value",
     "By how much a counter grew: the sum of its rises; where it fell it had begun at 0 again. Unknown for one sample.",
     "increase(series(\"power\"))", check_time_avg, eval_increase},
    {"time_where", "time_where(series, low, high) -> intervals",
     "Time in which the value is between both ends, these included.", "time_where(series(\"gpu_util\"), 50%, 100%)",
     check_time_where, eval_time_where},
    {"time_flagged", "time_flagged(series, [flags]) -> intervals",
     "Time in which any of the named bits of a mask is set. Flags of throttle_reasons: gpu_idle, "
     "applications_clocks_setting, sw_power_cap, hw_slowdown, sync_boost, sw_thermal_slowdown, hw_thermal_slowdown, "
     "hw_power_brake_slowdown, display_clocks_setting (NVML).",
     "time_flagged(series(\"throttle_reasons\"), [\"hw_slowdown\"])", check_time_flagged, eval_time_flagged},
};

}  // namespace

double total_length(const Series& series) {
  double out = 0;
  for (const auto& [span, value] : series.spans) out += static_cast<double>(span.length());
  return out;
}

HeldValues held_values(const Series& series) {
  HeldValues out;
  for (const auto& [span, value] : series.spans) out[value] += static_cast<double>(span.length());
  return out;
}

Value of_series(Evaluator& evaluator, const Plan& plan, double (*number)(const HeldValues&)) {
  const Value source = evaluator.eval(*plan.args[0]);
  const auto* series = source.as<Series>();
  if (series == nullptr) return source;
  Value out = of(Number(number(held_values(*series))));
  inherit(out, source);
  return out;
}

FunctionFamily series_functions() { return series_table; }

}  // namespace kdiag
