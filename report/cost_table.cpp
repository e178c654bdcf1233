// SPDX-License-Identifier: Apache-2.0
#include "report/cost_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "base/utf8.hpp"

namespace kdiag {
namespace {

/// A text with blanks ahead of it, or behind it, up to so many characters.
std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, count_code_points(text)), ' ') + text;
}
std::string left_aligned(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, count_code_points(text)), ' ');
}

std::string percent_text(double part, double whole) {
  return whole > 0 ? format_number(std::round(1000 * part / whole) / 10) + " %" : "-";
}

}  // namespace

std::string time_text(double seconds) { return format_duration(static_cast<std::int64_t>(seconds * 1e9)); }

std::string timing_line(std::string_view part, double seconds, std::string_view what) {
  return "  " + left_aligned(std::string(part), 8) + right_aligned(time_text(seconds), 10) + "  " + std::string(what) +
         "\n";
}

std::string dearest(std::string_view title, const std::vector<CostEntry>& entries, double whole, std::size_t most) {
  std::string out = "\n" + left_aligned(std::string(title), 10) + right_aligned("time", 10) +
                    right_aligned("share", 8) + right_aligned("rows", 14) + right_aligned("times", 8) + "\n";
  for (std::size_t i = 0; i < std::min(most, entries.size()); ++i) {
    const CostEntry& entry = entries[i];
    out += std::string(10, ' ') + right_aligned(time_text(entry.seconds), 10) +
           right_aligned(percent_text(entry.seconds, whole), 8) +
           right_aligned(format_count(static_cast<std::int64_t>(entry.rows)), 14) +
           right_aligned(format_count(static_cast<std::int64_t>(entry.times)), 8) + "  " + visible(entry.name) + "\n";
  }
  if (entries.size() > most) out += "          " + std::to_string(entries.size() - most) + " more\n";
  return out;
}

double seconds_of(const std::vector<CostEntry>& entries) {
  double out = 0;
  for (const CostEntry& entry : entries) out += entry.seconds;
  return out;
}

void write_costs(JsonWriter& json, std::string_view name, const std::vector<CostEntry>& entries) {
  json.list(name, entries, [&](const CostEntry& entry) {
    json.object(Layout::line, [&] {
      json.member("name", entry.name);
      json.member("seconds", entry.seconds);
      json.member("rows", entry.rows);
      json.member("times", entry.times);
    });
  });
}

}  // namespace kdiag
