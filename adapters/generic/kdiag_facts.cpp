// SPDX-License-Identifier: Apache-2.0
// Facts files: what `kdiag facts --export` writes and any other tool can. JSON documents, one a line: a header that
// names the schema "kdiag.facts/1", then for each run its description and pieces of tables, with the tables, columns
// and units of the catalogue. Specified in docs/facts-file.md. The file may come from anyone: nothing in it is trusted.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view family = "kdiag.facts/";
constexpr std::string_view version = "kdiag.facts/1";

int sniff(const Head& head) {
  if (head.json != '{' || head.keys.empty() || head.keys.front() != "schema") return 0;
  const std::size_t value = head.bytes.find_first_not_of(" \t\r\n:", head.bytes.find("\"schema\"") + 8);
  return value != std::string_view::npos && head.bytes.substr(value + 1).starts_with(family) ? 95 : 0;
}

ClockDomain clock_of(std::string_view name) {
  if (name == "unix") return ClockDomain::unix_ns;
  if (name == "local") return ClockDomain::local_ns;
  return name == "device" ? ClockDomain::device : ClockDomain::none;
}

RunInfo run_info(const JsonValue& run) {
  RunInfo info;
  info.label = run["label"].text;
  info.producer = run["producer"].text;
  info.clock = clock_of(run["clock"].text);
  info.rank = run["rank"].integer();
  info.world_size = run["world_size"].integer();
  info.host = run["host"].text;
  info.telemetry = run["telemetry"].boolean;
  return info;
}

/// The tables of one run. Rows are counted from 0 in each table, through all pieces of it, as references count them.
class Tables {
 public:
  explicit Tables(FactSink& sink) : sink_(sink), rows_(catalogue_tables.size()) {}

  void add(const JsonValue& piece) {
    const TableId id = find_table(piece["table"].text);
    if (!id.valid()) return sink_.note(note_id::unknown_kind, piece["table"].text);
    batch_.declare(id);
    const std::vector<ColumnId> columns = columns_of_piece(piece);
    for (const JsonValue& row : piece["rows"].items) {
      if (row.kind != JsonValue::Kind::array || row.items.size() > columns.size())
        sink_.note(note_id::malformed_value, info(id).name);
      add_row(id, columns, row.items);
    }
    sink_.count_events(piece["rows"].items.size());
  }

  /// Everything that was read, with the references to rows that stood further down.
  Batch take() && {
    for (const Pending& reference : pending_)
      refer(reference.row, reference.column, target(find_table(info(reference.column).target), reference.number));
    return std::move(batch_);
  }

 private:
  struct Pending {
    Row row;
    ColumnId column;
    std::int64_t number;
  };

