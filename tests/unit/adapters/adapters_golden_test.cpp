// SPDX-License-Identifier: Apache-2.0
// Reads every fixture below tests/golden/adapters through detection and compares the facts with the file beside it.
// KDIAG_UPDATE=1 in the environment rewrites those files instead; look at the difference before you commit it.
#include <algorithm>
#include <string>

#include "adapters/adapter_table.hpp"
#include "adapters/io/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

/// The facts of a fixture; for one that cannot be used, the first line of the error.
std::string facts_of(const tests::Fixture& fixture) {
  auto input = adapters::open_input(fixture.path);
  if (!input) return "refused: " + input.error().front().title + '\n';
  const Adapter* winner = nullptr;
  int best = 0;
  int second = 0;
  for (const Adapter* adapter : adapters::adapter_table()) {
    const int score = adapter->sniff((*input)->head());
    CAPTURE(adapter->id, score);
    CHECK(score >= 0);
    CHECK(score <= 100);
    if (score > best) {
      second = best;
      best = score;
      winner = adapter;
    } else {
      second = std::max(second, score);
    }
  }
  REQUIRE(winner != nullptr);
  CHECK(best > second);
  CHECK(winner == fixture.adapter);
  tests::CollectingSink sink{std::string(winner->id), 2};
  const Status status = winner->read(**input, sink);
  if (!status) return "refused " + status.error().front().id + ": " + status.error().front().title + '\n';
  return tests::dump_input(sink);
}

}  // namespace

TEST_CASE("every fixture is recognised by its adapter and gives the expected facts", "[adapters][golden]") {
  for (const tests::Fixture& fixture : tests::adapter_fixtures()) DYNAMIC_SECTION(fixture.name) {
      tests::check_golden("adapters/" + fixture.name + ".facts", facts_of(fixture));
    }
}

TEST_CASE("every adapter describes itself", "[adapters]") {
  for (const Adapter* adapter : adapters::adapter_table()) {
    CAPTURE(adapter->id);
    CHECK_FALSE(adapter->title.empty());
    CHECK_FALSE(adapter->example.empty());
    CHECK_FALSE(adapter->record.empty());
    CHECK_FALSE(adapter->provides.empty());
    for (std::string_view what : adapter->provides) {
      CAPTURE(what);
      const std::size_t dot = what.find('.');
      if (what.starts_with("samples:")) CHECK(find_series(what.substr(8)) != nullptr);
      else if (dot == std::string_view::npos) CHECK(find_table(what).valid());
      else CHECK(find_column(what.substr(0, dot), what.substr(dot + 1)).valid());
    }
  }
}
