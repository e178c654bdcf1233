// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/sqlite.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <sqlite3.h>

#include "adapters/io/input.hpp"
#include "adapters/io/temporary_file.hpp"
#include "tests/catch.hpp"
#include "tests/support/fake_sink.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;
using namespace kdiag::adapters;
using kdiag::tests::FakeSink;

namespace {

/// A database in a folder of its own, which goes with it.
class Sample {
 public:
  explicit Sample(const std::string& sql) {
    std::string folder = (std::filesystem::temp_directory_path() / "kdiag-test-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    folder_ = folder;
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path().c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
  }
  ~Sample() { std::filesystem::remove_all(folder_); }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  std::string path() const { return (folder_ / "a%20b?c#d.db").string(); }  // what a URI would take apart
  std::string bytes() const { return tests::read_file(path()); }

 private:
  std::filesystem::path folder_;
};

constexpr const char* two_tables =
    "CREATE TABLE first (id INTEGER PRIMARY KEY, name TEXT, size REAL, odd);"
    "INSERT INTO first VALUES (1, 'one', 1.5, '77'), (2, NULL, 2, X'00');"
    "CREATE TABLE \"se\"\"cond\" (id INTEGER);"
    "CREATE VIEW third AS SELECT * FROM first;"
    "CREATE INDEX fourth ON first (name);";

std::unique_ptr<Input> opened(const std::string& path) {
  auto input = open_input(path);
  REQUIRE(input);
  return std::move(*input);
}

}  // namespace

TEST_CASE("a database is read by name, and only its tables", "[adapters][sqlite]") {
  const Sample sample(two_tables);
  const auto input = opened(sample.path());
  CHECK(input->head().tables == std::vector<std::string>{"first", "se\"cond"});
  CHECK(input->file() == sample.path());
  FakeSink sink;
  const auto database = Database::open(*input, sink);
  REQUIRE(database);
  CHECK(database->has_rows("first"));
  CHECK_FALSE(database->has_rows("se\"cond"));
  CHECK_FALSE(database->has_rows("third"));

  Query rows = database->select("first", {"name", "id", "absent", "size", "odd"});
  REQUIRE(rows.next());
  CHECK(rows.text(0) == "one");
  CHECK(rows.integer(1) == 1);
  CHECK_FALSE(rows.integer(2));
  CHECK_FALSE(rows.text(2));
  CHECK(rows.real(3) == 1.5);
  CHECK_FALSE(rows.integer(3));
  CHECK(rows.integer(4) == 77);
  REQUIRE(rows.next());
  CHECK_FALSE(rows.text(0));
  CHECK_FALSE(rows.integer(4));
  CHECK_FALSE(rows.next());
  CHECK_FALSE(database->select("third", {"id"}).next());
  CHECK_FALSE(database->select("no such table", {"id"}).next());

  TextTable texts(*database, "first", "id", "name");
  CHECK(texts(1) == "one");
  CHECK(texts(2).empty());
  CHECK(texts(3).empty());
  CHECK(texts(std::nullopt).empty());
  CHECK(texts(1) == "one");
  CHECK(sink.notes.empty());
}

TEST_CASE("a database that is no plain file is copied to one and read alike", "[adapters][sqlite]") {
  const Sample sample(two_tables);
  const std::string bytes = sample.bytes();
  std::string copy;
  {
    auto input = open_input("memory", bytes);
    REQUIRE(input);
    copy = (*input)->file();
    CHECK(copy != sample.path());
    CHECK((*input)->head().tables.size() == 2);
    std::string again(bytes.size() + 1, '\0');
    const auto size = (*input)->read(again);
    REQUIRE(size);
    again.resize(*size);
    CHECK(again == bytes);
  }
  CHECK_FALSE(std::filesystem::exists(copy));
}

TEST_CASE("a database of more tables than any profiler makes is refused", "[adapters][sqlite][hostile]") {
  const auto tables = [](int n) {
    std::string sql = "BEGIN;";
    for (int i = 0; i < n; ++i) sql += "CREATE TABLE t" + std::to_string(i) + "(a);";
    return Sample(sql + "COMMIT;");
  };
  const Sample some = tables(most_schema_entries * 9 / 10);
  CHECK(Database::open(some.path()));
  const Sample many = tables(most_schema_entries * 11 / 10);
  const auto refused = Database::open(many.path());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().front().title.find("more than 6000 tables") != std::string::npos);
}

TEST_CASE("temporary copies are removed on demand, once", "[adapters][sqlite]") {
  const Sample sample(two_tables);
  const std::string bytes = sample.bytes();
  const auto exists = [](const std::unique_ptr<Input>& input) { return std::filesystem::exists(input->file()); };
  auto first = open_input("first", std::span(bytes.data(), bytes.size()));
  auto second = open_input("second", std::span(bytes.data(), bytes.size()));
  REQUIRE(first);
  REQUIRE(second);
  CHECK((exists(*first) && exists(*second)));
  kdiag::adapters::remove_temporary_files();
  CHECK_FALSE((exists(*first) || exists(*second)));
  first->reset();
  // A place in the list is used again.
  auto third = open_input("third", std::span(bytes.data(), bytes.size()));
  REQUIRE(third);
  CHECK(exists(*third));
  // The end of a file that is gone takes none of those that came since out of the list.
  second->reset();
  auto fourth = open_input("fourth", std::span(bytes.data(), bytes.size()));
  REQUIRE(fourth);
  kdiag::adapters::remove_temporary_files();
  CHECK_FALSE((exists(*third) || exists(*fourth)));
}

