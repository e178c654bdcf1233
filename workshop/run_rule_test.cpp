// SPDX-License-Identifier: Apache-2.0
#include "workshop/run_rule_test.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/escape.hpp"
#include "dsl/param_value.hpp"
#include "engine/eval/render.hpp"
#include "engine/judge/baselines.hpp"
#include "engine/ruleset/check_test.hpp"
#include "workshop/match_expectation.hpp"
#include "workshop/stated_facts.hpp"
#include "workshop/value_test.hpp"

namespace kdiag {
namespace {

const Rule* find_rule(const LoadedRules& rules, const std::string& id) {
  for (const auto& file : rules.files)
    for (const Rule& rule : file->rules)
      if (rule.id == id) return &rule;
  return nullptr;
}

/// Errors of the test's own expressions and values say whose they are.
Diagnostics in_context(Diagnostics diagnostics, const RuleTest& test) {
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.context.empty()) diagnostic.context = test.name;
  return diagnostics;
}

/// The values that a test sets, as check_rules wants them.
Result<std::vector<ParamSetting>> settings_of(const RuleTest& test, const LoadedRules& rules) {
  std::vector<ParamSetting> out = rules.settings;  // those of overrides and `--set` stay in force
  for (const TestSetting& setting : test.set) {
    const Rule& rule = *find_rule(rules, setting.rule.rule);  // check_test has found both
    const auto param =
        std::find_if(rule.params.begin(), rule.params.end(), [&](const Param& p) { return p.name == setting.param; });
    Result<Expression> parsed = parse_param_value(param->type, setting.value.text);
    if (!parsed) return parsed.error();
    out.push_back({.rule = rule.id, .param = setting.param, .place = setting.rule.span, .value = std::move(*parsed)});
  }
  return out;
}

/// Facts of their own, as one run.
Result<Facts> run_of_stated_facts(const RuleTest& test, TestRun run) {
  auto store = stated_facts(test, run);
  if (!store) return store.error();
  auto loaded = std::make_shared<LoadedFacts>();
  loaded->runs.push_back({.id = "A", .label = "test", .store = std::move(*store), .inputs = {}, .ledger = {}});
  return Facts(std::move(loaded));
}

// --- Value tests ----------------------------------------------------------------------------------------------------

std::string evidence_name(std::size_t i) { return "eval " + std::to_string(i); }

/// The rules that the test's expressions stand in, with those as further evidence: so they are checked and see what
/// evidence sees.
Result<std::map<std::string, CheckedRule>> with_probes(const RuleTest& test, const LoadedRules& rules) {
  std::map<std::string, std::vector<NamedExpression>> probes;
  for (std::size_t i = 0; i < test.eval.size(); ++i)
    if (const Reference& rule = test.eval[i].rule; !rule.rule.empty())
      probes[rule.rule].push_back({evidence_name(i), rule.span, test.eval[i].expression});
  std::map<std::string, CheckedRule> out;
  Diagnostics errors;
  for (auto& [id, evidence] : probes) {
    auto probed = check_with_evidence(rules, *rules.find(id), std::move(evidence));  // check_test has found it
    if (probed) out.emplace(id, std::move(*probed));
    else errors.insert(errors.end(), probed.error().begin(), probed.error().end());
  }
  if (!errors.empty()) return errors;
  return out;
}

/// Runs the value tests of one test.
class ValueTester {
 public:
  ValueTester(const LoadedRules& rules, const std::map<std::string, CheckedRule>& probed, const LoadedFacts& facts,
              const DiagnoseOptions& options, Diagnostics& diagnostics)
      : rules_(rules),
        probed_(probed),
        diagnostics_(diagnostics),
        baselines_(facts, options.baseline ? &options.baseline->loaded() : nullptr, options.cancel) {
    for (std::size_t run = 0; run < facts.runs.size(); ++run)
      runs_.push_back(std::make_unique<RunContext>(baselines_.judged(run), baselines_.of(run), options.cancel));
  }

  void ask_run(const ValueTest& test) {
    const PlanPtr plan = check_query(test.expression, rules_, diagnostics_);
    if (!plan) return;
    for (const auto& run : runs_) compare(test, *plan, {}, *run, Subject{});
  }

