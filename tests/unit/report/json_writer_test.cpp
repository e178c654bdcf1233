// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.hpp"

#include <cstdint>
#include <limits>
#include <optional>

#include "tests/catch.hpp"
#include "tests/support/json_tree.hpp"

namespace kdiag::report {

TEST_CASE("JSON members keep the order in which they are written", "[report][json]") {
  JsonWriter json;
  json.object([&] {
    json.member("b", 1);
    json.member("a", "text");
    json.object("line", Layout::line, [&] {
      json.member("x", true);
      json.array("inner", Layout::lines, [&] {
        json.value(1);
        json.value(2);
      });
    });
    json.array("empty", Layout::lines, [] {});
    json.text_or_null("none", "");
    json.member("maybe", std::optional<std::int64_t>{});
  });
  CHECK(json.take() ==
        "{\n"
        "  \"b\": 1,\n"
        "  \"a\": \"text\",\n"
        "  \"line\": {\"x\": true, \"inner\": [1, 2]},\n"
        "  \"empty\": [],\n"
        "  \"none\": null,\n"
        "  \"maybe\": null\n"
        "}\n");
}

TEST_CASE("numbers take the shortest form that reads back", "[report][json]") {
  JsonWriter json;
  json.array(Layout::line, [&] {
    for (const double number : {0.1, 1.0, 1e22, -0.0, 5e-324, 1.0 / 3, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()})
      json.value(number);
    json.value(std::numeric_limits<std::int64_t>::min());
    json.value(std::numeric_limits<std::uint64_t>::max());
  });
  const std::string text = json.take();
  CHECK(text ==
        "[0.1, 1, 1e+22, 0, 5e-324, 0.3333333333333333, null, null, -9223372036854775808, 18446744073709551615]\n");
  CHECK(tests::parse_json(text));
}

TEST_CASE("a writer can be used again", "[report][json]") {
  JsonWriter json;
  json.value(1);
  CHECK(json.take() == "1\n");
  json.value("x");
  CHECK(json.take() == "\"x\"\n");
}

TEST_CASE("the test's own JSON reader refuses what is no JSON", "[report][json]") {
  for (const char* bad : {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "01", "1.", "\"\x01\"", "\"\\x\"", "\"\xff\"", "nul",
                          "[1] 2", "{a:1}", "+1"}) {
    CAPTURE(bad);
    CHECK_FALSE(tests::parse_json(bad));
  }
  CHECK(tests::parse_json(" {\"a\": [1e5, -0.5, \"\\u00e4\\n\", null, true, {}]} "));
}

}  // namespace kdiag::report
