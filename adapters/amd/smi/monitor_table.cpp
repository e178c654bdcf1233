// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/smi/monitor_table.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"

namespace kdiag::adapters::amd {
namespace {

struct ColumnName {
  std::string_view printed, name;
};
constexpr ColumnName names[] = {
    {"TIMESTAMP", "timestamp"},
    {"GPU", "gpu"},
    {"XCP", "xcp"},
    {"POWER", "power_usage"},
    {"PWR_CAP", "max_power"},
    {"GPU_T", "hotspot_temperature"},
    {"MEM_T", "memory_temperature"},
    {"GFX_CLK", "gfx_clk"},
    {"GFX%", "gfx"},
    {"MEM%", "mem"},
    {"MEM_CLOCK", "mem_clock"},
    {"VRAM_USED", "vram_used"},
    {"VRAM_TOTAL", "vram_total"},
    {"PVIOL", "pviol"},
    {"TVIOL", "tviol"},
    {"PHOT_TVIOL", "phot_tviol"},
    {"VR_TVIOL", "vr_tviol"},
    {"HBM_TVIOL", "hbm_tviol"},
};
constexpr std::string_view usage = "VRAM_USAGE";  // "2.0/192.0 GB"

struct UnitName {
  std::string_view printed, unit;
};
constexpr UnitName units[] = {{"W", "W"}, {"°C", "C"},   {"C", "C"},    {"MHz", "MHz"},
                              {"%", "%"}, {"GB", "GiB"}, {"MB", "MiB"}, {"MB/s", "MB/s"}};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t begin = line.find_first_not_of(" \t\r"); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    out.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(" \t\r", end);
  }
  return out;
}

/// The name that CSV has for a column; empty for others.
std::string_view name_of(std::string_view printed) {
  const auto* const known = std::find_if(std::begin(names), std::end(names),
                                         [printed](const ColumnName& name) { return name.printed == printed; });
  return known == std::end(names) ? std::string_view() : known->name;
}

std::optional<std::string_view> unit_of(std::string_view word) {
  const auto* const known =
      std::find_if(std::begin(units), std::end(units), [word](const UnitName& unit) { return unit.printed == word; });
  return known == std::end(units) ? std::nullopt : std::optional(known->unit);
}

/// A value and what stands behind it: "251", "W"; "2.0/", "192.0", "GB".
std::string take_value(const std::vector<std::string_view>& words, std::size_t& at) {
  std::string text(words[at++]);
  if (text.ends_with('/') && at < words.size()) text += words[at++];
  if (at == words.size()) return text;
  if (const auto unit = unit_of(words[at])) {
    text.append(" ").append(*unit);
    ++at;
  }
  return text;
}

void set_usage(SmiReport& report, std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::size_t blank = std::min(text.find(' '), text.size());
  if (slash >= blank) return;
  report.emplace("vram_used", std::string(text.substr(0, slash)) + std::string(text.substr(blank)));
  report.emplace("vram_total", text.substr(slash + 1));
}

}  // namespace

bool MonitorTable::start(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  const auto has = [&words](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const bool begins = !words.empty() && (words[0] == "GPU" || (words[0] == "TIMESTAMP" && has("GPU")));
  constexpr std::ptrdiff_t least = 2;  // judgement: beside the GPU, so that no other tool's table is taken for it
  const auto measured = std::count_if(words.begin(), words.end(), [](std::string_view word) {
    const std::string_view name = name_of(word);
    return !name.empty() && name != "gpu" && name != "xcp" && name != "timestamp";
  });
  if (!begins || !(measured >= least || has("GFX%") || has("GPU_T") || has("GFX_CLK") || has(usage))) return false;
  columns_.assign(words.begin(), words.end());
  return true;
}

bool MonitorTable::may_be_row(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && is_digit(line[first]);
}

std::optional<SmiReport> MonitorTable::row(std::string_view line) const {
  const std::vector<std::string_view> words = words_of(line);
  SmiReport report;
  std::size_t at = 0;
  for (const std::string& column : columns_) {
    if (at == words.size()) return std::nullopt;
    const std::string value = take_value(words, at);
    if (column == usage) set_usage(report, value);
    if (const std::string_view name = name_of(column); !name.empty()) report.emplace(name, value);
  }
  return at == words.size() ? std::optional(std::move(report)) : std::nullopt;
}

bool MonitorTable::is_further_partition(const SmiReport& report) {
  const auto partition = report.find("xcp");
  return partition != report.end() && partition->second != "0" && partition->second != "N/A";
}

}  // namespace kdiag::adapters::amd
