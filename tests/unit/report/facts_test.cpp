// SPDX-License-Identifier: Apache-2.0
#include "report/facts.hpp"

#include <kdiag/blame.hpp>
#include <kdiag/catalogue.hpp>
#include <kdiag/changes.hpp>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/json_tree.hpp"

namespace kdiag::report {
namespace {

TableDescription& table_named(FactsDescription& facts, std::string_view name) {
  for (TableDescription& table : facts.tables)
    if (table.name == name) return table;
  FAIL("no table " << name);
  return facts.tables[0];
}

FactsDescription some_facts() {
  FactsDescription facts = describe_catalogue();
  TableDescription& copies = table_named(facts, "copies");
  copies.rows = 1200;
  for (ColumnDescription& column : copies.columns)
    if (column.name == "kind" || column.name == "dur" || column.name == "launch") {
      column.present = true;
      column.provider = "pytorch-kineto";
    }
  table_named(facts, "memsets").rows = 0;
  return facts;
}

}  // namespace

TEST_CASE("facts of a trace name what is there and what is not", "[report][facts][golden]") {
  tests::check_golden("report/facts.txt", facts_text(some_facts()));
}

TEST_CASE("facts as JSON hold every table; rows of an absent one are null", "[report][facts]") {
  const auto document = tests::parse_json(facts_json(some_facts()));
  REQUIRE(document);
  const auto& tables = document->at("tables").members;
  CHECK(tables.size() == catalogue_tables.size());
  for (const auto& [index, table] : tables) {
    CAPTURE(table.at("name").text);
    const bool present = table.at("name").text == "copies" || table.at("name").text == "memsets";
    CHECK((table.at("rows").kind == tests::JsonTree::Kind::number) == present);
    for (const auto& [place, column] : table.at("columns").members) CHECK(column.members.size() == 5);
  }
}

TEST_CASE("the catalogue page names every fact that rules can name", "[report][facts]") {
  const std::string page = catalogue_markdown(describe_catalogue());
  for (const TableInfo& table : catalogue_tables)
    CHECK(page.find("## " + std::string(table.name) + "\n") != std::string::npos);
  for (const ColumnInfo& column : catalogue_columns) {
    CAPTURE(column.name);
    if (!column.traits.transient) CHECK(page.find("| `" + std::string(column.name) + "` |") != std::string::npos);
  }
  for (const SeriesInfo& series : catalogue_series)
    CHECK(page.find("| `" + std::string(series.name) + "` |") != std::string::npos);
  for (const BlameInfo& blame : catalogue_blames)
    CHECK(page.find("| `" + std::string(blame.name) + "` |") != std::string::npos);
  for (const ChangeRowKindInfo& kind : catalogue_change_kinds)
    CHECK(page.find("| `" + std::string(kind.name) + "` |") != std::string::npos);
}

}  // namespace kdiag::report