TEST_CASE("nothing is written beside a database", "[adapters][sqlite]") {
  const Sample sample(two_tables);
  const auto folder = std::filesystem::path(sample.path()).parent_path();
  std::filesystem::permissions(folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  {
    FakeSink sink;
    CHECK(Database::open(*opened(sample.path()), sink));
  }
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()) == 1);
}

TEST_CASE("a write-ahead log that is not read is noted", "[adapters][sqlite]") {
  const Sample sample(two_tables);
  std::ofstream(sample.path() + "-wal") << "pages";
  FakeSink sink;
  CHECK(Database::open(*opened(sample.path()), sink));
  CHECK(sink.noted("K631") == 1);
}

TEST_CASE("damaged databases give what they hold, or say that they are unusable", "[adapters][sqlite]") {
  const Sample sample(
      "PRAGMA page_size = 512; CREATE TABLE t (n INTEGER);"
      "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)"
      "INSERT INTO t SELECT n FROM numbers;");
  const std::string bytes = sample.bytes();
  FakeSink sink;
  const auto count_rows = [&sink](const std::string& content) {
    auto input = open_input("memory", content);
    if (!input) return -1;
    const auto database = Database::open(**input, sink);
    if (!database) return -1;
    Query rows = database->select("t", {"n"});
    int count = 0;
    while (rows.next()) ++count;
    return count;
  };
  SECTION("cut off") {
    const int rows = count_rows(bytes.substr(0, bytes.size() / 2));
    CHECK(rows > 100);
    CHECK(rows < 1000);
    CHECK(sink.noted("K630") == 2);  // of the file, and of the table
  }
  SECTION("no database behind the first bytes") { CHECK(count_rows(std::string(sqlite_magic) + "garbage") == -1); }
  SECTION("pages that refer to each other in a circle") {
    std::string circle = bytes;
    // Page 2 is the root of t, an interior page: let its right-most child be itself.
    REQUIRE(circle[512] == 5);
    circle.replace(512 + 8, 4, std::string("\0\0\0\2", 4));
    CHECK(count_rows(circle) < static_cast<int>(bytes.size()));
    CHECK(sink.noted("K630") == 1);
  }
}

TEST_CASE("a database that ends within its last page says so", "[adapters][sqlite][hostile]") {
  // SQLite reads zeros there, and takes them for a page without rows.
  const Sample sample("PRAGMA page_size = 512; CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1);");
  const std::string bytes = sample.bytes();
  for (const std::size_t lost : {1U, 500U, 512U}) {
    CAPTURE(lost);
    std::ofstream(sample.path(), std::ios::binary) << bytes.substr(0, bytes.size() - lost);
    FakeSink sink;
    const auto database = Database::open(*opened(sample.path()), sink);
    CHECK((!database || sink.noted("K630") == 1));
  }
}

TEST_CASE("values of a database that are longer than any real one end their query", "[adapters][sqlite][hostile]") {
  const Sample sample("CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('a'), (hex(zeroblob(1000000))), ('b');");
  const auto input = opened(sample.path());
  FakeSink sink;
  const auto database = Database::open(*input, sink);
  REQUIRE(database);
  Query rows = database->select("t", {"name"});
  REQUIRE(rows.next());
  CHECK(rows.text(0) == "a");
  CHECK_FALSE(rows.next());
  CHECK(sink.notes.contains("K630"));
}

TEST_CASE("a query reads no more text than its database can hold", "[adapters][sqlite][hostile]") {
  const Sample sample(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, "
      "hex(zeroblob(200000)));");
  const auto input = opened(sample.path());
  FakeSink sink;
  const auto database = Database::open(*input, sink);
  REQUIRE(database);
  // What a value whose pages refer to each other in a circle does: the same bytes again and again.
  Query rows = database->select_by("t", {"name"}, "id");
  int read = 0;
  for (int i = 0; i < 10; ++i) {
    rows.bind(1);
    if (rows.next() && rows.text(0)) ++read;
  }
  CHECK(read == 2);
  REQUIRE(sink.notes.contains("K630"));
  CHECK(sink.notes.at("K630").begin()->first == "t: more text than bytes");
}

TEST_CASE("a cell that reaches beyond its page is damage, not what lies behind it", "[adapters][sqlite][hostile]") {
  const Sample sample(
      "PRAGMA page_size = 1024; CREATE TABLE t (id INTEGER, name TEXT); INSERT INTO t VALUES (1, 'one'), (2, "
      "'two');");
  std::string bytes = sample.bytes();
  constexpr std::size_t page = 1024, first_pointer = page + 8;  // the second page is the table's: a leaf
  REQUIRE(bytes[page] == 13);
  bytes[first_pointer] = 3;  // its first cell begins two bytes before the end of the page
  bytes[first_pointer + 1] = static_cast<char>(0xFE);
  auto input = open_input("memory", bytes);
  REQUIRE(input);
  FakeSink sink;
  const auto database = Database::open(**input, sink);
  REQUIRE(database);
  Query rows = database->select("t", {"id"});
  CHECK_FALSE(rows.next());
  CHECK(sink.notes.contains("K630"));
}

TEST_CASE("a query ends once nobody wants its rows", "[adapters][sqlite]") {
  const Sample sample(
      "CREATE TABLE t (id INTEGER); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
      "20000) INSERT INTO t SELECT i FROM n;");
  const auto input = opened(sample.path());
  FakeSink sink;
  const auto database = Database::open(*input, sink);
  REQUIRE(database);
  Query rows = database->select("t", {"id"});
  REQUIRE(rows.next());
  sink.cancel = true;
  int more = 0;
  while (rows.next()) ++more;
  CHECK(more < 10'000);
  CHECK_FALSE(sink.notes.contains("K630"));
}
