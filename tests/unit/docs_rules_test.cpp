// SPDX-License-Identifier: Apache-2.0
// docs/rules/ are the pages of the built-in rules; docs/detections.md names all of them, and no other.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag::test {
namespace {

const std::string docs = std::string(KDIAG_SOURCE_DIR) + "/docs/";

RuleSet all_rules() {
  RuleOptions options;
  options.incubating = true;
  const auto rules = builtin_rules(options);
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

std::set<std::string> ids(const RuleSet& rules) {
  std::set<std::string> out;
  for (const RuleEntry& rule : list_rules(rules)) out.insert(rule.id);
  return out;
}

}  // namespace

TEST_CASE("the pages of the built-in rules are theirs", "[docs][rules]") {
  const RuleSet rules = all_rules();
  std::set<std::string> files{"index.md"};
  check_golden(docs + "rules/index.md", rule_index(rules));
  for (const std::string& id : ids(rules)) {
    check_golden(docs + "rules/" + id + ".md", rule_page(rules, id).value());
    files.insert(id + ".md");
  }
  for (const auto& entry : std::filesystem::directory_iterator(docs + "rules")) {
    INFO(entry.path() << " is of no rule");
    CHECK(files.contains(entry.path().filename().string()));
  }
}

TEST_CASE("the list of detections names the built-in rules", "[docs][rules]") {
  const std::string page = read_file(docs + "detections.md");
  const std::set<std::string> known = ids(all_rules());
  std::set<std::string> named;
  // Every second part between backticks is code; those of the form area.name are rules.
  bool code = false;
  for (std::size_t at = 0, end; at < page.size(); at = end + 1, code = !code) {
    end = std::min(page.find('`', at), page.size());
    const std::string part = page.substr(at, end - at);
    if (code && part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string::npos &&
        part.find('.') != std::string::npos)
      named.insert(part);
  }
  for (const std::string& id : named) {
    INFO(id << " is no rule");
    CHECK(known.contains(id));
  }
  for (const std::string& id : known) {
    INFO(id << " covers no detection: say why it is there");
    CHECK(named.contains(id));
  }
}

}  // namespace kdiag::test
