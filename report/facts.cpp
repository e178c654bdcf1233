// SPDX-License-Identifier: Apache-2.0
#include "report/facts.hpp"

#include <kdiag/blame.hpp>
#include <kdiag/catalogue.hpp>
#include <kdiag/changes.hpp>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/table.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t width = 100;

std::string type_of(const ColumnInfo& column) {
  switch (column.type) {
    case ColumnType::integer:
    case ColumnType::small_integer: return "integer";
    case ColumnType::real: return "real";
    case ColumnType::boolean: return "boolean";
    case ColumnType::string: return "string";
    case ColumnType::reference: return "reference(" + std::string(column.target) + ")";
  }
  return "string";
}

std::string dimension_of(Unit unit) {
  switch (unit) {
    case Unit::none: return "";
    case Unit::time: return "time";
    case Unit::bytes: return "bytes";
    case Unit::frequency: return "frequency";
    case Unit::bandwidth: return "bandwidth";
    case Unit::power: return "power";
    case Unit::temperature: return "temperature";
    case Unit::ratio: return "ratio";
    case Unit::operations: return "operations";
    case Unit::operation_rate: return "operations per second";
  }
  return "";
}

// "time" says more than "integer": how a column is stored matters to nobody who has a dimension to read.
std::string kind_of(const ColumnDescription& column) {
  return column.dimension.empty() ? column.type : column.dimension;
}

std::string table_block(const TableDescription& table) {
  std::string out = table.name + "  " + counted(static_cast<std::size_t>(*table.rows), "row") + "\n";
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> absent;
  for (const ColumnDescription& column : table.columns) {
    if (column.present) cells.push_back({visible(column.name), visible(kind_of(column)), visible(column.provider)});
    else absent.push_back(column.name);
  }
  for (const std::string& line : align_columns(std::move(cells), {false, false, false}, width - 2))
    out += "  " + line + "\n";
  if (!absent.empty()) {
    Page page(width, false);
    page.field("absent:", 2, 10, words_of(join(absent, " ")));
    out += page.take();
  }
  return out;
}

}  // namespace

FactsDescription describe_catalogue() {
  FactsDescription facts;
  for (const TableInfo& table : catalogue_tables) {
    TableDescription& description = facts.tables.emplace_back();
    description.name = table.name;
    description.doc = table.doc;
    description.since = table.since;
    for (const ColumnInfo& column : catalogue_columns)
      if (column.table == table.name && !column.traits.transient)
        description.columns.push_back({.name = std::string(column.name),
                                       .type = type_of(column),
                                       .dimension = dimension_of(column.unit),
                                       .doc = std::string(column.doc),
                                       .since = std::string(column.since),
                                       .present = false,
                                       .provider = {}});
  }
  for (const SeriesInfo& series : catalogue_series)
    facts.series.push_back({std::string(series.name), dimension_of(series.unit), std::string(series.doc)});
  for (const BlameInfo& blame : catalogue_blames)
    facts.blames.push_back({std::string(blame.name), std::string(blame.doc)});
  for (const ChangeRowKindInfo& kind : catalogue_change_kinds)
    facts.changes.push_back({std::string(kind.name), std::string(kind.doc)});
  return facts;
}

std::string facts_text(const FactsDescription& facts) {
  std::string out;
  std::vector<std::string> absent;
  for (const TableDescription& table : facts.tables) {
    if (table.rows) out += table_block(table) + "\n";
    else absent.push_back(table.name);
  }
  Page page(width, false);
  if (!absent.empty()) page.field("absent tables:", 0, 15, words_of(join(absent, " ")));
  page.line("kdiag facts --catalogue says what each of them means.");
  return out + page.take();
}

std::string facts_json(const FactsDescription& facts) {
  JsonWriter json;
  json.object([&] {
    json.list("tables", facts.tables, [&](const TableDescription& table) {
      json.object([&] {
        json.member("name", table.name);
        json.member("rows", table.rows);
        json.list("columns", table.columns, [&](const ColumnDescription& column) {
          json.object(Layout::line, [&] {
            json.member("name", column.name);
            json.member("type", column.type);
            json.text_or_null("dimension", column.dimension);
            json.member("present", column.present);
            json.text_or_null("provider", column.provider);
          });
        });
      });
    });
  });
  return json.take();
}

std::string catalogue_markdown(const FactsDescription& facts) {
  std::string out =
      "# Facts\n\n"
      "Every table and column that a trace can have, and every series of `samples`. Times are integer\n"
      "nanoseconds, ratios lie between 0 and 1; a value that a trace does not state is absent, never zero.\n"
      "`reference(t)` is a row of table `t`: `kernels.op.name` is the operator that launched a kernel.\n";
  for (const TableDescription& table : facts.tables) {
    out += "\n## " + table.name + "\n\n" + markdown(table.doc) + " Since " + table.since + ".\n\n";
    out += "| column | type | dimension | meaning | since |\n|---|---|---|---|---|\n";
    for (const ColumnDescription& column : table.columns)
      out += "| " +
             join({markdown_code_cell(column.name), column.type, column.dimension, markdown(column.doc), column.since},
                  " | ") +
             " |\n";
  }
  out += "\n## Series of samples\n\n| series | dimension | meaning |\n|---|---|---|\n";
  for (const SeriesDescription& series : facts.series)
    out += "| " + join({markdown_code_cell(series.name), series.dimension, markdown(series.doc)}, " | ") + " |\n";
  const auto words = [&](std::string_view title, std::string_view column, const std::vector<WordDescription>& all) {
    out += "\n## " + std::string(title) + "\n\n| " + std::string(column) + " | meaning |\n|---|---|\n";
    for (const WordDescription& word : all)
      out += "| " + join({markdown_code_cell(word.name), markdown(word.doc)}, " | ") + " |\n";
  };
  words("Blame of idle time", "blame", facts.blames);
  words("Kinds of changes", "kind", facts.changes);
  return out;
}

}  // namespace kdiag::report
