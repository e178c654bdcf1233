// SPDX-License-Identifier: Apache-2.0
// Rule files that a host keeps elsewhere than in the file system.
#include <kdiag/file_reader.hpp>
#include <kdiag/kdiag.hpp>

#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "lua/lua_rules.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using Catch::Matchers::Contains;

namespace {

RuleOptions reading(decltype(FileReader::read) read) {
  RuleOptions options;
  options.builtin = false;
  options.files = std::make_shared<const FileReader>(FileReader{.read = std::move(read)});
  return options;
}

RuleOptions holding(std::map<std::string, std::string> texts) {
  return reading([texts = std::move(texts)](const std::string& path) {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  });
}

const std::string importing = "kdiag: 1\nimport: [../common.yaml]\nrules:\n- {rule: my.far, title: t, when: many}\n";
const std::string scripted = "kdiag: 1\nrules:\n- {rule: my.script, title: t, script: far.lua}\n";
const std::string common = "kdiag: 1\ndefine:\n- {name: many, type: bool, expr: count(kernels) > 20}\n";
const std::string script = "return { detect = function(kd) end }\n";

}  // namespace

TEST_CASE("a host gives rule files and what they import", "[api][rules]") {
  const auto rules =
      load_rules("site/packs/all.yaml", holding({{"site/packs/all.yaml", importing}, {"site/common.yaml", common}}));
  if (!rules) FAIL(render(rules.error()));
  CHECK(rules->size() == 1);
}

TEST_CASE("a host gives the scripts of rule files", "[api][rules]") {
  if (!lua::available()) return;
  const auto rules =
      load_rules("site/packs/all.yaml", holding({{"site/packs/all.yaml", scripted}, {"site/packs/far.lua", script}}));
  if (!rules) FAIL(render(rules.error()));
  CHECK(rules->size() == 1);
  const auto alone = load_rules("site/packs/all.yaml", holding({{"site/packs/all.yaml", scripted}}));
  REQUIRE_FALSE(alone);
  CHECK(alone.error().front().id == "K740");
  CHECK_THAT(render(alone.error()), Contains("the host has none of that name"));
}

TEST_CASE("of a pack that a host keeps all rules are read that it names", "[api][rules]") {
  const auto rule = [](const std::string& id) { return "kdiag: 1\nrule: " + id + "\ntitle: t\nwhen: many\n"; };
  const RuleOptions options = holding({{"house/pack.yaml", "kdiag: 1\npack: {name: house}\n" + common.substr(9)},
                                       {"house/a.yaml", rule("house.a")},
                                       {"house/b.yaml", rule("house.b")},
                                       {"house/c.yaml", rule("house.c")}});
  for (const auto& paths : {std::vector<std::string>{"house/a.yaml", "house/b.yaml"},
                            std::vector<std::string>{"house/pack.yaml", "house/b.yaml", "house/a.yaml"}}) {
    const auto rules = load_rules(paths, options);
    if (!rules) FAIL(render(rules.error()));
    CHECK(rules->size() == 2);
  }
}

TEST_CASE("what a host does not have is an error at the place that names it", "[api][rules]") {
  const auto none = load_rules("site/packs/all.yaml", holding({}));
  REQUIRE_FALSE(none);
  CHECK(none.error().front().id == "K100");
  CHECK_THAT(none.error().front().title, Contains("the host has none of that name"));

  const auto parts = load_rules("site/packs/all.yaml", holding({{"site/packs/all.yaml", importing}}));
  REQUIRE_FALSE(parts);
  CHECK(parts.error().front().id == "K117");
  CHECK_THAT(render(parts.error()), Contains("the host has none of that name"));

  const auto thrown = load_rules("a.yaml", reading([](const std::string&) -> std::optional<std::string> {
                                   throw std::runtime_error("the archive is broken");
                                 }));
  REQUIRE_FALSE(thrown);
  CHECK_THAT(thrown.error().front().title, Contains("the archive is broken"));
  CHECK_THROWS_AS(
      load_rules("a.yaml", reading([](const std::string&) -> std::optional<std::string> { throw std::bad_alloc(); })),
      std::bad_alloc);
}

TEST_CASE("a file of a host that is too large is refused as any other", "[api][rules]") {
  const auto rules = load_rules("a.yaml", holding({{"a.yaml", std::string(2 << 20, ' ')}}));
  REQUIRE_FALSE(rules);
  CHECK_THAT(rules.error().front().title, Contains("larger than 1024 KiB"));
}