  /// The column of each place in a row; not valid for those that are not used.
  std::vector<ColumnId> columns_of_piece(const JsonValue& piece) {
    const std::vector<JsonValue>& names = piece["columns"].items;
    const std::vector<JsonValue>& units = piece["units"].items;
    std::vector<ColumnId> columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
      ColumnId id = find_column(piece["table"].text, names[i].text);
      const std::string name = piece["table"].text + "." + names[i].text;
      if (!id.valid()) sink_.note(note_id::unknown_log_column, name);
      else if (i < units.size() && !units[i].text.empty() && units[i].text != base_unit(info(id).unit)) {
        sink_.note(note_id::value_left_out, name + " in " + units[i].text);
        id = {};
      }
      columns.push_back(id);
    }
    return columns;
  }

  void add_row(TableId id, const std::vector<ColumnId>& columns, const std::vector<JsonValue>& cells) {
    const Row row = info(id).traits.entity ? entity(id, columns, cells) : batch_.add(id);
    rows_[id.index].push_back(row);
    if (row.index == absent_index) return sink_.note(note_id::malformed_value, info(id).name);
    for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i)
      if (columns[i].valid() && cells[i].kind != JsonValue::Kind::null) set(row, columns[i], cells[i]);
  }

  // --- Entities: rows that are found by key ---------------------------------------------------------------------

  /// The row that the key columns name; no row when one that is needed is missing.
  Row entity(TableId id, const std::vector<ColumnId>& columns, const std::vector<JsonValue>& cells) {
    const auto cell = [&](ColumnId column) -> const JsonValue& {
      static const JsonValue none;
      for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i)
        if (columns[i] == column) return cells[i];
      return none;
    };
    const auto owner = [&](ColumnId column) {
      const auto number = cell(column).integer();
      return number ? target(find_table(info(column).target), *number) : Row{};
    };
    if (id == table("runs")) return batch_.run();
    if (id == table("frames"))
      return batch_.frame(cell(column("frames.file")).text, cell(column("frames.line")).integer().value_or(0),
                          cell(column("frames.function")).text, cell(column("frames.how")).text,
                          owner(column("frames.parent")));
    const auto number = cell(find_column(info(id).name, "id")).integer();
    if (!number) return {};
    if (id == table("ranks")) return batch_.rank(*number);
    if (id == table("devices")) return batch_.device(*number, owner(column("devices.rank")));
    if (id == table("streams")) {
      const Row device = owner(column("streams.device"));
      return device.index == absent_index ? Row{} : batch_.stream(device, *number);
    }
    const auto process = cell(column("threads.process")).integer();
    return process ? batch_.thread(*process, *number, owner(column("threads.rank"))) : Row{};
  }

  // --- Values ---------------------------------------------------------------------------------------------------

  void set(Row row, ColumnId id, const JsonValue& cell) {
    const bool text = cell.kind == JsonValue::Kind::string;
    const bool number = cell.kind == JsonValue::Kind::number;
    switch (info(id).type) {
      case ColumnType::string:
        if (text) return batch_.set(row, id, std::string_view(cell.text));
        break;
      case ColumnType::boolean:
        if (cell.kind == JsonValue::Kind::boolean) return batch_.set(row, id, cell.boolean);
        break;
      case ColumnType::real:
        if (const auto value = cell.real(); number && value && std::isfinite(*value))
          return batch_.set(row, id, *value);
        break;
      case ColumnType::integer:
      case ColumnType::small_integer:
        if (const auto value = cell.integer(); number && value && possible(id, *value))
          return batch_.set(row, id, *value);
        break;
      case ColumnType::reference:
        if (const auto value = cell.integer(); number && value) return set_reference(row, id, *value);
        break;
    }
    sink_.note(note_id::value_left_out, name_of(id));
  }

  /// Durations are not negative.
  static bool possible(ColumnId id, std::int64_t value) {
    return value >= 0 || info(id).unit != Unit::time || is_instant(info(id));
  }

  void set_reference(Row row, ColumnId id, std::int64_t number) {
    const TableId to = find_table(info(id).target);
    // Rows of a table may refer to earlier ones of it only: chains of parents then end.
    const bool own = to == row.table;
    const std::size_t known = rows_[to.index].size() - (own ? 1 : 0);
    if (number >= 0 && static_cast<std::uint64_t>(number) < known) return refer(row, id, target(to, number));
    if (own) return sink_.note(note_id::dangling_reference, name_of(id));
    pending_.push_back({row, id, number});
  }

  void refer(Row row, ColumnId id, Row to) {
    if (to.index == absent_index) sink_.note(note_id::dangling_reference, name_of(id));
    else batch_.set(row, id, to);
  }

  /// A row by its number in the file; no row when there is none.
  Row target(TableId id, std::int64_t number) const {
    const std::vector<Row>& rows = rows_[id.index];
    return number >= 0 && static_cast<std::uint64_t>(number) < rows.size() ? rows[static_cast<std::size_t>(number)]
                                                                           : Row{};
  }

  static std::string name_of(ColumnId id) { return std::string(info(id).table) + "." + std::string(info(id).name); }

  FactSink& sink_;
  Batch batch_;
  std::vector<std::vector<Row>> rows_;  ///< by table and number in the file
  std::vector<Pending> pending_;
};

Diagnostic wrong_version(const std::string& found) {
  Diagnostic error;
  error.id = refusal_id::facts_file_version;
  error.title = "this facts file is of schema '" + found + "', and kdiag reads " + std::string(version);
  error.help = "Write it again with the kdiag that is to read it, or update kdiag.";
  return error;
}

class Reader {
 public:
  explicit Reader(FactSink& sink) : sink_(sink) {}

  void document(const JsonValue& value) {
    if (!error_.empty()) return;
    if (value["schema"].kind == JsonValue::Kind::string) {
      if (value["schema"].text != version) error_ = {wrong_version(value["schema"].text)};
    } else if (value["run"].kind == JsonValue::Kind::object) {
      finish_run();
      start_run(run_info(value["run"]));
    } else if (value["table"].kind == JsonValue::Kind::string) {
      if (!tables_) start_run({});
      tables_->add(value);
    } else {
      sink_.note(note_id::unknown_kind, "neither run nor table");
    }
  }

  Status finish() {
    if (!error_.empty()) return error_;
    finish_run();
    return ok_status();
  }

 private:
  void start_run(RunInfo info) {
    sink_.run(std::move(info));
    tables_.emplace(sink_);
  }
  void finish_run() {
    if (tables_) sink_.submit(0, std::move(*tables_).take());
    tables_.reset();
  }

  FactSink& sink_;
  std::optional<Tables> tables_;
  Diagnostics error_;
};

Status read(Input& input, FactSink& sink) {
  Reader reader(sink);
  const auto read = read_documents(input, sink, [&](const JsonValue& value, std::uint64_t) { reader.document(value); });
  if (!read) return read.error();
  return reader.finish();
}

constexpr auto all_tables = [] {
  std::array<std::string_view, catalogue_tables.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = catalogue_tables[i].name;
  return names;
}();

}  // namespace

extern const Adapter kdiag_facts;
const Adapter kdiag_facts{
    .id = "kdiag-facts",
    .title = "Facts files: kdiag's own facts, for exchange with other tools",
    .example = "{\"schema\": \"kdiag.facts/1\"}",
    .record = "kdiag facts --export OUT TRACE, or a tool that writes what docs/facts-file.md says",
    .provides = all_tables,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
