// SPDX-License-Identifier: Apache-2.0
// Many rows at once, by columns.
#include <kdiag/columns.hpp>
#include <kdiag/facts_builder.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

std::string titles_of(const Diagnostics& mistakes) {
  std::string titles;
  for (const Diagnostic& mistake : mistakes) titles += mistake.id + " " + mistake.title + "\n";
  return titles;
}

std::string answer_of(const Facts& facts, std::string_view expression) {
  const auto answer = query(facts, expression);
  return answer ? answer->text : render(answer.error());
}

}  // namespace

TEST_CASE("columns of rows say what rows one by one say", "[api][builder][bulk]") {
  const std::vector<std::int64_t> starts{0, 1000, 2000}, durations{250, absent_integer, 300};
  const std::vector<double> occupancies{0.5, absent_real, 0.25};
  const std::vector<std::string_view> names{"gemm", "relu", "gemm"};
  const std::vector<std::int32_t> registers{32, 64, absent_small};

  FactsBuilder one_by_one("host");
  FactRows& single = one_by_one.rows();
  for (std::size_t i = 0; i < 3; ++i) {
    const Row kernel = single.add("kernels");
    single.set(kernel, "start", starts[i]);
    if (durations[i] != absent_integer) single.set(kernel, "dur", durations[i]);
    single.set(kernel, "occupancy", occupancies[i]);
    single.set(kernel, "name", names[i]);
    if (registers[i] != absent_small) single.set(kernel, "regs", registers[i]);
    single.set(kernel, "device", single.device(0, {}));
  }
  FactsBuilder at_once("host");
  FactRows& bulk = at_once.rows();
  const Row first = bulk.add_columns("kernels", 3,
                                     {{"start", starts},
                                      {"dur", durations},
                                      {"occupancy", occupancies},
                                      {"name", names},
                                      {"regs", registers},
                                      {"device", bulk.device(0, {})}});
  CHECK(first.index == 0);
  CHECK(titles_of(bulk.mistakes()).empty());
  const auto expected = std::move(one_by_one).build(), facts = std::move(at_once).build();
  REQUIRE(facts);
  for (const std::string_view table : {"kernels", "devices", "kernel_stats"})
    CHECK(answer_of(*facts, table) == answer_of(*expected, table));
}

TEST_CASE("values of columns lie in structs, in dictionaries, and are marked as absent", "[api][builder][bulk]") {
  struct Launch {
    std::int64_t start, duration;
  };
  const std::array<Launch, 3> launches{{{0, 5}, {10, 6}, {20, 7}}};
  const std::vector<std::uint32_t> places{1, absent_index, 0};
  const std::vector<std::string_view> texts{"gemm", "relu"};
  const std::vector<std::uint8_t> valid{1, 1, 0};
  FactsBuilder builder("structs");
  FactRows& rows = builder.rows();
  rows.add_columns(
      "kernels", 3,
      {{.name = "start", .values = std::span(&launches[0].start, 3), .stride = sizeof(Launch)},
       {.name = "dur", .values = std::span(&launches[0].duration, 3), .valid = valid, .stride = sizeof(Launch)},
       {.name = "name", .values = places, .texts = texts},
       {"device", rows.device(0, {})}});
  const auto facts = std::move(builder).build();
  REQUIRE(facts);
  const auto starts = std::get<1>(column_values(*facts, 0, column("kernels.start")));
  const auto durations = std::get<1>(column_values(*facts, 0, column("kernels.dur")));
  const auto names = std::get<4>(column_values(*facts, 0, column("kernels.name")));
  CHECK(std::vector(starts.begin(), starts.end()) == std::vector<std::int64_t>{0, 10, 20});
  CHECK(std::vector(durations.begin(), durations.end()) == std::vector<std::int64_t>{5, 6, absent_integer});
  CHECK(text_of(*facts, 0, names[0]) == "relu");
  CHECK(names[1] == absent_index);
  CHECK(text_of(*facts, 0, names[2]) == "gemm");
}

