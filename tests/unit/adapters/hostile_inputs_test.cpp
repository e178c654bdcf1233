// SPDX-License-Identifier: Apache-2.0
// Bytes that no tool wrote: every adapter must come back with facts or an error, whatever it is given.
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter_table.hpp"
#include "adapters/io/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kdiag;

namespace {

/// Reads to the end, builds the facts and touches every value.
void survive(const Adapter& adapter, std::string_view bytes) {
  auto input = adapters::open_input("hostile", {bytes.data(), bytes.size()});
  if (!input) {
    CHECK_FALSE(input.error().empty());
    return;
  }
  (void)adapter.sniff((*input)->head());
  tests::CollectingSink sink{std::string(adapter.id), 2};
  const Status status = adapter.read(**input, sink);
  if (!status) CHECK_FALSE(status.error().empty());
  else (void)tests::dump_input(sink);
}

}  // namespace

TEST_CASE("adapters survive inputs of other kinds", "[adapters][hostile]") {
  using namespace std::string_view_literals;
  const std::string deep(5000, '[');
  const std::string_view odd[] = {"",
                                  "\0"sv,
                                  "\n",
                                  "{",
                                  "[",
                                  "{}",
                                  "[]",
                                  "[1, 2",
                                  "null",
                                  "\"",
                                  "{\"a\":",
                                  "a,b\n\"",
                                  "|",
                                  "Kernel Latency\n|||\n|",
                                  "\xFF\xFE\x00\x01"sv,
                                  "\xEF\xBB\xBF",
                                  "{\"steps\": [], \"performance\": {}}",
                                  "{\"traceEvents\": 5}",
                                  "{\"metadata\": 1, \"data\": [[], {}, null]}",
                                  "{\"total\": {\"columns\": {}, \"rows\": [[]]}}",
                                  "timestamp, utilization.gpu [%\n,,,,\n,",
                                  "index, power.draw [W]\n99999999999999999999, 1 W\n",
                                  deep};
  const std::vector<tests::Fixture> fixtures = tests::adapter_fixtures();
  constexpr std::size_t stride = tests::thread_sanitizer ? 25 : 1;
  for (const Adapter* adapter : adapters::adapter_table()) {
    for (std::string_view bytes : odd) {
      CAPTURE(adapter->id, bytes.substr(0, 40));
      survive(*adapter, bytes);
    }
    for (std::size_t i = 0; i < fixtures.size(); i += stride) {
      CAPTURE(adapter->id, fixtures[i].name);
      survive(*adapter, tests::read_file(fixtures[i].path));
    }
  }
}

TEST_CASE("adapters survive cut and damaged inputs of their own kind", "[adapters][hostile]") {
  std::mt19937 random(20240611);
  for (const tests::Fixture& fixture : tests::adapter_fixtures()) {
    CAPTURE(fixture.name);
    const std::string whole = tests::read_file(fixture.path);
    constexpr std::size_t cuts = tests::thread_sanitizer ? 3 : 24;
    for (std::size_t i = 1; i < cuts; ++i) {
      CAPTURE(i);
      survive(*fixture.adapter, std::string_view(whole).substr(0, whole.size() * i / cuts));
      std::string damaged = whole;
      constexpr std::string_view spoilers = "\x01\"{}[],:|\n -9eN\xFF";
      for (std::size_t n = 0; n < 1 + damaged.size() / 200; ++n)
        damaged[random() % damaged.size()] = spoilers[random() % spoilers.size()];
      survive(*fixture.adapter, damaged);
    }
  }
}
