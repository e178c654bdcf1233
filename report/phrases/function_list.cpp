// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/function_list.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <kdiag/catalogue.hpp>
#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "base/significance.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/signature.hpp"

namespace kdiag::report {
namespace {

// Judgement: less is no news to who looks for a cause.
constexpr double least_growth = 1.05, least_metric_change = 0.01;
constexpr double least_share = 0.001;        // of a cycle: what takes less in both runs made neither longer
constexpr double least_other_change = 0.05;  // by which a counter must change otherwise to be told again
constexpr std::size_t longest_function_name = 60, shown_metrics = 3;

std::string share_percent(const std::optional<double>& share) {
  return share ? format_number(std::round(*share * 1e4) / 100) + " %" : "";
}

std::string plain_number(const std::optional<double>& value) { return value ? format_number(*value) : ""; }

/// LatencyPrism's means are hundredths of what it counts (docs/formats/latencyprism.md).
struct StatedMetric {
  std::string_view name, unit;
  double scale;
};
constexpr StatedMetric stated_metrics[] = {
    {"gpu_link_receive", "B/s", 0.01},  {"gpu_link_transmit", "B/s", 0.01}, {"gpu_pcie_receive", "B/s", 0.01},
    {"gpu_pcie_transmit", "B/s", 0.01}, {"gpu_usage", "ratio", 0.01},       {"process_gpu_usage", "ratio", 0.01},
    {"gpu_mem_used", "ratio", 0.01},    {"host_cpu_usage", "ratio", 0.01},
};

/// The mean of a metric: of a series of the catalogue in its unit. LatencyPrism states clocks without one, in 10 kHz
/// (docs/formats/latencyprism.md); other metrics are printed as they stand.
std::string metric_value(std::string_view metric, const std::optional<double>& value) {
  if (const SeriesInfo* series = value ? find_series(metric) : nullptr)
    return format_value({.value = *value, .unit = std::string(base_unit(series->unit))});
  constexpr std::string_view clocks[] = {"gpu_frequency", "gpu_sm_frequency", "gpu_mem_frequency"};
  constexpr double slowest = 1e4,
                   fastest = 4e5;  // 0.1 and 4 GHz in 10 kHz: what is no clock of a device is no such unit
  const bool clock = std::find(std::begin(clocks), std::end(clocks), metric) != std::end(clocks);
  if (value && clock && *value >= slowest && *value <= fastest) return format_number(*value / 100) + " MHz";
  const auto* known = std::find_if(std::begin(stated_metrics), std::end(stated_metrics),
                                   [&](const StatedMetric& stated) { return stated.name == metric; });
  if (!value || known == std::end(stated_metrics)) return plain_number(value);
  return format_value({.value = *value * known->scale, .unit = std::string(known->unit)});
}

std::string metric_phrase(const FunctionEntry& row) {
  return visible(row.metric) + " " + metric_value(row.metric, row.mu_normal) + " -> " +
         metric_value(row.metric, row.mu_abnormal);
}

bool has_few_cycles(const FunctionEntry& row) {
  const auto least = static_cast<std::int64_t>(least_measured_cycles);
  return row.cycles_normal.value_or(0) < least || row.cycles_abnormal.value_or(0) < least;
}

/// "q 0.002, Cliff's delta 0.91"; empty where there are too few cycles for them.
std::string statistics_phrase(const FunctionEntry& row, const std::optional<double>& q,
                              const std::optional<double>& effect) {
  if (!q || !effect || has_few_cycles(row)) return {};
  return "q " + (*q < 0.001 ? "< 0.001" : format_number(std::round(*q * 1000) / 1000)) + ", Cliff's delta " +
         format_number(std::round(*effect * 100) / 100);
}

/// Of a cycle in ns; absent where the input states no cycles.
std::optional<double> time_of(const std::optional<double>& share, const CycleSide& side) {
  return share && side.mean_ns ? std::optional(*share * static_cast<double>(*side.mean_ns)) : std::nullopt;
}

/// Whether its time differs by no more than it varies.
bool may_be_chance(const FunctionEntry& row) { return row.q.value_or(0) > significance && !has_few_cycles(row); }

/// By more than counts, of the function and of the cycle, and than its time varies.
bool takes_longer(const FunctionEntry& row, const CycleEntry& cycle) {
  if (may_be_chance(row)) return false;
  if (!row.beta_normal || !row.beta_abnormal) return true;
  if (std::max(*row.beta_normal, *row.beta_abnormal) < least_share) return false;
  const auto before = time_of(row.beta_normal, cycle.normal), after = time_of(row.beta_abnormal, cycle.abnormal);
  if (!before || !after) return *row.beta_abnormal > least_growth * *row.beta_normal;
  return *after > least_growth * *before;
}

/// Whether anything is known that differs between the runs.
bool changed(const FunctionEntry& row) {
  return row.suspicion.value_or(0) > 0 || row.beta_normal != row.beta_abnormal || row.mu_normal != row.mu_abnormal;
}

/// "2.71 % -> 8.62 % of a cycle, 20.3 ms -> 67.7 ms (q 0.002, Cliff's delta 1)"
std::string share_phrase(const FunctionEntry& row, const CycleEntry& cycle) {
  if (!row.beta_normal && !row.beta_abnormal) return {};
  std::string text = share_percent(row.beta_normal) + " -> " + share_percent(row.beta_abnormal) + " of " +
                     (cycle.basis == CycleBasis::run ? "the run" : "a cycle");
  const auto before = time_of(row.beta_normal, cycle.normal), after = time_of(row.beta_abnormal, cycle.abnormal);
  if (before && after)
    text += (row.device == "Host" ? ", thread time " : ", ") + format_value({*before, "ns", {}}) + " -> " +
            format_value({*after, "ns", {}});
  const std::string statistics = statistics_phrase(row, row.q, row.effect);
  return statistics.empty() ? text : text + " (" + statistics + ")";
}

std::string name_phrase(const FunctionEntry& row, bool all) {
  return (all ? visible(row.function) : shorten_name(visible(row.function), longest_function_name)) + ", " +
         visible(row.device) + ": ";
}

std::string line_of_row(const FunctionEntry& row, const CycleEntry& cycle) {
  std::vector<std::string> parts;
  if (row.mu_normal || row.mu_abnormal) {
    const std::string statistics = statistics_phrase(row, row.q_mu, row.effect_mu);
    parts.push_back(metric_phrase(row) + " on average" + (statistics.empty() ? "" : " (" + statistics + ")"));
  }
  if (std::string share = share_phrase(row, cycle); !share.empty()) parts.push_back(std::move(share));
  if (row.suspicion) parts.push_back("suspicion " + plain_number(row.suspicion));
  return name_phrase(row, true) + join(parts, ", ");
}

double relative_change(const FunctionEntry& row) {
  const double before = row.mu_normal.value_or(0), after = row.mu_abnormal.value_or(0);
  const double larger = std::max(std::abs(before), std::abs(after));
  return larger > 0 ? std::abs(after - before) / larger : 0;
}

/// The rows of one function and device, most suspicious first.
struct OneFunction {
  const FunctionEntry* first = nullptr;
  std::vector<const FunctionEntry*> rows = {};
};

std::vector<OneFunction> by_function(const std::vector<FunctionEntry>& rows) {
  std::vector<OneFunction> functions;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;  // by function and device
  for (const FunctionEntry& row : rows) {
    if (!changed(row)) continue;
    const auto [known, added] = places.try_emplace({row.function, row.device}, functions.size());
    if (added) functions.push_back({&row, {}});
    functions[known->second].rows.push_back(&row);
  }
  return functions;
}

using Rows = std::vector<const FunctionEntry*>;

/// Whether a row tells what another one does: the same values, or the same counter of a device, which changes about as
/// much whatever function runs.
bool is_told(const FunctionEntry& row, const Rows& own, const Rows& before) {
  const auto close = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a == b || (a && b && std::abs(*a - *b) <= least_metric_change * std::abs(*b));
  };
  const auto same = [&](const FunctionEntry* other) {
    return other->device == row.device && close(other->mu_normal, row.mu_normal) &&
           close(other->mu_abnormal, row.mu_abnormal);
  };
  const auto same_counter = [&](const FunctionEntry* other) {
    return other->device == row.device && other->metric == row.metric &&
           std::abs(relative_change(*other) - relative_change(row)) < least_other_change;
  };
  return std::any_of(own.begin(), own.end(), same) || std::any_of(before.begin(), before.end(), same) ||
         std::any_of(before.begin(), before.end(), same_counter);
}

/// What else differs while the function ran: a few metrics, each once. `before`: what other functions told, and then
/// this.
std::string metrics_phrase(const OneFunction& function, Rows& before) {
  Rows metrics;
  for (const FunctionEntry* row : function.rows)
    if ((row->mu_normal || row->mu_abnormal) && relative_change(*row) >= least_metric_change &&
        !is_told(*row, metrics, before))
      metrics.push_back(row);
  std::stable_sort(metrics.begin(), metrics.end(), [](const FunctionEntry* a, const FunctionEntry* b) {
    return relative_change(*a) > relative_change(*b);
  });
  if (metrics.size() > shown_metrics) metrics.resize(shown_metrics);
  std::vector<std::string> parts;
  for (const FunctionEntry* row : metrics) parts.push_back(metric_phrase(*row));
  before.insert(before.end(), metrics.begin(), metrics.end());
  return parts.empty() ? "" : join(parts, ", ") + " on average";
}

std::string line_of(const OneFunction& function, const Comparison& comparison, Rows& told) {
  std::vector<std::string> parts;
  if (std::string share = share_phrase(*function.first, comparison.cycle); !share.empty())
    parts.push_back(std::move(share));
  if (std::string metrics = metrics_phrase(function, told); !metrics.empty()) parts.push_back(std::move(metrics));
  if (comparison.verdict != Verdict::improvement && function.first->suspicion)
    parts.push_back("suspicion " + plain_number(function.first->suspicion));
  return name_phrase(*function.first, false) + join(parts, "; ");
}

}  // namespace