TEST_CASE("a column without any value is not there", "[api][builder][bulk]") {
  FactsBuilder builder("none");
  const std::vector<double> none{absent_real, absent_real};
  builder.rows().add_columns("samples", 2, {{"value", none}, {"time", std::int64_t{5}}});
  const auto facts = std::move(builder).build();
  REQUIRE(facts);
  CHECK(column_values(*facts, 0, column("samples.value")).index() == 0);
  CHECK(row_count(*facts, 0, table("samples")) == 2U);
}

TEST_CASE("rows that are found by key are asked for by their columns", "[api][builder][bulk]") {
  FactsBuilder builder("keys");
  FactRows& rows = builder.rows();
  const std::vector<std::int64_t> ranks{0, 1}, ids{0, 0, 0}, stream_ids{7, 7, 8};
  const std::vector<std::uint32_t> owners{0, 1, 1};
  const std::vector<std::string_view> names{"A", "B", "B"};
  std::vector<std::uint32_t> made(3);
  rows.add_columns("ranks", 2, {{"id", ranks}});
  rows.add_columns("devices", 3, std::vector<BulkColumn>{{"id", ids}, {"rank", owners}, {"name", names}}, made);
  CHECK(made == std::vector<std::uint32_t>{0, 1, 1});
  rows.add_columns("streams", 3, std::vector<BulkColumn>{{"id", stream_ids}, {"device", made}}, made);
  CHECK(made == std::vector<std::uint32_t>{0, 1, 2});
  rows.add_columns("devices", 1, {{"name", "C"}});
  CHECK(titles_of(rows.mistakes()) == "K221 'devices' are found by key, and row 0 has none\n");
  CHECK(rows.batch().rows(table("devices")) == 2);
}

TEST_CASE("a key that cannot be read finds no other row", "[api][builder][bulk]") {
  FactsBuilder builder("keys");
  FactRows& rows = builder.rows();
  const std::vector<std::int64_t> ranks{0, 1}, ids{0, 0}, large{0, std::int64_t{1} << 40};
  const std::vector<double> lines{1.5, 2.5};
  const std::vector<std::uint32_t> places{5, 6};
  const std::vector<std::string_view> files{"a.py", "b.py"};
  std::vector<std::uint32_t> made(2, 99);
  rows.add_columns("ranks", 2, {{"id", ranks}});
  rows.add_columns("devices", 2, std::vector<BulkColumn>{{"id", ids}, {"rank", ranks}});
  rows.add_columns("devices", 2, std::vector<BulkColumn>{{"id", lines}}, made);
  CHECK(made == std::vector<std::uint32_t>{absent_index, absent_index});
  rows.add_columns("frames", 2, {{"file", files}, {"line", large}});
  rows.add_columns("frames", 2, {{.name = "file", .values = places}});
  rows.add_columns("frames", 2, {{"file", files}, {"line", lines}});
  CHECK(titles_of(rows.mistakes()) ==
        "K222 'devices.rank' holds rows, and whole numbers were given\n"
        "K222 'devices.id' holds whole numbers, and numbers with a fraction were given\n"
        "K221 'devices' are found by key, and row 0 has none, and 1 more\n"
        "K222 'frames.line' holds whole numbers of 32 bits, and row 1 has a larger one\n"
        "K222 'frames.file' was given 0 texts, and row 0 names one behind them, and 1 more\n"
        "K222 'frames.line' holds whole numbers of 32 bits, and numbers with a fraction were given\n");
}

