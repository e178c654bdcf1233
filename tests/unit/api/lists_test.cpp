// SPDX-License-Identifier: Apache-2.0
// Several paths between braces are several paths, never the two ends of one text.
#include <kdiag/compare.hpp>
#include <kdiag/kdiag.hpp>

#include <string>

#include "tests/catch.hpp"
#include "tests/support/examples.hpp"

using namespace kdiag;
using kdiag::tests::item_storm;
using kdiag::tests::loss_reads;

namespace {

template <class Path>
constexpr bool loads_as_one = requires(Path path) {
  load_trace({path, path});
};
template <class Path>
constexpr bool loads_sides_as_one = requires(Path path) {
  load_sides({path, path});
};

static_assert(!loads_as_one<const char*> && !loads_as_one<std::string>);
static_assert(!loads_sides_as_one<const char*> && !loads_sides_as_one<std::string>);

}  // namespace

TEST_CASE("rules of several files between braces are loaded", "[api][lists]") {
  RuleOptions alone;
  alone.builtin = false;
  const auto rules = load_rules({loss_reads, "no/such.yaml"}, alone);
  REQUIRE_FALSE(rules);
  CHECK(render(rules.error()).find("no/such.yaml") != std::string::npos);
  const auto none = load_rules({"no/such.yaml", "nor/this.yaml"});
  REQUIRE_FALSE(none);
  CHECK(none.error().size() == 2);
  const auto one = load_rules({loss_reads}, alone);
  const auto same = load_rules(loss_reads, alone);
  REQUIRE(one);
  REQUIRE(same);
  CHECK(one->size() == same->size());
}

TEST_CASE("traces of several files between braces are loaded", "[api][lists]") {
  const auto facts = load_traces({item_storm, "no/such.json"});
  REQUIRE(facts);
  CHECK(facts->inputs().size() == 2);
  CHECK_FALSE(load_traces({"no/such.json", "nor/this.json"}));
}

TEST_CASE("sides of a comparison are two paths or two lists", "[api][lists]") {
  CHECK(load_sides(item_storm, item_storm));
  CHECK(load_sides(item_storm.c_str(), item_storm.c_str()));
  CHECK(load_sides({item_storm}, {item_storm}));
  const auto missing = load_sides({"no/such.json", "nor/this.json"}, {item_storm});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().size() == 2);
}
