// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/common/rocm_concise.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "adapters/json/json.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"

namespace kdiag::adapters::rocm {
namespace {

constexpr std::string_view power = "Average Graphics Package Power (W)";
constexpr std::string_view temperature = "Temperature (Sensor edge) (C)";
constexpr std::pair<std::string_view, std::string_view> properties[] = {
    {"Temp", temperature},
    {"AvgPwr", power},
    {"Power", power},
    {"SCLK", "sclk clock speed:"},
    {"MCLK", "mclk clock speed:"},
    {"PwrCap", "Max Graphics Package Power (W)"},
    {"VRAM%", "GPU Memory Allocated (VRAM%)"},
    {"GPU%", "GPU use (%)"},
};

}  // namespace

std::string_view without_degree(std::string_view value) {
  for (const std::string_view degree : {"c", "\u00B0C"})
    if (value.ends_with(degree)) return value.substr(0, value.size() - degree.size());
  return value;
}

bool ConciseTable::is_header(std::string_view line) {
  return (line.starts_with("GPU ") || line.starts_with("Device ")) && line.find(" SCLK ") != std::string_view::npos &&
         line.find(" MCLK ") != std::string_view::npos;
}

/// Names are words; "SCLK OD" (overdrive), "Temp (DieEdge)" and "[Model : Revision]" are one each.
ConciseTable::ConciseTable(std::string_view header) {
  bool open = false;  // within brackets
  for (const std::string_view word : words(header)) {
    const bool begins = word.starts_with('(') || word.starts_with('[');
    blanks_in_cells_ = blanks_in_cells_ || word.starts_with('[');
    if (word == "OD" && !names_.empty()) names_.back().clear();
    else if (!open && !begins) names_.emplace_back(word);
    else if (word.starts_with('[')) names_.emplace_back();
    open = (open || begins) && !word.ends_with(')') && !word.ends_with(']');
  }
}

std::size_t ConciseTable::place(std::string_view name) const {
  return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

bool ConciseTable::read(std::string_view line, Cards& cards) const {
  const std::vector<std::string_view> cells = words(line);
  const auto number = cells.empty() ? std::nullopt : to_integer(Token{cells.front()});
  if (!number || *number < 0) return true;  // text
  const bool fewer = cells.size() < names_.size();
  if (fewer && (blanks_in_cells_ || cells.size() <= place("MCLK"))) return false;
  Card& card = cards[*number];
  // A card without a fan or a performance level has nothing there. What stands in the place of the level then is the
  // cell behind it, with a number; cells behind are counted from the end, where one cell alone is missing.
  const std::size_t level = place("Perf");
  const std::size_t end = fewer ? std::min(level, cells.size()) : names_.size();
  if (cells.size() + 1 == names_.size() && level < cells.size() && is_digit(cells[level].front()))
    for (std::size_t at = level + 1; at < names_.size(); ++at) add(card, at, cells[at - 1]);
  // More cells than columns: one holds blanks ("8.0GT/s, x16"), or those in front of the clocks do; cells behind them
  // are counted from the end.
  const std::size_t more = fewer ? 0 : cells.size() - names_.size();
  const bool in_front = place("PCLK") == names_.size();
  const std::size_t clocks = place("SCLK"), behind = in_front ? clocks : place("PCLK") + 1;
  for (std::size_t at = more > 0 && in_front ? clocks : 0; at < end; ++at)
    add(card, at, cells[at < behind ? at : at + more]);
  if (more == 0 || !in_front) return true;
  for (const std::string_view cell : std::span(cells).subspan(1, clocks + more - 1)) {  // told by their units
    if (cell.ends_with('W')) card.emplace(power, cell);
    if (const std::string_view value = without_degree(cell); value.size() < cell.size() && to_real(Token{value}))
      card.emplace(temperature, value);
  }
  return true;
}

void ConciseTable::add(Card& card, std::size_t column, std::string_view cell) const {
  for (const auto& [title, name] : properties)
    if (names_[column] == title) card.emplace(name, without_degree(cell));
}

}  // namespace kdiag::adapters::rocm
