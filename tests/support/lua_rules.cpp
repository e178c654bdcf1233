// SPDX-License-Identifier: Apache-2.0
#include "tests/support/lua_rules.hpp"

#include <memory>
#include <utility>

#include "dsl/test_file.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "workshop/stated_facts.hpp"

namespace kdiag::tests {
namespace {

/// Facts as a test file states them.
Facts facts_of(std::string_view yaml) {
  std::string text = "kdiag_test: 1\ntests:\n- name: t\n  expect: clear\n  facts:\n    devices: [{id: 0}]\n";
  for (std::size_t begin = 0; begin < yaml.size();) {
    const std::size_t end = std::min(yaml.find('\n', begin), yaml.size());
    text += "    " + std::string(yaml.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  Diagnostics diagnostics;
  const TestFile file = parse_test_file(std::make_shared<const Source>(Source{"t_test.yaml", text}), diagnostics);
  if (file.tests.size() != 1) FAIL(text << render(diagnostics));
  auto store = stated_facts(file.tests.front());
  if (!store) FAIL(render(store.error()));
  auto loaded = std::make_shared<LoadedFacts>();
  loaded->runs.push_back({.id = "A", .label = "test", .store = std::move(*store), .inputs = {}, .ledger = {}});
  return Facts(std::shared_ptr<const LoadedFacts>(std::move(loaded)));
}

}  // namespace

std::string lua_rule(std::string_view body, std::string_view more) {
  return "return { id = 'my.rule', title = 'found', " + std::string(more) + " detect = function(kd)\n" +
         std::string(body) + "\nend }\n";
}

Report judge_facts(std::string_view name, std::string_view rules, std::string_view facts, const RuleOptions& options,
                   std::string_view baseline) {
  RuleOptions alone = options;
  alone.builtin = false;
  const auto loaded = load_rules_text(name, rules, alone);
  if (!loaded) FAIL(rules << "\n" << render(loaded.error()));
  DiagnoseOptions how{.threads = 1};
  if (!baseline.empty()) how.baseline = facts_of(baseline);
  return diagnose(facts_of(facts), *loaded, how);
}

std::string outcome_of(std::string_view body, std::string_view facts, const RuleOptions& options,
                       std::string_view baseline, std::string_view more) {
  const Report report = judge_facts("t.lua", lua_rule(body, more), facts, options, baseline);
  if (report.outcomes.size() != 1) return std::to_string(report.outcomes.size()) + " outcomes";
  const OutcomeEntry& outcome = report.outcomes.front();
  std::string out(name_of(outcome.outcome));
  for (const MissingEntry& missing : outcome.missing) out += ": " + missing.fact;
  if (outcome.missing.empty() && !outcome.reason.empty()) out += " " + outcome.reason;
  return out;
}

}  // namespace kdiag::tests
