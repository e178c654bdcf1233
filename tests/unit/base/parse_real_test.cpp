// SPDX-License-Identifier: Apache-2.0
// Real numbers are read fast, and to the same double as slowly.
#include "base/parse_real.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>

#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("A short number is the double that from_chars reads", "[base]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = std::to_string(random() >> (random() % 64));
    if (random() % 4 != 0) text.insert(random() % (text.size() + 1), 1, '.');
    if (random() % 4 == 0) text.insert(0, 1, '-');
    CAPTURE(text);
    const auto slow = parse_number<double>(text), fast = parse_real(text);
    REQUIRE(slow.has_value() == fast.has_value());
    if (slow) REQUIRE(std::bit_cast<std::uint64_t>(*slow) == std::bit_cast<std::uint64_t>(*fast));
  }
}

TEST_CASE("What is short is read without from_chars, and all else by it", "[base]") {
  for (const char* text : {"0", "-0", "1.", "0.1", "312.442", "999999999999999", "0.00000000000001"}) {
    CAPTURE(text);
    CHECK(parse_short_real(text));
    CHECK(parse_real(text) == parse_number<double>(text));
  }
  for (const char* text : {"", "-", ".", ".5", "1e3", "1x", " 1", "+1", "--1", "1.2.3", "1234567890123456"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_short_real(text));
    CHECK(parse_real(text) == parse_number<double>(text));
  }
}
