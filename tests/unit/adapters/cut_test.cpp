// SPDX-License-Identifier: Apache-2.0
// Inputs that were cut at any byte: what is read is what the whole input says, or a note says that something is lost.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/adapter_table.hpp"
#include "adapters/io/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kdiag;

namespace {

/// What an adapter makes of an input, without its notes.
struct Reading {
  std::string facts;
  bool lost = false;  ///< refused, or a note says that facts are missing
};

/// Notes of facts that are missing, and of records that could not be used because they are not whole.
constexpr std::string_view notes_of_loss[] = {"K600", "K601", "K618", "K630", "K704", "K778", "K779", "K783"};

Reading read(const Adapter& adapter, std::string_view bytes) {
  auto input = adapters::open_input("cut", {bytes.data(), bytes.size()});
  if (!input) return {{}, true};
  tests::CollectingSink sink{std::string(adapter.id), 1};
  if (!adapter.read(**input, sink)) return {{}, true};
  Reading reading;
  reading.lost = std::any_of(std::begin(notes_of_loss), std::end(notes_of_loss),
                             [&sink](std::string_view id) { return sink.noted(id) > 0; });
  sink.notes.clear();
  sink.events = 0;
  reading.facts = tests::dump_input(sink);
  return reading;
}

/// Formats of lines, each of which says something by itself.
bool is_of_lines(const tests::Fixture& fixture, std::string_view bytes) {
  constexpr std::string_view ids[] = {
      "amd-smi",        "ascend-csv",     "comparison-csv",        "comparison-markdown",    "dcgmi-dmon",
      "gpu-prometheus", "kernel-table",   "latencyprism-counters", "latencyprism-functions", "ncu-csv",
      "ncu-text",       "nsys-stats-csv", "nvidia-smi-csv",        "nvidia-smi-text",        "rocm-smi",
      "rocprof-csv"};
  constexpr std::string_view gzip = "\x1F\x8B", utf16 = "\xFF\xFE";  // in which a line ends behind its LF
  const bool json = bytes.starts_with('{') || bytes.starts_with("[{");
  return !json && !bytes.starts_with(gzip) && !bytes.starts_with(utf16) &&
         std::find(std::begin(ids), std::end(ids), fixture.adapter->id) != std::end(ids);
}

/// The first byte of a line that is no blank or byte-order mark: without it nothing of the line is missed.
std::size_t first_byte(std::string_view bytes, std::size_t line) {
  if (bytes.substr(line).starts_with("\xEF\xBB\xBF")) line += 3;
  return std::min(bytes.find_first_not_of(" \t", line), bytes.size());
}

// --- Facts as rows
// ----------------------------------------------------------------------------------------------------

using Cells = std::vector<std::string>;
struct Table {
  Cells columns;
  std::vector<Cells> rows;
};

Cells split(std::string_view line) {
  Cells cells;
  for (std::size_t at = 2; at <= line.size();) {
    const std::size_t end = std::min(line.find(" | ", at), line.size());
    cells.emplace_back(line.substr(at, end - at));
    at = end + 3;
  }
  return cells;
}

/// The tables of all runs, by the run's place and the table's name.
std::map<std::pair<int, std::string>, Table> tables_of(std::string_view facts) {
  std::map<std::pair<int, std::string>, Table> tables;
  int run = 0;
  Table* table = nullptr;
  while (!facts.empty()) {
    const std::string_view line = facts.substr(0, facts.find('\n'));
    facts.remove_prefix(std::min(line.size() + 1, facts.size()));
    if (line.starts_with("run ")) ++run;
    else if (!line.starts_with("  ")) table = &tables[{run, std::string(line.substr(0, line.find(' ')))}];
    else if (table->columns.empty()) table->columns = split(line);
    else table->rows.push_back(split(line));
  }
  return tables;
}

/// Whether each table of `part` is the beginning of that of `whole`, with the same values.
bool is_beginning(std::string_view part, std::string_view whole) {
  const auto parts = tables_of(part);
  auto wholes = tables_of(whole);
  for (const auto& [name, table] : parts) {
    const Table& full = wholes[name];
    if (table.rows.size() > full.rows.size()) return false;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      for (std::size_t column = 0; column < full.columns.size(); ++column) {
        const auto found = std::find(table.columns.begin(), table.columns.end(), full.columns[column]);
        const std::string& expected = full.rows[row].at(column);
        if (found == table.columns.end()
                ? expected != "-"
                : table.rows[row].at(static_cast<std::size_t>(found - table.columns.begin())) != expected)
          return false;
      }
  }
  return true;
}

/// Formats in which nothing tells a cut between two records from the end: packets of Perfetto, events of an array that
/// needs no end, documents one after the other, sections of nvprof, of which the last names the device. What earlier
/// records say may stand in later ones.
bool may_end_here(const tests::Fixture& fixture, std::string_view part) {
  if (fixture.adapter->id == "perfetto-trace") return true;
  const std::size_t begun = part.find_last_not_of(' ');
  const bool whole_row = part.ends_with("To Device") || part.ends_with("To Host") || part.ends_with("groups");
  if (fixture.adapter->id == "nvprof" && begun != part.npos && (part[begun] == '\n' || whole_row)) return true;
  const std::size_t last = part.find_last_not_of(" \t\r\n,");
  return last != part.npos && (part[last] == '}' || part[last] == ']');
}

/// Every byte of small fixtures, a hundred of large ones, so that the test takes seconds.
std::size_t stride(std::size_t bytes) {
  constexpr std::size_t most_cuts = tests::thread_sanitizer ? 5 : 100;
  return 1 + bytes / most_cuts;
}

}  // namespace

TEST_CASE("lines cut at any byte are read whole or not at all, and a note says so", "[adapters][hostile]") {
  for (const tests::Fixture& fixture : tests::adapter_fixtures()) {
    const std::string bytes = tests::read_file(fixture.path);
    if (!is_of_lines(fixture, bytes)) continue;
    for (std::size_t begin = 0; begin < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', begin), bytes.size() - 1) + 1;
      const Reading without = read(*fixture.adapter, bytes.substr(0, begin));
      const Reading with = read(*fixture.adapter, bytes.substr(0, end));
      for (std::size_t cut = first_byte(bytes, begin) + 1; cut < end; cut += stride(bytes.size())) {
        const Reading got = read(*fixture.adapter, bytes.substr(0, cut));
        if (got.facts == with.facts) continue;
        INFO(fixture.name << " cut at byte " << cut << ": " << bytes.substr(begin, cut - begin));
        CHECK(got.lost);
        if (got.facts != without.facts && !is_beginning(got.facts, with.facts)) CHECK(got.facts == with.facts);
      }
      begin = end;
    }
  }
}

TEST_CASE("an input cut at any byte gives facts of the whole one, or a note says that some are lost",
          "[adapters][hostile]") {
  for (const tests::Fixture& fixture : tests::adapter_fixtures()) {
    const std::string bytes = tests::read_file(fixture.path);
    const Reading whole = read(*fixture.adapter, bytes);
    if (whole.lost || is_of_lines(fixture, bytes)) continue;
    for (std::size_t cut = 1; cut < bytes.size(); cut += stride(bytes.size())) {
      const Reading got = read(*fixture.adapter, bytes.substr(0, cut));
      if (got.lost || is_beginning(got.facts, whole.facts) || may_end_here(fixture, bytes.substr(0, cut))) continue;
      INFO(fixture.name << " cut at byte " << cut << " of " << bytes.size());
      CHECK(got.facts == whole.facts);
    }
  }
}
