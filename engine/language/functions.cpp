// SPDX-License-Identifier: Apache-2.0
#include "engine/language/functions.hpp"

#include <algorithm>

namespace kdiag {
namespace {

using F = FunctionId;

constexpr FunctionInfo functions[] = {
    {F::count, "count", "count(table) -> number", "Rows. 0 for an empty table.", "count(kernels where dur < 10us)"},
    {F::sum, "sum", "sum(table, x) -> x", "Sum of x over the rows. 0 for an empty table.", "sum(copies, bytes)"},
    {F::avg, "avg", "avg(table, x) -> x",
     "Mean of x; unknown for an empty table, and when less than 90 % of it is known.", "avg(kernels, dur)"},
    {F::min, "min", "min(table, x) -> x, min(series), min(a, b)",
     "Smallest x of the rows; lowest value of a series; the smaller of two numbers.", "min(kernels, dur)"},
    {F::max, "max", "max(table, x) -> x, max(series), max(a, b)",
     "Largest x of the rows; highest value of a series; the larger of two numbers.", "max(kernels, dur)"},
    {F::median, "median", "median(table, x) -> x", "Median (type-7 percentile 50).", "median(kernels, dur)"},
    {F::stdev, "stdev", "stdev(table, x) -> x", "Sample standard deviation (n - 1).", "stdev(steps, dur)"},
    {F::percentile, "p", "p(table, x, percent[, weight]) -> x",
     "Percentile by linear interpolation (type 7, Hyndman and Fan 1996); with a weight, the smallest x that holds the "
     "share of the weight.",
     "p(kernels, dur, 99)"},
    {F::distinct, "distinct", "distinct(table, x) -> number", "Number of different known values.",
     "distinct(kernels, name)"},
    {F::mode, "mode", "mode(table, x) -> x", "Most frequent value; the first in table order among equals.",
     "mode(ops, name)"},
    {F::argmin, "argmin", "argmin(table, key, x) -> x", "x of the row with the smallest key; the first among equals.",
     "argmin(kernels, dur, name)"},
    {F::argmax, "argmax", "argmax(table, key, x) -> x", "x of the row with the largest key; the first among equals.",
     "argmax(op_stats, host_total, name)"},
    {F::top, "top", "top(table, n, key) -> table, top(series, n)",
     "The n rows with the largest keys, largest first; the n values of a series that were held longest.",
     "top(kernel_stats, 5, total)"},
    {F::any, "any", "any(table, condition) -> bool", "Whether the condition holds for at least one row.",
     "any(kernels, dur > 1ms)"},
    {F::all, "all", "all(table, condition) -> bool",
     "Whether the condition holds for every row; true for an empty table.", "all(kernels, dur > 0ns)"},
    {F::exists, "exists", "exists(table) -> bool", "Whether there is a row.", "exists(api where is_sync)"},
    {F::spans, "spans", "spans(table) -> intervals", "Union of the rows' time, clipped to the wall.", "spans(kernels)"},
    {F::gaps, "gaps", "gaps(table) -> intervals", "The wall without spans(table), head and tail included.",
     "gaps(kernels)"},
    {F::length, "length", "length(intervals) -> time", "Length of a set of time.",
     "length(spans(kernels) & spans(copies))"},
    {F::busy, "busy", "busy(table) -> time", "length(spans(table)).", "busy(kernels) / run.wall"},
    {F::exposed, "exposed", "exposed(a, b) -> time", "Time of a while b does not run: length(spans(a) - spans(b)).",
     "exposed(copies, kernels)"},
    {F::overlap, "overlap", "overlap(a, b) -> time", "Time in which both run: length(spans(a) & spans(b)).",
     "overlap(copies, kernels)"},
    {F::concurrency, "concurrency", "concurrency(table) -> number",
     "Mean number of rows that run at a time while any does.", "concurrency(kernels)"},
    {F::outermost, "outermost", "outermost(table) -> table",
     "Drops rows that lie inside another row of the same thread or stream.", "sum(outermost(ops), host_total)"},
    {F::consecutive, "consecutive", "consecutive(table, n) -> table",
     "Rows that stand in runs of at least n: next to one another on their stream or thread (in order of start, else of "
     "the table), without a row in between that the table leaves out.",
     "sum(consecutive(kernels where class in [\"gemm\", \"elementwise\"], 3), dur)"},
    {F::site, "site", "site(row) -> frame",
     "The user's source frame of a row, or of the first row of a table; library frames are passed over.",
     "site(top(ops, 1, dur))"},
    {F::series, "series", "series(name) -> series",
     "The subject's samples of that series as a step function; unknown when there are none.", "series(\"sm_clock\")"},
    {F::time_avg, "time_avg", "time_avg(series) -> value", "Mean weighted by time.", "time_avg(series(\"power\"))"},
    {F::time_median, "time_median", "time_median(series) -> value", "Median weighted by time.",
     "time_median(series(\"sm_clock\"))"},
    {F::time_where, "time_where", "time_where(series, low, high) -> intervals",
     "Time in which the value is between both ends, these included.", "time_where(series(\"gpu_util\"), 50%, 100%)"},
    {F::time_flagged, "time_flagged", "time_flagged(series, [flags]) -> intervals",
     "Time in which any of the named bits of a mask is set. Flags of throttle_reasons: gpu_idle, "
     "applications_clocks_setting, sw_power_cap, hw_slowdown, sync_boost, sw_thermal_slowdown, hw_thermal_slowdown, "
     "hw_power_brake_slowdown, display_clocks_setting (NVML).",
     "time_flagged(series(\"throttle_reasons\"), [\"hw_slowdown\"])"},
    {F::baseline, "baseline", "baseline(x) -> x",
     "x of the matching subject of the baseline run, among rows or groups of the matching row or group; unknown "
     "without a baseline or a match. x is a number, a text or a bool.",
     "baseline(run.wall)"},
    {F::delta, "delta", "delta(x) -> x", "x - baseline(x).", "delta(run.wall)"},
    {F::change, "change", "change(x) -> ratio", "x / baseline(x) - 1.", "change(run.wall)"},
    {F::coalesce, "coalesce", "coalesce(a, b, ...) -> a", "The first that is known.",
     "coalesce(busy(kernels) / run.wall, 0%)"},
    {F::default_value, "default", "default(x, value) -> x", "x, or the value when x is unknown.",
     "default(busy(kernels), 0s)"},
    {F::defined, "defined", "defined(x) -> bool", "Whether x is known.", "defined(busy(kernels))"},
    {F::clamp, "clamp", "clamp(x, low, high) -> x", "x, but no less than low and no more than high.",
     "clamp(busy(kernels), 0s, run.wall)"},
    {F::mod, "mod", "mod(a, b) -> a", "Remainder of a / b with the sign of a.", "mod(count(kernels), 8)"},
};

}  // namespace

std::span<const FunctionInfo> function_table() { return functions; }

const FunctionInfo* find_function(std::string_view name) {
  const auto* found = std::find_if(std::begin(functions), std::end(functions),
                                   [name](const FunctionInfo& f) { return f.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

const FunctionInfo& function_info(FunctionId id) {
  return *std::find_if(std::begin(functions), std::end(functions), [id](const FunctionInfo& f) { return f.id == id; });
}

}  // namespace kdiag
