// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "adapters/rows/ruled_table.hpp"

namespace kdiag::adapters {
namespace {

using Cells = std::vector<std::string_view>;

Cells cells_of(RuledTable& table, std::string_view line) {
  const auto cells = table.cells(line);
  return {cells.begin(), cells.end()};
}

TEST_CASE("A line of dashes says where the columns of a printed table are", "[adapters][ruled_table]") {
  RuledTable table;
  REQUIRE(table.rule(" --------  ---------  ------\r"));
  CHECK(cells_of(table, "     80.0    800,000  sgemm(float, 1,000)  ") ==
        Cells{"80.0", "800000", "sgemm(float, 1,000)"});
  CHECK(cells_of(table, "                      more of the name") == Cells{"", "", "more of the name"});
  CHECK(cells_of(table, "     80.0").size() == 3);
}

TEST_CASE("A framed table is one of columns, too", "[adapters][ruled_table]") {
  RuledTable table;
  REQUIRE(table.rule("+------+-----------+------+"));
  CHECK(cells_of(table, "| 80.0 | 1,234,567 | a|b  |") == Cells{"80.0", "1234567", "a|b"});
}

TEST_CASE("Bars divide the cells of a table of Markdown", "[adapters][ruled_table]") {
  RuledTable table;
  REQUIRE(table.rule("|------|:---:|---|"));
  CHECK(table.piped());
  CHECK(cells_of(table, "| 80.0 | 1,234,567 | `void sgemm(float*)` |") ==
        Cells{"80.0", "1234567", "void sgemm(float*)"});
  CHECK(cells_of(table, "|80.0|1|**operator|**|") == Cells{"80.0", "1", "operator|"});
  CHECK(cells_of(table, R"(| **80.0** | ~1\|2 | void a\_b\<int\>(int \*) C:\tmp |)") ==
        Cells{"80.0", "~1|2", "void a_b<int>(int *) C:\\tmp"});
  CHECK(cells_of(table, R"(| 80.0 | 1 | **`or\_\|\|`** |)") == Cells{"80.0", "1", R"(or\_||)"});
  CHECK(cells_of(table, "| 80.0 | 1,234,567 | void sge").empty());  // no end
  CHECK(cells_of(table, "| 80.0 | sgemm |").empty());               // too few
  REQUIRE(table.rule(" -----  ------  ----"));
  CHECK_FALSE(table.piped());
}

TEST_CASE("Columns of a printed table are counted in characters, not in bytes", "[adapters][ruled_table]") {
  RuledTable table;
  REQUIRE(table.rule(" -----  ------  ----"));
  CHECK(cells_of(table, " \xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC      12  name") ==
        Cells{"\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC", "12", "name"});
}

TEST_CASE("Text between the columns of a printed table is no row of it", "[adapters][ruled_table]") {
  RuledTable table;
  REQUIRE(table.rule(" -----  ------  ----"));
  CHECK(cells_of(table, " ** CUDA API Summary (cuda_api_sum):").empty());
  CHECK(cells_of(table, "Processing [report1.sqlite] with [x.py]...").empty());
}

TEST_CASE("What is no line of several dashes is no rule", "[adapters][ruled_table]") {
  RuledTable table;
  for (const std::string_view line : {"", "    ", "-----", "- a -", "1-2 3-4", "|--|--|"}) {
    CAPTURE(line);
    CHECK_FALSE(table.rule(line));
  }
  CHECK_FALSE(table.has_columns());
}

TEST_CASE("Commas that do not divide thousands stay in the cell", "[adapters][ruled_table]") {
  RuledTable table;
  REQUIRE(table.rule("------------  ----"));
  CHECK(cells_of(table, "1,5           name").front() == "1,5");
  CHECK(cells_of(table, "1,234.5       name").front() == "1234.5");
  CHECK(cells_of(table, "1,2345        name").front() == "1,2345");
}

}  // namespace
}  // namespace kdiag::adapters
