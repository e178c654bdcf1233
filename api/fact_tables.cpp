// SPDX-License-Identifier: Apache-2.0
// `kdiag facts TRACE TABLE --format csv|jsonl`: the rows of a table of facts.
#include <kdiag/fact_tables.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/refusal_ids.hpp>

#include "api/joined_tables.hpp"
#include "base/json_writer.hpp"
#include "base/phrases.hpp"
#include "ingest/read_inputs.hpp"

namespace kdiag {
namespace {

Diagnostic no_such_table(std::string_view name, const JoinedTables& tables) {
  Diagnostic error;
  error.id = refusal_id::command_failed;
  std::vector<std::string> recorded;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    if (tables.recorded({t})) recorded.emplace_back(catalogue_tables[t].name);
  error.title = find_table(name).valid() ? "these traces do not record the table '" + std::string(name) + "'"
                                         : "there is no table '" + std::string(name) + "'";
  const std::string meant = did_you_mean(name, {recorded.begin(), recorded.end()});
  error.help = !meant.empty() ? meant : "There are " + join(recorded, ", ") + ".";
  return error;
}

std::string lines_of(const report::Table& piece, CancelFlag cancel) {
  std::string out;
  JsonWriter json(cancel);
  for (const auto& row : piece.rows) {
    json.object(Layout::line, [&] {
      for (std::size_t i = 0; i < row.size(); ++i) {
        json.key(piece.columns[i]);
        report::write_value(json, row[i]);
      }
    });
    out += json.take();
  }
  return out;
}

}  // namespace

Status write_fact_table(const Facts& facts, std::string_view name, TableFormat format,
                        const std::function<bool(std::string_view)>& output, const std::atomic<bool>* cancel) {
  try {
    const JoinedTables tables(facts.loaded(), cancel);
    const TableId id = find_table(name);
    if (!id.valid() || !tables.recorded(id)) return no_such_table(name, tables);
    std::vector<JoinedColumn> columns = JoinedTables::columns(id);
    if (format == TableFormat::json_lines)  // each line names its columns: those that nobody has are left out
      std::erase_if(columns, [&](const JoinedColumn& column) { return !tables.has_values(column); });
    bool heading = true;
    tables.for_each_piece(id, columns, [&](const report::Table& piece) {
      if (format == TableFormat::json_lines) return piece.rows.empty() || output(lines_of(piece, cancel));
      return output(std::exchange(heading, false) ? report::table_csv(piece) : report::rows_csv(piece));
    });
    return ok_status();
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

}  // namespace kdiag