  void ask_rule(const ValueTest& test, const std::string& name) {
    const CheckedRule& rule = probed_.at(test.rule.rule);
    const auto& evidence = rule.finding().evidence;
    const auto plan =
        std::find_if(evidence.begin(), evidence.end(), [&](const auto& entry) { return entry.first == name; });
    std::vector<std::pair<const RunContext*, Subject>> asked;
    std::string labels;
    for (const auto& run : runs_)
      for (const Subject& subject : run->subjects(rule.subject).subjects) {
        labels += (labels.empty() ? "" : ", ") + run->label(subject);
        if (test.subject.empty() || run->label(subject) == test.subject || run->id(subject) == test.subject)
          asked.emplace_back(run.get(), subject);
      }
    if (asked.empty()) differs(test, labels.empty() ? "nothing: the rule has no subject" : "only " + labels);
    else if (test.subject.empty() && asked.size() > 1) differs(test, "several subjects: name one of " + labels);
    else
      for (const auto& [run, subject] : asked) compare(test, *plan->second, rule.finding().lets, *run, subject);
  }

  std::vector<Mismatch> mismatches() && { return std::move(mismatches_); }

 private:
  void compare(const ValueTest& test, const Plan& plan, const std::vector<PlanPtr>& lets, const RunContext& run,
               const Subject& subject) {
    SubjectFacts subject_facts(run, subject, rules_.library.shared);
    Evaluator evaluator(run, rules_.library, lets, subject_facts);
    Value value;
    try {
      value = evaluator.eval(plan);
    } catch (const BudgetExceeded& budget) {
      value = unknown_reason(budget.reason);
    }
    const auto got = compare_value(test, value, plan.type, run);
    if (!got) diagnostics_.insert(diagnostics_.end(), got.error().begin(), got.error().end());
    else if (*got) differs(test, **got);
  }

  void differs(const ValueTest& test, std::string got) {
    std::string expected = test.expression.text.text + " = " + test.equals.text.text;
    if (test.within) expected += " within " + test.within->text.text;
    if (!test.subject.empty()) expected += " on " + test.subject;
    mismatches_.push_back({test.expression.text.whole, test.rule.rule, std::move(expected), std::move(got)});
  }

  const LoadedRules& rules_;
  const std::map<std::string, CheckedRule>& probed_;
  Diagnostics& diagnostics_;
  const Baselines baselines_;
  std::vector<std::unique_ptr<RunContext>> runs_;
  std::vector<Mismatch> mismatches_;
};

Result<std::vector<Mismatch>> test_values(const RuleTest& test, const LoadedRules& rules, const LoadedFacts& facts,
                                          const DiagnoseOptions& options) {
  if (test.eval.empty()) return std::vector<Mismatch>();
  const auto probed = with_probes(test, rules);
  if (!probed) return probed.error();
  Diagnostics diagnostics;
  ValueTester tester(rules, *probed, facts, options, diagnostics);
  for (std::size_t i = 0; i < test.eval.size(); ++i) {
    if (test.eval[i].rule.rule.empty()) tester.ask_run(test.eval[i]);
    else tester.ask_rule(test.eval[i], evidence_name(i));
  }
  if (!diagnostics.empty()) return diagnostics;
  return std::move(tester).mismatches();
}

// --- Results --------------------------------------------------------------------------------------------------------

/// The tree of values of each rule of which something else was expected.
std::string explain(const std::vector<Mismatch>& mismatches, const LoadedFacts& facts, const LoadedRules& rules,
                    const DiagnoseOptions& options) {
  std::string out;
  std::vector<std::string> told;
  for (const Mismatch& mismatch : mismatches) {
    if (std::find(told.begin(), told.end(), mismatch.rule) != told.end()) continue;
    told.push_back(mismatch.rule);
    if (const CheckedRule* rule = rules.find(mismatch.rule))
      out += joined_lines(explain_rule(facts, rules, *rule, options));
  }
  return out;
}

/// The rules with those active that a test names: incubating, deprecated and disabled ones are tested all the same.
Shared<LoadedRules> with_active(const Shared<LoadedRules>& rules, const std::vector<std::string>& named) {
  const auto sleeps = [&](const std::string& id) {
    const CheckedRule* rule = rules->find(id);
    return rule != nullptr && !rule->active;
  };
  if (std::none_of(named.begin(), named.end(), sleeps)) return rules;
  auto awake = std::make_shared<LoadedRules>(*rules);
  for (const std::string& id : named) awake->activate(id);
  return Shared<LoadedRules>(std::shared_ptr<const LoadedRules>(std::move(awake)));
}

std::size_t line_of(const Span& span) { return span.source ? position_of(*span.source, span.offset).line : 0; }

}  // namespace

std::vector<std::string> rules_of(const RuleTest& test) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& rule) {
    if (!rule.empty() && std::find(out.begin(), out.end(), rule) == out.end()) out.push_back(rule);
  };
  add(test.rule.rule);
  for (const ExpectedFinding& finding : test.expect.findings) add(finding.rule.rule);
  for (const ExpectedOutcome& outcome : test.expect.outcomes) add(outcome.rule.rule);
  for (const ValueTest& value : test.eval) add(value.rule.rule);
  return out;
}

