// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/summary_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "adapters/json/json.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

/// What stands between the bars of "| a | b | c |"; nothing for other lines.
std::vector<std::string_view> cells_of(std::string_view line) {
  line = trim(line);
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return {};
  line = line.substr(1, line.size() - 2);
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    cells.push_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

/// The quantity with this unit in a cell: "W" in "37%   40C    P8    38W /  250W" gives "38W", its `number`-th one.
std::string_view quantity(std::string_view cell, std::string_view unit, int number) {
  while (!cell.empty()) {
    cell = trim(cell);
    const std::string_view word = first_word(cell);
    const auto measured = parse_measured(word);
    if (measured && measured->unit == unit && number-- == 0) return word;
    cell.remove_prefix(word.size());
  }
  return {};
}

}  // namespace

std::optional<SummaryGpu> SummaryTable::add(std::string_view line) {
  const std::vector<std::string_view> cells = cells_of(line);
  std::optional<SummaryGpu> done;
  if (cells.size() == 3 && begun_) {
    GpuReport& report = begun_->report;
    const auto set = [&](std::string_view property, std::string_view value) {
      if (!value.empty()) report.set_property(property, value);
    };
    set("temperature.gpu", quantity(cells[0], "C", 0));
    set("power.draw", quantity(cells[0], "W", 0));
    set("power.limit", quantity(cells[0], "W", 1));
    set("memory.used", quantity(cells[1], "MiB", 0));
    set("memory.total", quantity(cells[1], "MiB", 1));
    set("utilization.gpu", quantity(cells[2], "%", 0));
    done = std::move(begun_);
  }
  begun_.reset();
  if (done || cells.size() != 3) return done;
  const auto index = to_integer(Token{first_word(cells[0])});
  const std::string_view bus = first_word(cells[1]);
  if (!index || *index < 0 || bus.find(':') == std::string_view::npos) return done;
  begun_.emplace();
  begun_->index = *index;
  begun_->report.set_property("pci.bus_id", bus);
  std::string_view name = trim(cells[0].substr(first_word(cells[0]).size()));
  name = trim(name.substr(0, name.rfind(' ')));  // the last word is a mode
  begun_->report.set_property("name", name);
  return done;
}

}  // namespace kdiag::adapters
