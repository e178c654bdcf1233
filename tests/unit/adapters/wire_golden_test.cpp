// SPDX-License-Identifier: Apache-2.0
// Binary fixtures are what their sources beside them say: tests/golden/adapters/<adapter>/<case>.wire makes <case>.in.
// KDIAG_UPDATE=1 in the environment writes them; what adapters make of them comes with the next run.
#include <string>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/wire_text.hpp"

using namespace kdiag;

TEST_CASE("binary fixtures are what their sources say", "[adapters][golden][wire]") {
  const auto sources = tests::golden_files("adapters", ".wire");
  REQUIRE_FALSE(sources.empty());
  for (const std::string& source : sources) DYNAMIC_SECTION(source) {
      tests::check_golden(source.substr(0, source.size() - 5) + ".in", tests::wire_file_bytes(source));
    }
}