Result<Facts> RuleTestRunner::trace_of(const RuleTest& test, const Reference& trace) {
  const std::filesystem::path folder = std::filesystem::path(trace.span.source->name).parent_path();
  std::string path = (folder / trace.rule).lexically_normal().string();
  if (path == "-") path = "./-";  // a file, not standard input
  if (const auto known = traces_.find(path); known != traces_.end()) return known->second;
  if (may_read_ && !may_read_(path))
    return in_context(
        {make_error(error_id::test_trace_unreadable, trace.span, "the trace of this test may not be read here", path)},
        test);
  LoadOptions options;
  options.cancel = cancel_;
  const auto loaded = load_trace(path, options);
  stop_if(cancel_);
  if (!loaded) {
    const Diagnostic& first = loaded.error().front();
    Diagnostic error = make_error(error_id::test_trace_unreadable, trace.span,
                                  "the trace of this test cannot be read: " + first.title, path, first.help);
    return in_context({std::move(error)}, test);
  }
  return traces_.emplace(path, *loaded).first->second;
}

Result<Facts> RuleTestRunner::facts_of(const RuleTest& test) {
  return test.trace ? trace_of(test, *test.trace) : run_of_stated_facts(test, TestRun::judged);
}

Result<Facts> RuleTestRunner::baseline_of(const RuleTest& test) {
  return test.baseline->trace ? trace_of(test, *test.baseline->trace) : run_of_stated_facts(test, TestRun::baseline);
}

Result<RuleTestResult> RuleTestRunner::run(const RuleTest& test, const RuleSet& rules) {
  Diagnostics diagnostics;
  check_test(test, rules.loaded(), diagnostics);
  const auto facts = facts_of(test);
  if (!facts) diagnostics.insert(diagnostics.end(), facts.error().begin(), facts.error().end());
  DiagnoseOptions options{.threads = 1, .cancel = cancel_, .timings = timed_};
  if (test.baseline) {
    const auto baseline = baseline_of(test);
    if (baseline) options.baseline = *baseline;
    else diagnostics.insert(diagnostics.end(), baseline.error().begin(), baseline.error().end());
  }
  if (!diagnostics.empty()) return diagnostics;

  const auto settings = settings_of(test, rules.loaded());
  if (!settings) return in_context(settings.error(), test);
  Shared<LoadedRules> judged = complete_rules(rules.share());
  if (!test.set.empty()) {
    auto checked = check_rules(judged->files, *settings, judged->choice, judged->functions, 1, cancel_);
    if (!checked) return in_context(checked.error(), test);
    judged = Shared<LoadedRules>(std::move(*checked));
  }
  judged = with_active(judged, rules_of(test));
  auto values = test_values(test, *judged, facts->loaded(), options);
  if (!values) return in_context(values.error(), test);

  const Report report = diagnose_runs(facts->loaded(), *judged, options,
                                      coverage_ != nullptr ? coverage_->hook(*judged) : JudgementHook(),
                                      test.trace ? Caps::hold : Caps::ignored);
  stop_if(cancel_);  // what was not judged is no result
  if (report.timings)
    for (const CostEntry& cost : report.timings->by_rule) {
      CostEntry& sum = costs_[cost.name];
      sum.name = cost.name;
      sum.seconds += cost.seconds;
      sum.rows += cost.rows;
      sum.times += cost.times;
    }
  // `only` in a rule forbids findings of its own file: what else is loaded beside it is not the test's business.
  const Rule* own = find_rule(*judged, test.rule.rule);
  std::vector<Mismatch> mismatches = match_expectation(test.expect, report, [&](std::string_view rule) {
    return own == nullptr || find_rule(*judged, std::string(rule))->span.source == own->span.source;
  });
  mismatches.insert(mismatches.end(), values->begin(), values->end());

  RuleTestResult result{
      .file = test.span.source->name, .name = test.name, .line = line_of(test.span), .rules = rules_of(test)};
  for (const Mismatch& mismatch : mismatches)
    result.mismatches.push_back({line_of(mismatch.place), mismatch.expected, mismatch.got});
  result.explanation = explain(mismatches, facts->loaded(), *judged, options);
  const bool holds = mismatches.empty();
  result.status = test.todo ? (holds ? TestStatus::todo_passed : TestStatus::todo)
                            : (holds ? TestStatus::passed : TestStatus::failed);
  return result;
}

std::vector<CostEntry> RuleTestRunner::costs() const {
  std::vector<CostEntry> out;
  for (const auto& [rule, cost] : costs_) out.push_back(cost);
  std::stable_sort(out.begin(), out.end(),
                   [](const CostEntry& a, const CostEntry& b) { return a.seconds > b.seconds; });
  return out;
}

}  // namespace kdiag
