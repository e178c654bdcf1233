// SPDX-License-Identifier: Apache-2.0
// Numbers in texts: whole ones, those at the front, and what is none.
#include "base/parse_number.hpp"

#include <cstdint>

#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("A number is the whole of a text, or it is none", "[base]") {
  CHECK(parse_number<std::int64_t>("9007199254740993") == 9007199254740993);  // 2^53 + 1
  CHECK(parse_number<std::int64_t>("-7") == -7);
  CHECK(parse_number<double>("2.5e3") == 2500.0);
  for (const char* text : {"", " 7", "7 ", "+7", "7x", "7.", "x", "-", "9223372036854775808"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number<std::int64_t>(text));
  }
  CHECK_FALSE(parse_number<std::uint64_t>("-1"));
  CHECK_FALSE(parse_number<double>("1e999"));
}

TEST_CASE("A number at the front is taken off a text, which else stays as it is", "[base]") {
  std::string_view text = "12:30";
  CHECK(take_number<int>(text) == 12);
  CHECK(text == ":30");
  CHECK_FALSE(take_number<int>(text));
  CHECK(text == ":30");
  text = "99999999999";
  CHECK_FALSE(take_number<std::int32_t>(text));
  CHECK(text == "99999999999");
}

TEST_CASE("A count is a whole number that is not below 0", "[base]") {
  CHECK(parse_count("0") == 0);
  CHECK(parse_count("4711") == 4711);
  for (const char* text : {"-1", "1.0", "N/A", ""}) CHECK_FALSE(parse_count(text));
}

TEST_CASE("Hexadecimal digits have no prefix", "[base]") {
  CHECK(parse_hexadecimal<std::uint64_t>("fF") == 255U);
  CHECK_FALSE(parse_hexadecimal<std::uint64_t>("0xff"));
  CHECK_FALSE(parse_hexadecimal<std::uint64_t>("fg"));
  CHECK_FALSE(parse_hexadecimal<std::uint64_t>(""));
}
