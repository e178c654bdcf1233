// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/telemetry_phrases.hpp"

#include <kdiag/compare.hpp>
#include <kdiag/format.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "report/phrases/phrases.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {
namespace {

/// Which of its values tells most about a series.
enum class Shown : std::uint8_t { mean, usual, highest };

struct Figure {
  std::string_view series, label;
  Shown shown = Shown::usual;
};
// What people ask first of a device. Counters and links have rules of their own, which say what is wrong.
constexpr Figure figures[] = {
    {"gpu_util", "utilization", Shown::mean},
    {"encoder_util", "video encoder", Shown::mean},
    {"decoder_util", "video decoder", Shown::mean},
    {"sm_active", "SMs active", Shown::mean},
    {"tensor_active", "tensor cores active", Shown::mean},
    {"dram_active", "DRAM active", Shown::mean},
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

double shown_value(const SampledSeries& series, Shown shown) {
  if (shown == Shown::mean) return series.mean;
  return shown == Shown::highest ? series.max : series.busy.value_or(series.median);
}

/// Of memory that is known in bytes its share says the same again.
bool says_again(const Figure& figure, const TelemetryEntry& entry) {
  return figure.series == "memory_share" && find_series(entry, "memory_used") != nullptr;
}

/// Whether a figure would say nothing: few devices have video to work on, and all state it.
bool is_no_matter(const Figure& figure, const SampledSeries& series) {
  return series.max == 0 && (figure.series == "encoder_util" || figure.series == "decoder_util");
}

/// "1410 of 1980 MHz": the unit once, where both have the same.
std::string out_of(const std::string& value, const std::string& limit) {
  const std::size_t unit = limit.find(' ');
  const bool same = unit != std::string::npos && value.ends_with(limit.substr(unit));
  return (same ? value.substr(0, value.size() - (limit.size() - unit)) : value) + " of " + limit;
}

/// "sw_power_cap 96 %"; empty where nothing limited the clocks, or it is not known.
std::string limits(const TelemetryEntry& entry) {
  std::string list;
  for (const auto& [reason, share] : entry.clock_limits)
    if (reason != "none") list += (list.empty() ? "" : ", ") + reason + " " + format_share(share);
  return list;
}

std::string limits_phrase(const TelemetryEntry& entry) {
  if (entry.clock_limits.empty()) return {};
  if (entry.clock_limits.size() == 1) {
    if (entry.clock_limits[0].first == "none") return "nothing limits the clocks";
    if (entry.clock_limits[0].first == "gpu_idle") return {};  // what its utilization says already
  }
  return "clocks limited by " + limits(entry);
}

/// "utilization 25 % (8 to 42 %)", "SM clock 1410 of 1980 MHz".
std::string figure_phrase(const Figure& figure, const SampledSeries& series) {
  const std::string value = sampled_value(series, shown_value(series, figure.shown));
  const std::string phrase = std::string(figure.label) + " " + value;
  if (figure.shown == Shown::mean)
    return series.min == series.max ? phrase : phrase + " (" + sampled_range(series) + ")";
  return series.limit ? std::string(figure.label) + " " + out_of(value, sampled_value(series, *series.limit)) : phrase;
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
  for (const Figure& figure : figures)
    if (const SampledSeries* const series = find_series(entry, figure.series);
        series != nullptr && !says_again(figure, entry) && !is_no_matter(figure, *series))
      phrases.push_back(figure_phrase(figure, *series));
  if (std::string limits = limits_phrase(entry); !limits.empty()) phrases.push_back(std::move(limits));
  if (phrases.empty())  // of counters alone: what the kernel's log has, say
    for (const SampledSeries& series : entry.series) phrases.push_back(series.series + " " + sampled_range(series));
  return phrases;
}

namespace {

std::vector<SampledChange> sampled_changes(const TelemetryEntry& normal, const TelemetryEntry& abnormal) {
  std::vector<SampledChange> changes;
  for (const Figure& figure : figures) {
    const SampledSeries* const before = find_series(normal, figure.series);
    const SampledSeries* const after = find_series(abnormal, figure.series);
    if (before == nullptr || after == nullptr || says_again(figure, abnormal)) continue;
    if (is_no_matter(figure, *before) && is_no_matter(figure, *after)) continue;
    const double was = shown_value(*before, figure.shown), is = shown_value(*after, figure.shown);
    changes.push_back({.label = std::string(figure.label),
                       .normal = sampled_value(*before, was),
                       .abnormal = sampled_value(*after, is),
                       .change = was > 0 ? std::optional((is - was) / was) : std::nullopt});
  }
  const std::string was = limits(normal), is = limits(abnormal);
  if (!normal.clock_limits.empty() && !abnormal.clock_limits.empty() && was != is)
    changes.push_back({.label = "clocks limited by",
                       .normal = was.empty() ? "nothing" : was,
                       .abnormal = is.empty() ? "nothing" : is,
                       .change = {}});
  return changes;
}

}  // namespace

std::vector<SampledDevice> sampled_in_both(const Report& report) {
  std::vector<SampledDevice> devices;
  if (report.telemetry.empty()) return devices;
  const std::vector<RunView> views = views_of(report);
  const auto view_of = [&](const std::string& id) {
    return std::find_if(views.begin(), views.end(), [&](const RunView& view) { return view.run->id == id; });
  };
  const auto normal = view_of(report.comparison->normal), abnormal = view_of(report.comparison->abnormal);
  if (normal == views.end() || abnormal == views.end()) return devices;
  const bool only = normal->telemetry.size() == 1 && abnormal->telemetry.size() == 1;
  for (const TelemetryEntry* const after : abnormal->telemetry)
    for (const TelemetryEntry* const before : normal->telemetry)
      if (only || (before->rank == after->rank && before->device == after->device))
        devices.push_back({device_phrase(*abnormal, after->rank, after->device), sampled_changes(*before, *after)});
  return devices;
}

}  // namespace kdiag::report
