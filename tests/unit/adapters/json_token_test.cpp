// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/json/json.hpp"
#include "adapters/json/json_text.hpp"
#include "tests/catch.hpp"
#include "tests/support/units.hpp"

using namespace kdiag::adapters;
using namespace std::string_literals;
using kdiag::tests::us;

namespace {

constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();

std::string decoded(std::string_view text) {
  std::string scratch;
  return std::string(decode(Token{text}, scratch));
}

}  // namespace

TEST_CASE("Times are exact nanoseconds, never rounded through a double", "[adapters][json]") {
  using Row = std::tuple<std::string, std::int64_t, std::optional<std::int64_t>>;
  const auto [text, unit, expected] = GENERATE(values<Row>({
      {"0", us, 0},
      {"5", us, 5'000},
      {"-5", us, -5'000},
      {"1669783687464", us, 1'669'783'687'464'000},
      {"1712195495406752.8", us, 1'712'195'495'406'752'800},
      {"1712195495406752.812", us, 1'712'195'495'406'752'812},
      {"\"1704161511420306.491\"", us, 1'704'161'511'420'306'491},
      {"\" 1704161511420306.4914\t\"", us, 1'704'161'511'420'306'491},
      {"\"1704161511420306.4915\"", us, 1'704'161'511'420'306'492},
      {"1704161511420306.49149999999999999999999999999", us, 1'704'161'511'420'306'491},
      {"9007199254740993.001", us, 9'007'199'254'740'993'001},
      {"0.0004", us, 0},
      {"0.0005", us, 1},
      {"-0.0005", us, 0},
      {"-0.0006", us, -1},
      {"-0.00050000000000000000000000000000000001", us, -1},
      {"0.5", 1, 1},
      {"0.49999999999999999999999999999999999999", 1, 0},
      {"1.", us, 1'000},
      {".5", us, 500},
      {"1e3", us, 1'000'000},
      {"1.5E+3", us, 1'500'000},
      {"1712195495406752800e-3", us, 1'712'195'495'406'752'800},
      {"2.5e-3", us, 3},
      {"1e-400", us, 0},
      {"0e999999999999999999999", us, 0},
      {"1e-999999999999999999999", us, 0},
      {"3.25", 1'000'000'000, 3'250'000'000},
      {"9223372036854775807", 1, max},
      {"-9223372036854775807", 1, -max},
      {"00012", us, 12'000},
      {"000000000000000000000000000000000000012", us, 12'000},
      {"9223372036854775808", 1, std::nullopt},
      {"9223372036854775807", us, std::nullopt},
      {"9223372036854775.808", us, std::nullopt},
      {"9223372036854775.807", us, max},
      {"1e30", us, std::nullopt},
      {"1e999999999999999999999", us, std::nullopt},
      {"123456789012345678901234567890123456789012345678901234567890", us, std::nullopt},
      {"", us, std::nullopt},
      {"\"\"", us, std::nullopt},
      {"\"", us, std::nullopt},
      {"null", us, std::nullopt},
      {"NaN", us, std::nullopt},
      {"-", us, std::nullopt},
      {".", us, std::nullopt},
      {"1.2.3", us, std::nullopt},
      {"1 2", us, std::nullopt},
      {"1e", us, std::nullopt},
      {"1e+", us, std::nullopt},
      {"0x10", us, std::nullopt},
      {"1,000", us, std::nullopt},
      {"{}", us, std::nullopt},
  }));
  CAPTURE(text, unit);
  CHECK(to_ns(Token{text}, unit) == expected);
}

TEST_CASE("Integers come from numbers and from strings that hold one", "[adapters][json]") {
  using Row = std::tuple<std::string, std::optional<std::int64_t>>;
  const auto [text, expected] = GENERATE(values<Row>({
      {"7", 7},
      {"-1", -1},
      {"\"42\"", 42},
      {"\" \\t42\"", std::nullopt},
      {"\"\t42 \"", 42},
      {"9007199254740993", 9'007'199'254'740'993},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"18446744073709551615", std::nullopt},
      {"1e3", 1000},
      {"12.0", 12},
      {"12.5", std::nullopt},
      {"1200e-2", 12},
      {"true", std::nullopt},
      {"\"rank 3\"", std::nullopt},
      {"[1]", std::nullopt},
  }));
  CAPTURE(text);
  CHECK(to_integer(Token{text}) == expected);
}

TEST_CASE("Real numbers are finite or absent", "[adapters][json]") {
  CHECK(to_real(Token{"1.5"}) == 1.5);
  CHECK(to_real(Token{"\" -2.5e3 \""}) == -2500.0);
  CHECK(to_real(Token{"7"}) == 7.0);
  CHECK_FALSE(to_real(Token{"NaN"}));
  CHECK_FALSE(to_real(Token{"-Infinity"}));
  CHECK_FALSE(to_real(Token{"\"inf\""}));
  CHECK_FALSE(to_real(Token{"1e999"}));
  CHECK_FALSE(to_real(Token{"1.5x"}));
  CHECK_FALSE(to_real(Token{""}));
}

TEST_CASE("Missing has many spellings, and zero is none of them", "[adapters][json]") {
  for (const char* text :
       {"", "null", "NaN", "nan", "Infinity", "-Infinity", "inf", "\"inf\"", "\"\"", "\"  \"", "\"N/A\"", "\"[N/A]\"",
        "\"[Not Supported]\"", "\"[Unknown Error]\"", "\"None\"", "\"-\"", "N/A"}) {
    CAPTURE(text);
    CHECK(Token{text}.is_missing());
  }
  for (const char* text : {"0", "\"0\"", "-1", "false", "[]", "{}", "\"name\"", "\"nano\""}) {
    CAPTURE(text);
    CHECK_FALSE(Token{text}.is_missing());
  }
}

TEST_CASE("Strings are decoded, and repaired where they must be", "[adapters][json]") {
  CHECK(decoded("\"\"") == "");
  CHECK(decoded("\"plain\"") == "plain");
  CHECK(decoded("12.5") == "12.5");
  CHECK(decoded(R"("a\"b\\c\/d\b\f\n\r\te")") == "a\"b\\c/d\b\f\n\r\te");
  CHECK(decoded(R"("\u0041\u00e9\u20AC")") == "A\u00e9\u20ac");
  CHECK(decoded(R"("\uD83D\uDE00")") == "\U0001F600");
  CHECK(decoded("\"\u00e9 \u4e2d\u6587 \U0001F600\"") == "\u00e9 \u4e2d\u6587 \U0001F600");
  SECTION("what is no escape stays, as in Windows paths") {
    CHECK(decoded(R"("C:\dir\x")") == R"(C:\dir\x)");
    CHECK(decoded(R"("\u12")") == R"(\u12)");
    CHECK(decoded(R"("\u12xy")") == R"(\u12xy)");
  }
  SECTION("half of a surrogate pair is no character") {
    CHECK(decoded(R"("\uD83D")") == "\uFFFD");
    CHECK(decoded(R"("\uD83Dx")") == "\uFFFDx");
    CHECK(decoded(R"("\uDE00")") == "\uFFFD");
    CHECK(decoded(R"("\uD83D\u0041")") == "\uFFFDA");
  }
  SECTION("invalid UTF-8 and control characters are replaced, TAB stays") {
    CHECK(decoded("\"a\xFF z\"") == "a\uFFFD z");
    CHECK(decoded("\"\xC3\"") == "\uFFFD");
    CHECK(decoded("\"\xC0\xAF\"") == "\uFFFD\uFFFD");
    CHECK(decoded("\"\xED\xA0\x80\"") == "\uFFFD\uFFFD\uFFFD");
    CHECK(decoded("\"\xF4\x90\x80\x80\"") == "\uFFFD\uFFFD\uFFFD\uFFFD");
    CHECK(decoded("\"line\nbreak\ttab\"") == "line\uFFFDbreak\ttab");
  }
}

TEST_CASE("The plain beginning of a text is found at every position", "[adapters][json]") {
  for (const std::string odd : {"\\", "\n", "\x01", "\x80", "\xC3", "\xE0\x80\x80"}) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, 'x') + odd + std::string(20, 'y');
      CHECK(plain_length(text) == before);
    }
  }
  CHECK(plain_length("\t\u00e9 ~\x7F and 8 more bytes") == 23);
}
