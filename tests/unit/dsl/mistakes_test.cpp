// SPDX-License-Identifier: Apache-2.0
// Mistakes that authors of rules make: each is told once, at its place, by its cause.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include "lua/lua_rules.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

const std::string folder = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/mistakes/";

std::vector<std::string> mistakes() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".in") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

/// What `kdiag rules check` says beside its notes.
Diagnostics said_of(const std::string& text) {
  RuleOptions options;
  options.builtin = text.find("host.sync-stal") != std::string::npos;  // else they take longer than all the rest
  const auto rules = load_rules_text(text.starts_with("-- lua") ? "t.lua" : "t.yaml", text, options);
  if (!rules) return rules.error();
  Diagnostics out = rules->warnings();
  for (const Diagnostics& more : {script_mistakes(*rules), test_mistakes(*rules)})
    out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace

TEST_CASE("a mistake is told once, at its place, by its cause", "[dsl][golden]") {
  const std::vector<std::string> names = mistakes();
  CHECK(names.size() >= 112);
  for (const std::string& name : names) {
    const std::string text = tests::read_file(folder + name + ".in");
    if (text.starts_with("-- lua") && !lua::available()) continue;
    CAPTURE(name);
    const Diagnostics said = said_of(text);
    CHECK(said.size() == 1);
    tests::check_golden("mistakes/" + name + ".out", render(said));
  }
}
