// SPDX-License-Identifier: Apache-2.0
// What of a Perfetto trace no small fixture shows: other ways to write the same, and sizes.
#include <string>
#include <string_view>

#include "adapters/adapter_table.hpp"
#include "adapters/io/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/wire_text.hpp"

using namespace kdiag;

namespace {

std::string facts_of(const std::string& bytes) {
  auto input = adapters::open_input("trace", {bytes.data(), bytes.size()});
  REQUIRE(input);
  for (const Adapter* adapter : adapters::adapter_table()) {
    if (adapter->id != "perfetto-trace") continue;
    CHECK(adapter->sniff((*input)->head()) > 0);
    tests::CollectingSink sink{std::string(adapter->id)};
    REQUIRE(adapter->read(**input, sink));
    return tests::dump_input(sink);
  }
  FAIL("no such adapter");
  return {};
}

constexpr std::string_view packets =
    "1: { 60: { 1: 5 4: { 1: 1 2: 2 5: \"main\" } } 10: 1 }"
    "1: { 8: 100 10: 1 11: { 9: 1 11: 5 23: \"step\" } }"
    "1: { 8: 350 10: 1 11: { 9: 2 11: 5 } }";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("compressed packets are what they hold", "[adapters][perfetto]") {
  const std::string plain = facts_of(tests::wire_bytes(packets));
  CHECK(contains(plain, "\"step\" | \"user\" | 100 | 250"));
  const std::string inner(packets);
  CHECK(facts_of(tests::wire_bytes("1: { 50: zlib{" + inner + "} }")) == plain);
  CHECK(facts_of(tests::wire_bytes("1: { 133: zstd{" + inner + "} }")) == plain);
}

TEST_CASE("clocks drift: each snapshot holds from its instant on", "[adapters][perfetto]") {
  const std::string facts = facts_of(tests::wire_bytes(
      "1: { 6: { 1: { 1: 6 2: 1000 } 1: { 1: 3 2: 500 } 1: { 1: 64 2: 2 4: 1000 } } 10: 1 }"
      "1: { 6: { 1: { 1: 6 2: 11000 } 1: { 1: 3 2: 10000 } } 10: 1 }"
      "1: { 60: { 1: 5 4: { 1: 1 2: 2 } } 10: 1 }"
      "1: { 8: 600 58: 3 10: 1 11: { 9: 1 11: 5 23: \"early\" } }"  // 1100
      "1: { 8: 10100 58: 3 10: 1 11: { 9: 2 11: 5 } }"              // 11100
      "1: { 8: 20 58: 64 10: 1 11: { 9: 1 11: 5 23: \"micro\" } }"  // 2 us stand for 1000 ns: 19000
      "1: { 8: 20000 10: 1 11: { 9: 2 11: 5 } }"
      "1: { 8: 30 58: 64 10: 2 11: { 9: 1 11: 5 23: \"other\" } }"));  // the clock is that of writer 1
  CHECK(contains(facts, "\"early\" | \"user\" | 1100 | 10000"));
  CHECK(contains(facts, "\"micro\" | \"user\" | 19000 | 1000"));
  CHECK_FALSE(contains(facts, "other"));
  CHECK(contains(facts, "note K603 warning x1 \"timestamp\""));
}

TEST_CASE("tracks that stand in each other end somewhere", "[adapters][perfetto]") {
  const std::string facts =
      facts_of(tests::wire_bytes("1: { 60: { 1: 5 5: 6 2: \"a\" } 10: 1 } 1: { 60: { 1: 6 5: 5 2: \"b\" } }"
                                 "1: { 8: 1 11: { 9: 1 11: 5 23: \"x\" } } 1: { 8: 3 11: { 9: 2 11: 5 } }"));
  CHECK(contains(facts, "\"x\" | \"user\" | 1 | 2"));
}

TEST_CASE("many slices are more than one batch", "[adapters][perfetto]") {
  std::string bytes =
      tests::wire_bytes("1: { 60: { 1: 5 4: { 1: 1 2: 2 5: \"main\" } } 10: 1 12: { 2: { 1: 1 2: \"op\" } } }");
  constexpr int slices = 100'000;
  for (int i = 0; i < slices; ++i) {
    const std::string at = std::to_string(1000 + i * 20);
    const std::string end = std::to_string(1010 + i * 20);
    bytes += tests::wire_bytes("1: { 8: " + at + " 10: 1 11: { 9: 1 11: 5 10: 1 } }" +  //
                               "1: { 8: " + end + " 10: 1 11: { 9: 2 11: 5 } }");
  }
  const std::string facts = facts_of(bytes);
  CHECK(contains(facts, "annotations (100000)"));
  CHECK(contains(facts, "events 200000"));
}
