// SPDX-License-Identifier: Apache-2.0
// Facts as bytes and back.
#include <kdiag/facts_builder.hpp>
#include <kdiag/facts_bytes.hpp>

#include <string>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

const std::string storm_trace = KDIAG_SOURCE_DIR "/examples/traces/item_storm.json";

Facts storm(const LoadOptions& options = {}) {
  const auto facts = load_trace(storm_trace, options);
  REQUIRE(facts);
  return *facts;
}

std::string refusal_of(std::string_view bytes) {
  const auto facts = facts_from_bytes(bytes);
  return facts ? "" : facts.error().front().id + " " + facts.error().front().title;
}

}  // namespace

TEST_CASE("facts from bytes are judged, queried and explained as those they were made of", "[api][bytes]") {
  LoadOptions part;
  part.scope.steps.emplace(11, 13);
  const auto rules = builtin_rules();
  REQUIRE(rules);
  for (const Facts& facts : {storm(), storm(part)}) {
    const auto again = facts_from_bytes(facts_to_bytes(facts));
    REQUIRE(again);
    CHECK(to_json(diagnose(*again, *rules)) == to_json(diagnose(facts, *rules)));
    CHECK(facts_json(*again) == facts_json(facts));
    CHECK(*explain(*again, *rules, "host.sync-stall") == *explain(facts, *rules, "host.sync-stall"));
    CHECK(facts_to_bytes(*again) == facts_to_bytes(facts));
  }
}

TEST_CASE("bytes that are damaged, cut or of something else are refused", "[api][bytes][hostile]") {
  const std::string bytes = facts_to_bytes(storm());
  CHECK(refusal_of("") == "K710 these bytes are no facts");
  CHECK(refusal_of("{\"schema\": \"kdiag.facts/1\"}") == "K710 these bytes are no facts");
  CHECK(refusal_of(std::string_view(bytes).substr(0, bytes.size() - 1)) == "K710 the bytes of these facts are damaged");
  CHECK(refusal_of(bytes + "x") == "K710 the bytes of these facts are damaged");
  std::string other = bytes;
  other[8 + 11 + 8] = '9';  // the first character of the version
  CHECK(refusal_of(other).starts_with("K710 these facts are of kdiag 9"));
  for (std::size_t at = 80; at < bytes.size(); at += bytes.size() / 200) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    CHECK_FALSE(refusal_of(damaged).empty());
  }
}
