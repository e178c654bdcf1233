// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/io/input.hpp"
#include "adapters/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/support/fake_sink.hpp"

using namespace kdiag;
using namespace kdiag::adapters;
using kdiag::tests::FakeSink;
using namespace std::string_literals;
using Kind = JsonValue::Kind;

namespace {

std::string dump(const JsonValue& value) {
  switch (value.kind) {
    case Kind::null: return "null";
    case Kind::boolean: return value.boolean ? "true" : "false";
    case Kind::number: return value.text;
    case Kind::string: return "'" + value.text + "'";
    case Kind::array: {
      std::string text = "[";
      for (const JsonValue& item : value.items) text += dump(item) + ";";
      return text + "]";
    }
    case Kind::object: {
      std::string text = "{";
      for (const auto& [key, member] : value.members) text += key + "=" + dump(member) + ";";
      return text + "}";
    }
  }
  return "?";
}

std::string parsed(std::string_view text) {
  const auto value = parse_json(text);
  return value ? dump(*value) : "not JSON";
}

struct Documents {
  std::vector<std::string> values;  ///< "offset: value"
  FakeSink sink;

  explicit Documents(std::string_view text) {
    auto input = open_input("log.json", text);
    REQUIRE(input);
    const auto count = read_documents(**input, sink, [&](JsonValue value, std::uint64_t offset) {
      values.push_back(std::to_string(offset) + ": " + dump(value));
    });
    REQUIRE(count);
    CHECK(*count == values.size());
  }
};

using Values = std::vector<std::string>;

}  // namespace

TEST_CASE("Values become trees and numbers keep their text", "[adapters][json]") {
  CHECK(parsed(R"( {"a": 1.50, "b": [true, false, null, "x\ny"], "c": {"d": -1e+5}, "": []} )") ==
        "{a=1.50;b=[true;false;null;'x\ny';];c={d=-1e+5;};=[];}");
  CHECK(parsed("12345678901234567890.125") == "12345678901234567890.125");
  CHECK(parsed("\"\\u00e9\"") == "'\u00e9'");
  CHECK(parsed("[]") == "[]");
  CHECK(parsed("{ }") == "{}");
}

TEST_CASE("Values are read leniently", "[adapters][json]") {
  CHECK(parsed("[1,2,]") == "[1;2;]");
  CHECK(parsed("{\"a\":1,}") == "{a=1;}");
  CHECK(parsed("[NaN, -Infinity, N/A, None, inf]") == "[null;null;null;null;null;]");
  CHECK(parsed("\"a\nb\xFF\"") == "'a\uFFFDb\uFFFD'");
}

TEST_CASE("What is no JSON is nothing", "[adapters][json]") {
  const char* text =
      GENERATE("", "  ", "{", "[1", "[1 2]", "{\"a\"}", "{\"a\" 1}", "{a: 1}", "[,]", "\"abc", "{\"a\":}", "tru", "yes",
               "1.2.3", "+1", "0x1", "[1]]", "{} {}", "]", ":", "{\"a\":1]", "1e", "01x");
  CAPTURE(text);
  CHECK(parsed(text) == "not JSON");
}

TEST_CASE("Depth has a limit", "[adapters][json]") {
  CHECK(parse_json(std::string(1024, '[') + std::string(1024, ']')));
  CHECK_FALSE(parse_json(std::string(1025, '[') + std::string(1025, ']')));
  CHECK_FALSE(parse_json(std::string(10'000'000, '[')));
}

TEST_CASE("Members and numbers of a value are easy to reach", "[adapters][json]") {
  const auto value = parse_json(R"({"a": {"b": "42"}, "c": 1.5, "d": true, "e": 9007199254740993})");
  REQUIRE(value);
  CHECK((*value)["a"]["b"].integer() == 42);
  CHECK((*value)["c"].real() == 1.5);
  CHECK_FALSE((*value)["c"].integer());
  CHECK_FALSE((*value)["d"].integer());
  CHECK((*value)["e"].integer() == 9'007'199'254'740'993);
  CHECK((*value)["none"]["at all"].kind == Kind::null);
  CHECK_FALSE((*value)["none"].real());
}

TEST_CASE("Documents come one after the other", "[adapters][json]") {
  Documents documents("{\"a\": 1}\n{\"b\":\n 2}  [3]\n\n{}{}");
  CHECK(documents.values == Values{"0: {a=1;}", "9: {b=2;}", "20: [3;]", "25: {}", "27: {}"});
  CHECK(documents.sink.notes.empty());
  CHECK(Documents(" \n ").values.empty());
}

TEST_CASE("Documents may be longer than what is read at once", "[adapters][json]") {
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += "{\"text\": \"" + std::string(static_cast<std::size_t>(i) * 10'007, 'x') +
            "\", \"n\": " + std::to_string(i) + "}\n";
  Documents documents(text);
  REQUIRE(documents.values.size() == 20);
  CHECK(documents.values.back().ends_with("x';n=19;}"));
  CHECK(documents.sink.notes.empty());
}

TEST_CASE("Words may lie across what is read at once", "[adapters][json]") {
  // 64 KiB are read at a time: the words of these documents are cut at each of their letters.
  for (std::size_t before = 65500; before < 65560; ++before) {
    const std::string text = "{\"a\": \"" + std::string(before, 'x') + "\", \"b\": [false, null, -1.5e3, true]}";
    const Documents documents(text);
    REQUIRE(documents.values.size() == 1);
    CHECK(documents.sink.notes.empty());
  }
}

TEST_CASE("A broken document costs its line only", "[adapters][json]") {
  SECTION("in a log") {
    Documents documents("{\"a\": 1}\n{\"b\": \n{\"c\": 3}\nsome text\n[4]\n{\"d\" 5}\n{\"e\": 6}");
    CHECK(documents.values == Values{"0: {a=1;}", "16: {c=3;}", "35: [4;]", "47: {e=6;}"});
    CHECK(documents.sink.noted("K602") == 3);
  }
  SECTION("over several lines") {
    Documents documents("{\n  \"a\": {\n    x\n  }\n}\n{\"b\": 2}\n");
    CHECK(documents.values == Values{"23: {b=2;}"});
    CHECK(documents.sink.noted("K602") == 1);
  }
  SECTION("at the end of a piece that is read at once") {
    const std::string broken = "{" + std::string(64 * 1024 - 2, ' ');
    Documents documents(broken + "\n{\"b\": 2}\n");
    CHECK(documents.values == Values{"65536: {b=2;}"});
    CHECK(documents.sink.noted("K602") == 1);
  }
}

TEST_CASE("The last document may be cut off", "[adapters][json]") {
  Documents documents("{\"a\": 1}\n{\"b\": [1, 2");
  CHECK(documents.values == Values{"0: {a=1;}"});
  CHECK(documents.sink.notes["K600"].count("byte 20") == 1);
  CHECK(documents.sink.noted("K602") == 0);
}

TEST_CASE("Many broken documents do not take for ever", "[adapters][json]") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "{\"a\": [1, {\"b\": \"\n";
  CHECK(Documents(text).values.empty());
}
