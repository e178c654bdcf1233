// SPDX-License-Identifier: Apache-2.0
// Expressions that several rules contain are evaluated once for a subject, and nobody can tell.
#include <string>

#include <kdiag/kdiag.hpp>

#include "engine/derive/derive.hpp"
#include "engine/eval/eval.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;

namespace {

std::string rule(const std::string& id, const std::string& let, const std::string& when) {
  return "- rule: " + id + "\n  title: T\n  for_each: device\n  let:\n    " + let + "\n  when: |\n    " + when + "\n";
}

RuleSet load(const std::string& rules) {
  auto loaded = load_rules_text("r.yaml", "kdiag: 1\nrules:\n" + rules, {.builtin = false, .set = {}});
  if (!loaded) FAIL(render(loaded.error()));
  return *loaded;
}

std::size_t shared_by(const std::string& rules) {
  const RuleSet bare = load(rule("a.only", "x: 1", "x == 2"));
  return load(rules).loaded().library.shared.size() - bare.loaded().library.shared.size();
}

}  // namespace

TEST_CASE("equal expressions are shared, however they are written", "[engine][eval]") {
  const std::string first = rule("a.first", "short: kernels where dur < 5us", "count(short) > 3");
  CHECK(shared_by(first) == 0);
  // The filter, and the count of it.
  CHECK(shared_by(first + rule("a.same", "brief: kernels where dur < 5000ns", "count(brief) > 4")) >= 2);
  CHECK(shared_by(first + rule("a.other", "brief: kernels where dur < 6us", "count(brief) > 3")) == 0);
  CHECK(shared_by(first + rule("a.column", "brief: kernels where end - start > 5us", "count(brief) > 3")) == 0);
  CHECK(shared_by(first + rule("a.table", "brief: copies where dur < 5us", "count(brief) > 3")) == 0);
}

TEST_CASE("what depends on a row or on a group around it is not shared", "[engine][eval]") {
  const auto groups = [](const std::string& id, const std::string& key) {
    return rule("a." + id, "g: kernels group by (" + key + ") select (t = sum(dur))", "max(g, t) > 1s");
  };
  // sum(dur) is the group's: equal text, different values.
  CHECK(shared_by(groups("by-name", "name") + groups("by-stream", "stream")) == 0);
  CHECK(shared_by(groups("by-name", "name") + groups("again", "name")) == 2);  // the groups and their maximum
}

TEST_CASE("regular expressions differ by pattern and by case", "[engine][eval]") {
  const auto matching = [](const std::string& id, const std::string& regex) {
    return rule("a." + id, "k: kernels where name =~ " + regex, "count(k) > 3");
  };
  CHECK(shared_by(matching("one", "/gemm/") + matching("two", "/gemm/i")) == 0);
  CHECK(shared_by(matching("one", "/gemm/") + matching("two", "/gemm/")) == 2);
}

TEST_CASE("a rule pays for a shared value whoever computed it", "[engine][eval]") {
  tests::Trace trace;
  for (int i = 0; i < 100; ++i) trace.kernel(0, "k", i * 10, i);
  FactStore store = trace.store();
  derive(store, Scope{});
  const RuleSet rules = load(rule("a.first", "k: kernels where dur > 5us", "count(k) > 3") +
                             rule("a.second", "k: kernels where dur > 5us", "sum(k, dur) > 1s or count(k) > 5"));
  const LoadedRules& loaded = rules.loaded();
  const RunContext run(store);
  const Subject device = run.subjects(SubjectKind::device).subjects.front();
  const auto visits = [&](const CheckedRule& rule, SubjectFacts& facts) {
    Evaluator evaluator(run, loaded.library, rule.lets, facts);
    evaluator.eval(*rule.when);
    return evaluator.visits();
  };
  const CheckedRule& first = *loaded.find("a.first");
  const CheckedRule& second = *loaded.find("a.second");
  SubjectFacts alone(run, device, loaded.library.shared);
  const auto cost = visits(second, alone);
  CHECK(cost > 100);
  SubjectFacts together(run, device, loaded.library.shared);
  visits(first, together);
  CHECK(visits(second, together) == cost);
  CHECK(visits(second, together) == cost);
}

TEST_CASE("a define that visits rows is shared, also where a single rule names it", "[engine][eval]") {
  const std::string define = "define:\n- {name: short, type: table, expr: kernels where dur < 5us, doc: D}\n";
  const auto shared_with = [&](const std::string& defines) {
    auto loaded =
        load_rules_text("r.yaml", "kdiag: 1\n" + defines + "rules:\n" + rule("a.first", "n: 3", "count(kernels) > n"),
                        {.builtin = false, .set = {}});
    if (!loaded) FAIL(render(loaded.error()));
    return loaded->loaded().library.shared.size();
  };
  CHECK(shared_with(define) == shared_with("") + 1);  // findings are read when their rule fires, and may name it
}

TEST_CASE("what names no part of a run is computed once for all its subjects", "[engine][eval]") {
  tests::Trace trace;
  for (int device = 0; device < 4; ++device)
    for (int i = 0; i < 10; ++i) trace.kernel(device, "k", i * 10, i + 1);
  FactStore store = trace.store();
  derive(store, Scope{});
  const std::string of_run = "n: count(all.kernels where dur > 5us)";
  const std::string of_device = "n: count(kernels where dur > 5us)";
  const auto computed = [&](const std::string& let) {
    const RuleSet rules = load(rule("a.first", let, "n > 1") + rule("a.second", let, "n > 2"));
    const LoadedRules& loaded = rules.loaded();
    const RunContext run(store);
    Costs costs(loaded.rules.size(), loaded.library.shared.size());
    SubjectFacts whole_run(run, Subject{}, loaded.library.shared);
    for (const Subject& device : run.subjects(SubjectKind::device).subjects) {
      SubjectFacts facts(run, device, whole_run, &costs);
      for (const CheckedRule& checked : loaded.rules)
        Evaluator(run, loaded.library, checked.lets, facts).eval(*checked.when);
    }
    std::uint64_t times = 0;
    for (const Cost& cost : costs.of_expression) times += cost.times;
    return times;
  };
  CHECK(computed(of_run) == 2);         // the filter and its count
  CHECK(computed(of_device) == 2 * 4);  // of each device
}
