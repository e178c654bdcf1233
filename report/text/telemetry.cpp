// SPDX-License-Identifier: Apache-2.0
#include "report/text/telemetry.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/table.hpp"
#include "report/phrases/telemetry_phrases.hpp"
#include "report/text/section.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view sampled_label = "what was sampled";
constexpr std::size_t most_devices = 8;  // a host's (judgement)

void print_series(Page& page, const TelemetryEntry& entry) {
  std::vector<std::vector<std::string>> cells = {{"series", "range", "median", "while busy", "limit"}};
  for (const SampledSeries& series : entry.series)
    cells.push_back({visible(series.series), sampled_range(series), sampled_value(series, series.median),
                     series.busy ? sampled_value(series, *series.busy) : "-",
                     series.limit ? sampled_value(series, *series.limit) : "-"});
  for (const std::string& line :
       align_columns(std::move(cells), {false, true, true, true, true}, page.width() - section_column))
    page.line(std::string(section_column, ' ') + line);
}

}  // namespace

void print_sampled_changes(Page& page, const Report& report, bool all) {
  const std::vector<SampledDevice> devices = sampled_in_both(report);
  const std::size_t shown = all ? devices.size() : std::min(devices.size(), most_devices);
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < shown; ++i) {
    std::string device = visible(devices[i].device);
    for (const SampledChange& change : devices[i].changes) {
      cells.push_back({std::move(device), visible(change.label), visible(change.normal + " -> " + change.abnormal),
                       change.change ? signed_share(*change.change) : ""});
      device.clear();
    }
  }
  Section section(page, "how samples changed");
  section.table(std::move(cells), {false, false, false, true});
  section.more(devices.size() - shown, "more device");
}

void print_telemetry(Page& page, const RunView& view, bool all) {
  std::string_view section = sampled_label;
  const std::size_t shown = all ? view.telemetry.size() : std::min(view.telemetry.size(), most_devices);
  for (std::size_t i = 0; i < shown; ++i) {
    const TelemetryEntry& entry = *view.telemetry[i];
    std::vector<std::string> words = dotted(telemetry_phrases(entry));
    if (view.telemetry.size() > 1)
      words.insert(words.begin(), visible(device_phrase(view, entry.rank, entry.device)) + ":");
    page.field(section, 1, section_column, words, Style::strong);
    section = "";
    if (all) print_series(page, entry);
  }
  if (shown < view.telemetry.size())
    page.field("", 1, section_column, words_of(counted(view.telemetry.size() - shown, "more device") + " with --all"));
}

}  // namespace kdiag::report
