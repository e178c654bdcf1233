// SPDX-License-Identifier: Apache-2.0
// docs/rules/ are the pages of the built-in rules; docs/detections.md names all of them, and no other.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include <kdiag/blame.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include "dsl/expressions/parse_expr.hpp"
#include "engine/ruleset/rule_names.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "packs/find_rule.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag::tests {
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

TEST_CASE("each kind of blame is read by a built-in rule", "[docs][rules]") {
  std::string rules;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(KDIAG_SOURCE_DIR) + "/rules"))
    if (entry.path().extension() == ".yaml") rules += tests::read_file(entry.path().string());
  for (const BlameInfo& blame : catalogue_blames) {
    CAPTURE(blame.name);
    // Communication of the host is asked about by the time of its ranges, and a device without work is a line of the
    // account.
    if (blame.blame == Blame::host_collective) continue;
    CHECK(rules.find('"' + std::string(blame.name) + '"') != std::string::npos);
  }
}

// Reports print `verify` for `kdiag query --in RULE` over the next run.
void check_is_query(const std::string& text, const CheckedRule& rule, const RuleSet& rules) {
  const auto source = std::make_shared<const Source>(Source{"query", text});
  Expression query{.tree = nullptr, .text = whole_text(source)};
  auto tree = parse_expression(query.text);
  REQUIRE(tree);
  query.tree = std::move(*tree);
  Diagnostics diagnostics;
  const RuleNames names = names_of(rule, rules.loaded().complete());
  const bool checks = check_expression(query, names.scope, diagnostics) != nullptr;
  INFO(render(diagnostics));
  CHECK(checks);
}

TEST_CASE("what verifies the advice of built-in rules is a query", "[docs][rules]") {
  const RuleSet rules = all_rules();
  for (const CheckedRule& rule : rules.loaded().complete().rules)
    for (const CheckedRecommendation& advice : rule.finding().recommend) {
      if (!advice.verify) continue;
      std::string text = advice.verify_text;
      for (const auto& [name, value] : rule.param_texts)
        for (std::size_t at = text.find('$' + name); at != std::string::npos; at = text.find('$' + name, at + 1)) {
          const std::size_t end = at + 1 + name.size();
          if (end == text.size() || (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '_'))
            text.replace(at, end - at, value);
        }
      CAPTURE(rule.rule->id, text);
      check_is_query(text, rule, rules);
    }
}

// Findings of rules whose advice is read when they fire.
TEST_CASE("what a report tells to check is a query", "[docs][rules]") {
  const auto read = builtin_rules();
  REQUIRE(read);
  const RuleSet& rules = *read;
  const std::string trace = std::string(KDIAG_SOURCE_DIR) + "/tests/corpus/recorded/g_d2h_results.json.gz";
  const auto facts = load_traces({std::string_view(trace)});
  REQUIRE(facts);
  std::size_t checks = 0;
  for (const Finding& finding : diagnose(*facts, rules).findings)
    for (const RecommendationEntry& advice : finding.recommendations) {
      if (advice.verify.empty()) continue;
      CAPTURE(finding.rule, advice.verify);
      const auto rule = find_rule(rules, finding.rule);
      REQUIRE(rule);
      check_is_query(advice.verify, **rule, rules);
      ++checks;
    }
  CHECK(checks > 0);
}

TEST_CASE("every built-in rule says where it comes from", "[docs][rules]") {
  const RuleSet rules = all_rules();
  for (const CheckedRule& rule : rules.loaded().complete().rules) {
    const bool linked = std::any_of(rule.rule->recommend.begin(), rule.rule->recommend.end(),
                                    [](const Recommendation& advice) { return !advice.url.empty(); });
    INFO(rule.rule->id << " has neither a reference nor a link in its advice");
    if (!rule.rule->id.starts_with("changed.")) CHECK((linked || !rule.rule->references.empty()));
  }
}

}  // namespace kdiag::tests
