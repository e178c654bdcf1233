// SPDX-License-Identifier: Apache-2.0
// The comparison of LatencyPrism's recordings with what its own reports print, cell by cell.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/compare/function_comparison_facts.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;

namespace {

using Cells = std::vector<std::string>;
using RowName = std::tuple<std::string, std::string, std::string>;  // function, metric, device

std::vector<MetricSamples> samples_of(const std::string& pair, const std::string& side) {
  const Facts facts = tests::load_facts(tests::shared_trace("latencyprism/DeepDive/Data/Processed/SGLang/" + pair +
                                                            "/" + side + "_perf_data/result_perf_data.csv"));
  return function_samples(*facts.loaded().runs.at(0).store);
}

FunctionComparisons compare_pair(const std::string& pair) {
  return compare_functions(samples_of(pair, "normal"), samples_of(pair, "abnormal"));
}

std::string beside(const std::string& folder, const std::string& part) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().find(part) != std::string::npos) return entry.path().string();
  return {};
}

std::string stripped(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Rows of the report's table of functions.
std::vector<Cells> markdown_rows(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::vector<Cells> rows;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| Function Name", 0) == 0) in_table = true;
    else if (line.rfind('|', 0) != 0) in_table = false;
    else if (in_table && line.rfind("|:", 0) != 0) {
      Cells cells;
      for (std::size_t begin = 1, end = 0; (end = line.find('|', begin)) != std::string::npos; begin = end + 1)
        cells.push_back(stripped(line.substr(begin, end - begin)));
      rows.push_back(std::move(cells));
    }
  }
  return rows;
}

/// Rows of a CSV file without line breaks in its cells, the header left out.
std::vector<Cells> csv_rows(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::vector<Cells> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    if (line.ends_with('\r')) line.pop_back();
    Cells cells(1);
    bool quoted = false;
    for (char c : line) {
      if (c == '"') quoted = !quoted;
      else if (c == ',' && !quoted) cells.emplace_back();
      else cells.back() += c;
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// The numbers of a row in the order of the reports' columns.
std::vector<std::optional<double>> numbers_of(const FunctionComparison& row) {
  return {row.suspicion(), row.beta.normal, row.beta.abnormal, row.beta.difference(), row.beta.z, row.beta.welch_p,
          row.beta.u_p,    row.mu->normal,  row.mu->abnormal,  row.mu->difference(),  row.mu->z,  row.z_log_mu,
          row.mu->welch_p, row.mu->u_p};
}
constexpr int decimals[] = {4, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 2, 3, 3};  // of the Markdown report
constexpr std::size_t names = 3;

std::string fixed(double value, int places) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", places, value);
  return text;
}

/// As the Markdown report prints it: μ with thousands separators, the rest rounded and with six digits; 0 has no sign.
std::string printed(std::optional<double> number, std::size_t column) {
  if (!number) return "nan";
  const std::string rounded = fixed(*number, decimals[column]);
  if (column == 7 || column == 8) {
    std::string grouped = rounded;
    for (std::size_t at = grouped.size() - 3; at > 3; at -= 3) grouped.insert(at - 3, ",");
    return grouped;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%g", std::stod(rounded) + 0.0);
  return std::string(text) == "-0" ? "0" : text;
}

/// Checks `cell_agrees(number, cell, column)` for every number of every row; all rows of the report and all of ours
/// that have a metric.
template <class Agrees>
void check_all_cells(const FunctionComparisons& ours, const std::vector<Cells>& report, Agrees cell_agrees) {
  std::map<RowName, const FunctionComparison*> rows;
  for (const FunctionComparison& row : ours.rows)
    if (row.mu) rows.emplace(RowName{row.function, row.metric, row.device}, &row);
  REQUIRE(report.size() == 264);
  CHECK(rows.size() == 264);
  std::size_t agreeing = 0;
  for (const Cells& cells : report) {
    REQUIRE(cells.size() == names + std::size(decimals));
    const auto row = rows.find({cells[0], cells[1], cells[2]});
    CAPTURE(cells[0], cells[1], cells[2]);
    REQUIRE(row != rows.end());
    const auto numbers = numbers_of(*row->second);
    for (std::size_t column = 0; column < numbers.size(); ++column) {
      const std::string& cell = cells[names + column];
      CAPTURE(column, cell, numbers[column].value_or(NAN));
      const bool agrees = cell_agrees(numbers[column], cell, column);
      CHECK(agrees);
      agreeing += agrees;
    }
  }
  CHECK(agreeing == 264 * 14);
}

}  // namespace

TEST_CASE("the comparison of the recordings prints seed 003", "[shared]") {
  const std::string seed = beside(std::string(KDIAG_SOURCE_DIR) + "/../shared/seeds", "003_");
  check_all_cells(compare_pair("gpu_instability"), markdown_rows(seed),
                  [](std::optional<double> number, const std::string& cell, std::size_t column) {
                    return printed(number, column) == (cell == "-0" ? "0" : cell);
                  });
}

TEST_CASE("the comparisons of the recordings are those of the tool to six decimals", "[shared]") {
  const std::string pair = GENERATE("gpu_instability", "cpu_compute_squeeze_out");
  CAPTURE(pair);
  const std::string file = beside(tests::shared_trace("latencyprism/DeepDive/Results"), pair);
  REQUIRE_FALSE(file.empty());
  const std::string csv = file.substr(0, file.rfind('.')) + ".csv";
  check_all_cells(compare_pair(pair), csv_rows(csv),
                  [](std::optional<double> number, const std::string& cell, std::size_t) {
                    if (cell.empty() || !number) return cell.empty() && !number;
                    const double stated = std::stod(cell);
                    return std::abs(*number - stated) <= 0.5000001e-6 + std::abs(stated) * 1e-12;
                  });
}

TEST_CASE("by resolution the clock is not overlooked", "[shared]") {
  const FunctionComparisons ours = compare_pair("gpu_instability");
  std::size_t weightless = 0, weightless_by_resolution = 0;
  for (const FunctionComparison& row : ours.rows) {
    if (!row.mu || row.mu->difference() == 0) continue;
    weightless += *row.mu->z == 0;
    weightless_by_resolution += *row.mu->z_resolution == 0;
  }
  CHECK(weightless == 43);
  CHECK(weightless_by_resolution == 0);
  CHECK(ours.only_normal.empty());
  CHECK(ours.only_abnormal.empty());
}
