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
  SubjectFacts alone(run, device, loaded.library.shared.size());
  const auto cost = visits(second, alone);
  CHECK(cost > 100);
  SubjectFacts together(run, device, loaded.library.shared.size());
  visits(first, together);
  CHECK(visits(second, together) == cost);
  CHECK(visits(second, together) == cost);
}
