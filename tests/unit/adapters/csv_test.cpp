// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "adapters/text/csv.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"

using namespace kdiag;
using adapters::CsvOptions;
using adapters::CsvReader;

namespace {

/// Bytes handed out in small pieces; fails at the end when told so.
class Pieces : public Input {
 public:
  Pieces(std::string text, std::size_t piece, bool fails = false)
      : text_(std::move(text)), piece_(piece), fails_(fails) {}
  std::string_view name() const override { return "pieces"; }
  const Head& head() const override { return head_; }
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min({piece_, buffer.size(), text_.size() - at_});
    if (size == 0 && fails_) {
      Diagnostic broken;
      broken.id = "K618";
      broken.title = "the disk is on fire";
      return broken;
    }
    std::memcpy(buffer.data(), text_.data() + at_, size);
    at_ += size;
    return size;
  }

 private:
  std::string text_;
  std::size_t piece_;
  bool fails_;
  std::size_t at_ = 0;
  Head head_;
};

using Records = std::vector<std::vector<std::string>>;

Records read_all(CsvReader& csv) {
  Records out;
  while (csv.next()) out.emplace_back(csv.fields().begin(), csv.fields().end());
  return out;
}

Records parse(const std::string& text, CsvOptions options = {}) {
  Records first;
  for (std::size_t piece :
       {std::size_t{1}, std::size_t{3}, std::size_t{100000}}) {  // the outcome does not depend on how the bytes arrive
    Pieces input(text, piece);
    tests::CollectingSink sink("test");
    CsvReader csv(input, sink, options);
    Records records = read_all(csv);
    CHECK(csv.status());
    if (piece == 1) first = records;
    CHECK(records == first);
  }
  return first;
}

}  // namespace

TEST_CASE("fields are separated, trimmed and unquoted", "[adapters][csv]") {
  CHECK(parse("a, b ,c\n1,,3\n") == Records{{"a", "b", "c"}, {"1", "", "3"}});
  CHECK(parse("\"a,b\",\"say \"\"hi\"\"\",\"\"\n") == Records{{"a,b", "say \"hi\"", ""}});
  CHECK(parse("\"two\nlines\",x\r\ny\r\n") == Records{{"two\nlines", "x"}, {"y"}});
  CHECK(parse("x, \"quoted\" tail,5\" pipe\n") == Records{{"x", "quoted", "5\" pipe"}});
  CHECK(parse("a|b,\"c|d", {.separator = '|', .quotes = false}) == Records{{"a", "b,\"c", "d"}});
}

TEST_CASE("a byte-order mark, blank lines and a missing last line end do no harm", "[adapters][csv]") {
  CHECK(parse("\xEF\xBB\xBF"
              "a,b\r\n\r\n   \n1,2") == Records{{"a", "b"}, {"1", "2"}});
  CHECK(parse("").empty());
  CHECK(parse("\n\n").empty());
  CHECK(parse("a,") == Records{{"a", ""}});
}

TEST_CASE("a quote that never closes spoils only its own line", "[adapters][csv]") {
  CHECK(parse("a,\"b\n1,2\n3,4\n") == Records{{"a", "\"b"}, {"1", "2"}, {"3", "4"}});
  CHECK(parse("a,\"b\n1,2\n3,4\n5,6\n", {.max_record_bytes = 8}) ==
        Records{{"a", "\"b"}, {"1", "2"}, {"3", "4"}, {"5", "6"}});
}

TEST_CASE("records know their line and whether the input ends in them", "[adapters][csv]") {
  Pieces input("a\n\n\"b\nc\"\nd", 4);
  tests::CollectingSink sink("test");
  CsvReader csv(input, sink);
  REQUIRE(csv.next());
  CHECK(csv.line() == 1);
  CHECK_FALSE(csv.note_cut(true));
  REQUIRE(csv.next());
  CHECK(csv.line() == 3);
  CHECK(csv.record() == "\"b\nc\"");
  REQUIRE(csv.next());
  CHECK(csv.line() == 5);
  CHECK(sink.notes.empty());
  CHECK(csv.note_cut());
  CHECK(sink.notes.at({"K600", "line 5"}) == 1);
  CHECK_FALSE(csv.next());
}

