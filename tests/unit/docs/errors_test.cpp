// SPDX-License-Identifier: Apache-2.0
// docs/errors.md: every id of the diagnostics has a section, and its sample is what kdiag prints.
#include <algorithm>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>

#include "base/diagnostic_table.hpp"
#include "lua/lua_rules.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

const std::string folder = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/errors/";

/// The first diagnostic of an id.
std::string shown(const Diagnostics& all, const std::string& id) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Diagnostic& d) { return d.id == id; });
  return found == all.end() ? "not said, but: " + render(all) : render({*found});
}

/// What `kdiag rules check`, `kdiag rules test` and `kdiag formats check` say of the text in the case of an id, of that
/// id alone.
std::string said_of(const std::string& id) {
  const std::string text = tests::read_file(folder + id + ".in");
  Diagnostics all;
  if (text.starts_with("kdiag_map:")) {
    if (const auto map = load_map_text("t.yaml", text); !map) all = map.error();
    return shown(all, id);
  }
  // The built-in rules take longer to load than all else here: only where a case is about them.
  RuleOptions options;
  options.builtin = text.find("gpu.low-util") != std::string::npos || text.find("host.sync") != std::string::npos ||
                    text.find("clock.throttled") != std::string::npos;
  options.lua = id != "K741";
  const auto rules = load_rules_text(text.starts_with("--") ? "t.lua" : "t.yaml", text, options);
  if (!rules) all = rules.error();
  else {
    all = rules->warnings();
    all.insert(all.end(), rules->style().begin(), rules->style().end());
    // Facts are read when tests are run; those of the built-in rules, too, which would take a minute.
    if (!options.builtin)
      if (const auto tested = test_rules(*rules); !tested) all = tested.error();
  }
  return shown(all, id);
}

std::string section_of(const std::string& docs, const std::string& id) {
  const std::size_t begin = docs.find("\n## " + id + ": ");
  if (begin == std::string::npos) return {};
  return docs.substr(begin, docs.find("\n## ", begin + 1) - begin);
}

}  // namespace

TEST_CASE("every id has a section in docs/errors.md with the sample of its case", "[dsl][docs][golden]") {
  const std::string docs = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/docs/errors.md");
  for (const DiagnosticInfo& row : diagnostic_table()) {
    const std::string id(row.id);
    CAPTURE(id);
    const std::string section = section_of(docs, id);
    CHECK(section.starts_with("\n## " + id + ": " + std::string(row.title) + "\n\n" + std::string(row.explanation)));
    CHECK(section.find("\nFix: ") != std::string::npos);
    if (id > "K741" && !lua::available()) continue;
    // A file that is not there, one of another folder, what formatting refuses, if ever, two packs.
    if (id == "K100" || id == "K119" || id == "K140" || id == "K316") continue;
    const std::string sample = said_of(id);
    tests::check_golden("errors/" + id + ".out", sample);
    CHECK(section.find("\n```\n" + sample + "```\n") != std::string::npos);
  }
}

TEST_CASE("docs/errors.md has no section of an unknown id", "[dsl][docs]") {
  const std::string docs = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/docs/errors.md");
  for (std::size_t at = docs.find("\n## K"); at != std::string::npos; at = docs.find("\n## K", at + 1)) {
    const std::string id = docs.substr(at + 4, 4);
    CAPTURE(id);
    if (id < "K500" || id > "K740") CHECK(diagnostic_info(id) != nullptr);
  }
}