TEST_CASE("mistakes in columns name the column and the first row", "[api][builder][bulk]") {
  FactsBuilder builder("mistakes");
  FactRows& rows = builder.rows();
  const std::vector<std::int64_t> durations{1, -1, -2}, registers{1, 2, std::int64_t{1} << 40}, two{1, 2};
  const std::vector<double> fractions{1.5, 2.5, 3.5};
  const std::vector<std::uint32_t> places{0, 1, 2};
  const std::vector<std::string_view> one{"a"}, classes{"gemm", "gem", "gemm"};
  const std::vector<std::uint8_t> marks{1};
  rows.add_columns("kernels", 3,
                   {{"dur", durations},
                    {"regs", registers},
                    {"start", fractions},
                    {.name = "name", .values = places, .texts = one},
                    {"device", places},
                    {"class", classes},
                    {"duration", durations},
                    {"correlation", two},
                    {.name = "grid_x", .values = registers, .valid = marks}});
  rows.add_columns("kernls", 3, {});
  CHECK(titles_of(rows.mistakes()) ==
        "K301 unknown column 'kernels.duration'\n"
        "K222 'kernels.correlation' was given 2 values for 3 rows\n"
        "K222 'kernels.grid_x' was given 1 marks for 3 rows\n"
        "K222 'kernels.dur' is a duration, and row 1 has a negative one, and 1 more\n"
        "K222 'kernels.regs' holds whole numbers of 32 bits, and row 2 has a larger one\n"
        "K222 'kernels.start' holds whole numbers, and numbers with a fraction were given\n"
        "K222 'kernels.name' was given 1 texts, and row 1 names one behind them, and 1 more\n"
        "K221 'kernels.device' refers to devices, which has 0 rows, and row 0 names one behind them, and 2 more\n"
        "K222 'gem' is no value of 'kernels.class'\n"
        "K302 unknown table 'kernls'\n");
  CHECK(rows.batch().rows(table("kernels")) == 3);
}

TEST_CASE("whole numbers of any type are set in rows", "[api][builder]") {
  FactsBuilder builder("numbers");
  FactRows& rows = builder.rows();
  const Row kernel = rows.add("kernels");
  rows.set(kernel, "start", 5);
  rows.set(kernel, "dur", 7U);
  rows.set(kernel, "occupancy", 1);
  const auto facts = std::move(builder).build();
  REQUIRE(facts);
  CHECK(std::get<1>(column_values(*facts, 0, column("kernels.dur")))[0] == 7);
}

TEST_CASE("the hash of a catalogue holds whatever programs rely on", "[api][builder]") {
  const std::vector<TableInfo> tables(catalogue_tables.begin(), catalogue_tables.end());
  const std::vector<ColumnInfo> columns(catalogue_columns.begin(), catalogue_columns.end());
  const std::vector<SeriesInfo> series(std::begin(catalogue_series), std::end(catalogue_series));
  const auto after = [&](auto change) {
    std::vector<TableInfo> other_tables = tables;
    std::vector<ColumnInfo> other_columns = columns;
    std::vector<SeriesInfo> other_series = series;
    change(other_tables.back(), other_columns.back(), other_series.back());
    return catalogue_detail::hash(other_tables, other_columns, other_series);
  };
  constexpr std::string_view words[] = {"a", "b"};
  CHECK(after([](TableInfo&, ColumnInfo& column, SeriesInfo&) { column.doc = "other words"; }) == catalogue_hash);
  CHECK(after([](TableInfo&, ColumnInfo& column, SeriesInfo&) { column.unit = Unit::power; }) != catalogue_hash);
  CHECK(after([&](TableInfo&, ColumnInfo& column, SeriesInfo&) { column.traits.words = words; }) != catalogue_hash);
  CHECK(after([](TableInfo&, ColumnInfo& column, SeriesInfo&) { column.traits.transient = true; }) != catalogue_hash);
  CHECK(after([](TableInfo& table, ColumnInfo&, SeriesInfo&) { table.traits.entity = true; }) != catalogue_hash);
  CHECK(after([](TableInfo& table, ColumnInfo&, SeriesInfo&) { table.traits.role = TableRole::note; }) !=
        catalogue_hash);
  CHECK(after([](TableInfo&, ColumnInfo&, SeriesInfo& about) { about.unit = Unit::operations; }) != catalogue_hash);
}

TEST_CASE("a program with another catalogue is told to be compiled again", "[api][builder]") {
  constexpr std::uint64_t other = catalogue_hash + 1;
  Batch batch(other);
  CHECK(batch.add(table("kernels")).index == absent_index);
  CHECK(batch.device(0).index == absent_index);
  FactsBuilder builder("older");
  builder.rows().batch(other);
  const auto facts = std::move(builder).build();
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().title.find("compile it again") != std::string::npos);
  FactsBuilder fine("one");
  fine.rows().add("kernels");
  const auto made = std::move(fine).build();
  REQUIRE(made);
  CHECK(column_values(*made, 0, column("kernels.dur"), other).index() == 0);
  CHECK_FALSE(row_count(*made, 0, table("kernels"), other));
  CHECK(same_catalogue());
}