TEST_CASE("a last record without a line end is whole only where its own text proves it", "[adapters][csv][hostile]") {
  const auto is_cut = [](const std::string& text, CsvOptions options = {}) {
    Pieces input(text, 3);
    tests::CollectingSink sink("test");
    CsvReader csv(input, sink, options);
    bool cut = false;
    while (csv.next()) cut = csv.note_cut();
    CHECK(sink.noted("K600") == (cut ? 1U : 0U));
    return cut;
  };
  CHECK_FALSE(is_cut("a,b\n1,25\n"));
  CHECK(is_cut("a,b\n1,25"));
  CHECK(is_cut("a,b\n1,"));
  CHECK(is_cut("a,b\n1,Active"));
  CHECK_FALSE(is_cut("a,b\r\n1,25\r"));
  CHECK_FALSE(is_cut("a,b\n1,\"25\""));
  CHECK_FALSE(is_cut("a,b\n\"a \"\"quoted\"\" word\",\"25\""));
  CHECK(is_cut("a,b\n1,\"a \"\"quoted\""));  // the quote may be the first of a doubled one
  CHECK(is_cut("a,b\n1,\"a \""));
  CHECK(is_cut("a,b\n1,\"25\"2,\"3\""));  // one record ran into another, which may go on
  CHECK(is_cut("a,b\n1,\"25"));
  CHECK_FALSE(is_cut("a,b\n1,[N/A]"));
  CHECK(is_cut("a,b\n1,[N/A"));
  CHECK_FALSE(is_cut("a,b\n1,25 %"));
  CHECK_FALSE(is_cut("a,b\n1,22.73 MiB\n2,9 MiB"));
  CHECK(is_cut("a,b\n1,22.73 MiB\n2,9 Mi"));
  CHECK(is_cut("a,b\n1,22.73 MiB\n2,9 "));
  CHECK(is_cut("a,b\n1,22.73 MiB\n2,9"));
  CHECK_FALSE(is_cut("a,power.draw [W]\n1,25 W"));
  CHECK(is_cut("a,power.draw [W]\n1,25 kW"));
  CHECK(is_cut("a,power.draw [W]\n1,25"));
  CHECK_FALSE(is_cut("a,b\n1,4.5e+06"));
  CHECK(is_cut("a,b\n1,4.5e+0"));
  CHECK(is_cut("a,b\n1,4.5"));
  CHECK_FALSE(is_cut("a,end\n1,14955950239443\n2,14955953315285"));
  CHECK(is_cut("a,end\n1,14955950239443\n2,1495595331528"));
  CHECK(is_cut("a,end\n1,1495595023944\n2,1500595331528"));  // may be ten times as large
  CHECK(is_cut("a,end\n1,250\n2,251"));
  const CsvOptions words{.separator = '\0', .quotes = false, .proves_end = adapters::ends_with_blank};
  CHECK_FALSE(is_cut("1 2\n3 4 ", words));
  CHECK(is_cut("1 2\n3 4", words));
}

TEST_CASE("what is said of records says on which line the first of them stands", "[adapters][csv]") {
  Pieces input("a\nb\n\nc\n", 2);
  tests::CollectingSink sink("test");
  CsvReader csv(input, sink);
  while (csv.next())
    if (csv.fields().front() != "a") csv.sink().note("K603", "number of columns");
    else csv.sink().note("K604", "kind");
  csv.sink().note("K603", "of no line");
  CHECK(csv.status());
  CHECK(sink.notes.at({"K603", "number of columns, first on line 2"}) == 2);
  CHECK(sink.notes.at({"K604", "kind"}) == 1);
  CHECK(sink.notes.at({"K603", "of no line"}) == 1);
}

TEST_CASE("a record over the limit is skipped and noted", "[adapters][csv]") {
  for (const std::string& tail : {std::string("\nb,2\n"), std::string()}) {
    Pieces input("a,1\n" + std::string(300000, 'x') + tail, 1000);
    tests::CollectingSink sink("test");
    CsvReader csv(input, sink, {.max_record_bytes = 1000});
    const Records expected = tail.empty() ? Records{{"a", "1"}} : Records{{"a", "1"}, {"b", "2"}};
    CHECK(read_all(csv) == expected);
    CHECK(csv.status());
    CHECK(sink.notes.at({"K607", "line 2"}) == 1);
  }
}

TEST_CASE("a read error is fatal only before the first record", "[adapters][csv]") {
  tests::CollectingSink sink("test");
  Pieces broken("", 10, true);
  CsvReader nothing(broken, sink);
  CHECK_FALSE(nothing.next());
  const Status status = nothing.status();
  REQUIRE_FALSE(status);
  CHECK(status.error().front().title == "the disk is on fire");
  Pieces late("a,b\nc,d", 3, true);
  CsvReader some(late, sink);
  CHECK(read_all(some) == Records{{"a", "b"}, {"c", "d"}});
  CHECK(some.status());
  CHECK(sink.notes.at({"K618", "the disk is on fire, after byte 7"}) == 1);
}

TEST_CASE("reading stops when the host cancels", "[adapters][csv]") {
  Pieces input("a\nb\n", 100);
  tests::CollectingSink sink("test");
  CsvReader csv(input, sink);
  CHECK(csv.next());
  sink.cancel = true;
  CHECK_FALSE(csv.next());
  CHECK(csv.status());
}