bool is_thread_time(const Comparison& comparison, const std::string& function) {
  return std::any_of(comparison.functions.begin(), comparison.functions.end(),
                     [&](const FunctionEntry& row) { return row.device == "Host" && row.function == function; });
}

FunctionList function_list(const Comparison& comparison, bool all, std::size_t most) {
  FunctionList list;
  if (all) {
    list.heading = "as they stand in the report, most suspicious first";
    for (const FunctionEntry& row : comparison.functions) list.lines.push_back(line_of_row(row, comparison.cycle));
    return list;
  }
  std::vector<OneFunction> functions = by_function(comparison.functions);
  const bool any = !functions.empty(), faster = comparison.verdict == Verdict::improvement;
  std::erase_if(functions, [&](const OneFunction& one) {
    const FunctionEntry& row = *one.first;
    if (!faster) return !takes_longer(row, comparison.cycle);
    return may_be_chance(row) || std::max(row.beta_normal.value_or(1), row.beta_abnormal.value_or(1)) < least_share;
  });
  if (functions.size() > most) functions.resize(most);
  if (!any) list.heading = "none changed";
  else if (faster && !functions.empty())
    list.heading = "with another share of a cycle that became shorter; a larger share need not be more time";
  else if (functions.empty())
    list.heading = faster ? "none takes noticeably other time of a cycle"
                          : "none takes noticeably more time of a cycle than before";
  else list.heading = "that take more time of a cycle, most suspicious first";
  list.hidden = comparison.functions.size();
  Rows told;
  for (const OneFunction& function : functions) {
    list.lines.push_back(line_of(function, comparison, told));
    list.hidden -= function.rows.size();
  }
  return list;
}

}  // namespace kdiag::report
