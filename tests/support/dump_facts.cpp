// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dump_facts.hpp"

#include <charconv>
#include <vector>

#include "engine/facts/note_table.hpp"

namespace kdiag::tests {
namespace {

std::string in_quotes(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) out += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    else if (c == '"' || c == '\\') out += {'\\', c};
    else out += c;
  }
  return out + '"';
}

std::string shortest(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string value_text(const FactStore& facts, ColumnId id, std::size_t row) {
  switch (info(id).type) {
    case ColumnType::integer: {
      const std::int64_t value = facts.integer(id, row);
      return value == absent_integer ? "-" : std::to_string(value);
    }
    case ColumnType::small_integer: {
      const std::int32_t value = facts.small(id, row);
      return value == absent_small ? "-" : std::to_string(value);
    }
    case ColumnType::real: {
      const double value = facts.real(id, row);
      return value != value ? "-" : shortest(value);
    }
    case ColumnType::boolean: {
      const std::uint32_t value = facts.index(id, row);
      return value == absent_index ? "-" : value != 0 ? "true" : "false";
    }
    case ColumnType::string: return facts.index(id, row) == absent_index ? "-" : in_quotes(facts.text(id, row));
    case ColumnType::reference: {
      const std::uint32_t value = facts.index(id, row);
      return value == absent_index ? "-" : "#" + std::to_string(value);
    }
  }
  return {};
}

void append_row(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i == 0 ? "  " : " | ") + cells[i];
  out += '\n';
}

std::string run_text(const RunInfo& run) {
  constexpr std::string_view clocks[] = {"none", "unix_ns", "local_ns", "device"};
  std::string out = "run " + in_quotes(run.label) + " producer " + in_quotes(run.producer) + " clock " +
                    std::string(clocks[static_cast<std::size_t>(run.clock)]);
  if (run.rank) out += " rank " + std::to_string(*run.rank);
  if (run.world_size) out += " of " + std::to_string(*run.world_size);
  if (!run.host.empty()) out += " host " + in_quotes(run.host);
  if (run.telemetry) out += " telemetry";
  return out + '\n';
}

}  // namespace

std::string dump_facts(const FactStore& facts) {
  std::string out;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) {
    const TableId id{t};
    if (!facts.present(id)) continue;
    out += std::string(info(id).name) + " (" + std::to_string(facts.rows(id)) + ")\n";
    std::vector<ColumnId> columns;
    std::vector<std::string> cells;
    const ColumnRange range = columns_of(id);
    for (std::uint16_t c = range.first; c < range.first + range.count; ++c)
      if (facts.has(ColumnId{c})) {
        columns.push_back(ColumnId{c});
        cells.emplace_back(catalogue_columns[c].name);
      }
    if (columns.empty()) continue;
    append_row(out, cells);
    for (std::size_t row = 0; row < facts.rows(id); ++row) {
      cells.clear();
      for (ColumnId column : columns) cells.push_back(value_text(facts, column, row));
      append_row(out, cells);
    }
  }
  return out;
}

std::string dump_input(CollectingSink& sink) {
  std::string out;
  for (Fragment& fragment : sink.fragments) {
    out += run_text(fragment.info);
    std::vector<Fragment> one;
    one.push_back(std::move(fragment));
    out += dump_facts(build_facts(std::move(one)));
  }
  for (const auto& [note, count] : sink.notes) {
    out += "note " + note.first + ' ' + std::string(name_of(note_info(note.first).severity)) + " x" +
           std::to_string(count);
    if (!note.second.empty()) out += ' ' + in_quotes(note.second);
    out += '\n';
  }
  return out + "events " + std::to_string(sink.events) + '\n';
}

}  // namespace kdiag::tests
