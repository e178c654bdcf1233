// SPDX-License-Identifier: Apache-2.0
// Runs the tests that rules carry.
#include <kdiag/kdiag.hpp>

#include <algorithm>

#include "api/stated_facts.hpp"
#include "dsl/param_value.hpp"
#include "engine/diagnose.hpp"

namespace kdiag {
namespace {

/// The test's rule with the test's parameters; the loaded one when it sets none.
Result<Shared<LoadedRules>> rules_for(const Shared<LoadedRules>& loaded, const Rule& rule, const RuleTest& test) {
  if (test.set.empty()) return loaded;
  std::vector<ParamSetting> settings = loaded->settings;
  for (const auto& [name, value] : test.set) {
    const auto param = std::find_if(rule.params.begin(), rule.params.end(),
                                    [&, &wanted = name](const Param& p) { return p.name == wanted; });
    if (param == rule.params.end()) continue;  // the checker refused it
    Result<Expression> parsed = parse_param_value(param->type, value.text);
    if (!parsed) return parsed.error();
    settings.push_back({.rule = rule.id, .param = name, .place = value.span, .value = std::move(*parsed)});
  }
  auto checked = check_rules(loaded->files, settings);
  if (!checked) return checked.error();
  return Shared<LoadedRules>(std::move(*checked));
}

std::string failure(const std::string& what, const LoadedFacts& facts, const LoadedRules& rules,
                    const CheckedRule& rule) {
  return what + "\n" + explain_rule(facts, rules, rule);
}

/// Empty when the test holds, else why not.
std::string run_test(const Shared<LoadedRules>& loaded, const Rule& rule, const RuleTest& test) {
  const auto store = stated_facts(test);
  if (!store) return render(store.error());
  auto rules = rules_for(loaded, rule, test);
  if (!rules) return render(rules.error());
  if (!(*rules)->find(rule.id)->active) {  // incubating, deprecated or disabled: its tests run all the same
    auto running = std::make_shared<LoadedRules>(**rules);
    running->activate(rule.id);
    rules = Shared<LoadedRules>(std::shared_ptr<const LoadedRules>(std::move(running)));
  }
  const CheckedRule* checked = (*rules)->find(rule.id);

  LoadedFacts facts;
  facts.runs.push_back({.id = "A", .label = "test", .store = *store, .inputs = {}, .ledger = {}});
  const Report report = diagnose_runs(facts, **rules, {});
  Outcome got = Outcome::not_applicable;
  std::vector<std::string> missing;
  for (const OutcomeEntry& outcome : report.outcomes) {
    if (outcome.rule != rule.id) continue;
    got = std::min(got, outcome.outcome);
    for (const MissingEntry& fact : outcome.missing) missing.push_back(fact.fact);
  }
  if (got != test.expect)
    return failure("expected " + std::string(name_of(test.expect)) + ", got " + std::string(name_of(got)), facts,
                   **rules, *checked);
  for (const std::string& fact : test.missing)
    if (std::find(missing.begin(), missing.end(), fact) == missing.end())
      return failure("expected '" + fact + "' among the missing facts", facts, **rules, *checked);
  if (got != Outcome::fired) return {};

  // A symptom may stand below its cause: look at every level.
  const Finding* finding = nullptr;
  const auto search = [&](auto&& self, const std::vector<Finding>& findings) -> void {
    for (const Finding& candidate : findings) {
      if (candidate.rule == rule.id) finding = &candidate;
      self(self, candidate.symptoms);
    }
  };
  search(search, report.findings);
  if (finding == nullptr) return failure("it fired without a finding", facts, **rules, *checked);
  if (test.severity && *test.severity != finding->severity)
    return failure("expected severity " + std::string(name_of(*test.severity)) + ", got " +
                       std::string(name_of(finding->severity)),
                   facts, **rules, *checked);
  if (test.impact) {
    const auto end = [](const Expression& expression) {
      const auto* literal = expression.tree ? std::get_if<NumberLiteral>(&expression.tree->node) : nullptr;
      return literal ? literal->value.rounded() : 0;
    };
    const std::int64_t low = end(test.impact->first);
    const std::int64_t high = end(test.impact->second);
    if (!finding->impact_ns || *finding->impact_ns < low || *finding->impact_ns > high)
      return failure("expected an impact from " + std::to_string(low) + " to " + std::to_string(high) + " ns, got " +
                         (finding->impact_ns ? std::to_string(*finding->impact_ns) + " ns" : "none"),
                     facts, **rules, *checked);
  }
  return {};
}

}  // namespace

std::vector<RuleTestResult> test_rules(const RuleSet& rules, std::string_view pack_or_file) {
  std::vector<RuleTestResult> out;
  const auto loaded = rules.share();
  for (const auto& file : loaded->files) {
    if (!pack_or_file.empty() && file->pack != pack_or_file && file->source->name != pack_or_file) continue;
    for (const Rule& rule : file->rules)
      for (const RuleTest& test : rule.tests) {
        RuleTestResult result{.rule = rule.id,
                              .test = test.name,
                              .file = file->source->name,
                              .line = position_of(*file->source, test.span.offset).line,
                              .passed = false,
                              .message = run_test(loaded, rule, test)};
        result.passed = result.message.empty();
        out.push_back(std::move(result));
      }
  }
  return out;
}

}  // namespace kdiag
