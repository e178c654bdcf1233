// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/telemetry_phrases.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace kdiag::report {
namespace {

/// Which of its values tells most about a series.
enum class Shown : std::uint8_t { usual, highest };

struct Figure {
  std::string_view series, label;
  Shown shown = Shown::usual;
};
// What people ask first of a device. Counters and links have rules of their own, which say what is wrong.
constexpr Figure figures[] = {
    {"sm_active", "SMs active"},
    {"tensor_active", "tensor cores active"},
    {"dram_active", "DRAM active"},
    {"sm_clock", "SM clock"},
    {"mem_clock", "memory clock"},
    {"power", "power"},
    {"temperature", "up to", Shown::highest},
    {"mem_temperature", "memory up to", Shown::highest},
    {"memory_used", "memory used", Shown::highest},
    {"memory_share", "memory used", Shown::highest},
};

const SampledSeries* find_series(const TelemetryEntry& entry, std::string_view name) {
  const auto found = std::find_if(entry.series.begin(), entry.series.end(),
                                  [name](const SampledSeries& series) { return series.series == name; });
  return found == entry.series.end() ? nullptr : &*found;
}

/// "1410 of 1980 MHz": the unit once, where both have the same.
std::string out_of(const std::string& value, const std::string& limit) {
  const std::size_t unit = limit.find(' ');
  const bool same = unit != std::string::npos && value.ends_with(limit.substr(unit));
  return (same ? value.substr(0, value.size() - (limit.size() - unit)) : value) + " of " + limit;
}

std::string limits_phrase(const TelemetryEntry& entry) {
  if (entry.clock_limits.empty()) return {};
  if (entry.clock_limits.size() == 1) {
    if (entry.clock_limits[0].first == "none") return "nothing limits the clocks";
    if (entry.clock_limits[0].first == "gpu_idle") return {};  // what its utilization says already
  }
  std::string phrase;
  for (const auto& [reason, share] : entry.clock_limits)
    if (reason != "none") phrase += (phrase.empty() ? "" : ", ") + reason + " " + format_share(share);
  return "clocks limited by " + phrase;
}

/// "utilization 25 % (8 to 42 %)".
std::string utilization_phrase(const SampledSeries& series) {
  const std::string mean = "utilization " + sampled_value(series, series.mean);
  return series.min == series.max ? mean : mean + " (" + sampled_range(series) + ")";
}

}  // namespace

std::string sampled_value(const SampledSeries& series, double value) {
  return format_value({.value = value, .unit = series.unit});
}

std::string sampled_range(const SampledSeries& series) {
  const std::string low = sampled_value(series, series.min), high = sampled_value(series, series.max);
  if (low == high) return high;
  const std::size_t unit = high.find(' ');
  const bool same = unit != std::string::npos && low.ends_with(high.substr(unit));
  return (same ? low.substr(0, low.size() - (high.size() - unit)) : low) + " to " + high;
}

std::vector<std::string> telemetry_phrases(const TelemetryEntry& entry) {
  std::vector<std::string> phrases;
  if (const SampledSeries* const utilization = find_series(entry, "gpu_util"); utilization != nullptr)
    phrases.push_back(utilization_phrase(*utilization));
  for (const Figure& figure : figures) {
    const SampledSeries* const series = find_series(entry, figure.series);
    if (series == nullptr) continue;
    if (figure.series == "memory_share" && find_series(entry, "memory_used") != nullptr) continue;  // the same in bytes
    const double value = figure.shown == Shown::highest ? series->max : series->busy.value_or(series->median);
    const std::string text = sampled_value(*series, value);
    phrases.push_back(std::string(figure.label) + " " +
                      (series->limit ? out_of(text, sampled_value(*series, *series->limit)) : text));
  }
  if (std::string limits = limits_phrase(entry); !limits.empty()) phrases.push_back(std::move(limits));
  return phrases;
}

}  // namespace kdiag::report
