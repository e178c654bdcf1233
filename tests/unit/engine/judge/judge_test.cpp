// SPDX-License-Identifier: Apache-2.0
// One rule on one run: outcomes, severity, claims; several rules: order, causes and symptoms.
#include <string>
#include <string_view>

#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

/// Two kernels of 40 us in a wall of 100 us on one device.
Facts small_run() {
  FactsBuilder builder("test");
  FactRows& rows = builder.rows();
  for (const std::int64_t start : {0, 60'000}) {
    const Row kernel = rows.add("kernels");
    rows.set(kernel, "name", "gemm");
    rows.set(kernel, "start", start);
    rows.set(kernel, "dur", std::int64_t{40'000});
    rows.set(kernel, "device", rows.batch().device(0));
  }
  auto facts = std::move(builder).build();
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

/// What rules say of the small run. Each is written without `rule:` lines that all share: "id | rest in YAML".
Report judged(const std::string& rules) {
  RuleOptions options;
  options.builtin = false;
  const auto loaded = load_rules_text("t.yaml", "kdiag: 1\npack: {name: t, version: 0.1.0}\nrules:\n" + rules, options);
  if (!loaded) FAIL(render(loaded.error()));
  return diagnose(small_run(), *loaded);
}

std::string rule(const std::string& id, const std::string& rest) {
  std::string out = "- rule: t." + id + "\n  title: " + id + "\n  for_each: device\n";
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    out += "  " + rest.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

const OutcomeEntry& only_outcome(const Report& report) {
  REQUIRE(report.outcomes.size() == 1);
  return report.outcomes.front();
}

/// "a(b c) d": findings in order, symptoms behind their cause.
std::string order(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    out += (out.empty() ? "" : " ") + finding.rule.substr(2);
    if (!finding.symptoms.empty()) out += "(" + order(finding.symptoms) + ")";
  }
  return out;
}

}  // namespace

TEST_CASE("a rule ends in one outcome", "[engine][judge]") {
  CHECK(only_outcome(judged(rule("a", "when: count(kernels) == 2"))).outcome == Outcome::fired);
  CHECK(only_outcome(judged(rule("a", "when: count(kernels) == 3"))).outcome == Outcome::clear);
  CHECK(only_outcome(judged(rule("a", "applies: count(kernels) > 2\nwhen: count(kernels) == 2"))).outcome ==
        Outcome::not_applicable);
}

TEST_CASE("an inconclusive rule names what is missing, and only what decides", "[engine][judge]") {
  const Report report = judged(rule("a", "when: max(kernels, tensor_util) < 5% and count(kernels) == 2"));
  const OutcomeEntry& entry = only_outcome(report);
  CHECK(entry.outcome == Outcome::inconclusive);
  REQUIRE(entry.missing.size() == 1);
  CHECK(entry.missing[0].fact == "kernels.tensor_util");
  CHECK(only_outcome(judged(rule("a", "when: max(kernels, tensor_util) < 5% and count(kernels) == 3"))).outcome ==
        Outcome::clear);
}

TEST_CASE("the first tier of a severity that holds decides", "[engine][judge]") {
  const auto severity = [](const std::string& tiers) {
    const Report report = judged(rule("a", "when: count(kernels) == 2\nseverity:\n" + tiers));
    REQUIRE(report.findings.size() == 1);
    return report.findings[0].severity;
  };
  CHECK(severity("- high: count(kernels) > 5\n- medium: count(kernels) > 1\n- low: true") == Severity::medium);
  CHECK(severity("- high: max(kernels, tensor_util) > 5%\n- low: true") == Severity::low);
}

TEST_CASE("a finding is as severe as its worst subject", "[engine][judge][rank]") {
  FactsBuilder builder("test");
  FactRows& rows = builder.rows();
  const auto add = [&](int device, std::int64_t start, std::int64_t dur) {
    const Row kernel = rows.add("kernels");
    rows.set(kernel, "name", "gemm");
    rows.set(kernel, "start", start);
    rows.set(kernel, "dur", dur);
    rows.set(kernel, "device", rows.batch().device(device));
  };
  add(0, 0, 100'000);
  add(1, 0, 10'000);
  add(1, 90'000, 10'000);
  const auto facts = std::move(builder).build();
  REQUIRE(facts);
  RuleOptions own;
  own.builtin = false;
  // The device with the smaller impact is the one that is judged harder.
  const auto rules = load_rules_text("t.yaml",
                                     "kdiag: 1\nrule: t.a\ntitle: A\nfor_each: device\nwhen: count(kernels) > 0\n"
                                     "impact: spans(kernels)\nseverity:\n- high: count(kernels) == 2\n- low: true\n",
                                     own);
  REQUIRE(rules);
  const Report report = diagnose(*facts, *rules);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].severity == Severity::high);
  CHECK(report.findings[0].subject.label == "GPU 0");
}

TEST_CASE("without tiers the share of the impact decides the severity", "[engine][judge]") {
  const auto severity = [](const std::string& impact) {
    return judged(rule("a", "when: count(kernels) == 2\nimpact: " + impact)).findings.at(0).severity;
  };
  CHECK(severity("\"[0us, 1us]\"") < severity("\"[0us, 30us]\""));
  CHECK(severity("\"[0us, 30us]\"") < severity("\"[0us, 90us]\""));
}

TEST_CASE("an impact is bounded by the wall", "[engine][judge]") {
  const Report report = judged(rule("a", "when: count(kernels) == 2\nimpact: \"[0us, 1s]\""));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].impact_ns == 100'000);
  CHECK(report.findings[0].impact_share == Approx(1.0));
}

TEST_CASE("findings stand in the order of what fixing them brings", "[engine][rank]") {
  const Report report = judged(rule("small", "when: true\nimpact: \"[5us, 5us]\"\ngain: \"[5us, 5us]\"") +
                               rule("large", "when: true\nimpact: \"[50us, 50us]\"\ngain: \"[50us, 50us]\"") +
                               rule("none", "when: true"));
  CHECK(order(report.findings) == "large small none");
  CHECK(report.findings[1].rank == 2);
}

TEST_CASE("a gain that is unknown promises nothing, and ranks by the impact", "[engine][rank]") {
  const Report report =
      judged(rule("known", "when: true\nimpact: \"[5us, 5us]\"\ngain: \"[5us, 5us]\"") +
             rule("unknown", "when: true\nimpact: \"[50us, 50us]\"\ngain: 50us if count(copies) > 0"));
  CHECK(order(report.findings) == "unknown known");
  CHECK_FALSE(report.findings[0].gain.has_value());
}

TEST_CASE("equal findings stand in the order of their ids", "[engine][rank]") {
  CHECK(order(judged(rule("b", "when: true") + rule("a", "when: true")).findings) == "a b");
}

TEST_CASE("findings about the recording come first", "[engine][rank]") {
  const Report report =
      judged(rule("cause", "when: true\nimpact: \"[50us, 50us]\"") + rule("health", "when: true\nrole: health"));
  CHECK(order(report.findings) == "health cause");
}

TEST_CASE("a symptom stands under the cause that explains most of it", "[engine][rank]") {
  const std::string symptom = rule("symptom", "when: true\nrole: symptom\nimpact: spans(kernels)");
  const std::string whole = rule("whole", "when: true\nimpact: spans(kernels)\nexplains: [t.symptom]");
  const std::string tenth =
      rule("tenth", "when: true\nimpact: spans(kernels where start == run.start)\nexplains: [t.symptom]");
  CHECK(order(judged(symptom + whole).findings) == "whole(symptom)");
  const Report report = judged(symptom + whole + tenth);
  CHECK(order(report.findings) == "whole(symptom) tenth");
  CHECK(report.findings[0].symptoms[0].impact_ns == 0);
  CHECK(report.findings[0].symptoms[0].explained_ns == 80'000);
}

TEST_CASE("a symptom of which a cause leaves half stands by itself", "[engine][rank]") {
  const Report report =
      judged(rule("symptom", "when: true\nrole: symptom\nimpact: spans(kernels)") +
             rule("half", "when: true\nimpact: spans(top(kernels, 1, start))\nexplains: [t.symptom]"));
  REQUIRE(report.findings.size() == 2);
  for (const Finding& finding : report.findings) CHECK(finding.impact_ns == 40'000);
}

TEST_CASE("advice that another finding makes wrong is not given", "[engine][rank]") {
  const std::string advice = "when: true\nrecommend:\n- {text: do this, unless: [t.b]}\n- {text: do that}";
  CHECK(judged(rule("a", advice) + rule("b", "when: count(kernels) > 9")).findings.at(0).recommendations.size() == 2);
  const Report report = judged(rule("a", advice) + rule("b", "when: true"));
  REQUIRE(report.findings.at(0).recommendations.size() == 1);
  CHECK(report.findings[0].recommendations[0].text == "do that");
  REQUIRE(report.findings[0].suppressed.size() == 1);
  CHECK(report.findings[0].suppressed[0].because == "t.b");
}

namespace {

using Times = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Where the finding of a rule with these lines shows the rows behind its impact.
Times evidence_times(const std::string& rest) {
  const Report report = judged(rule("a", "when: count(kernels) == 2\n" + rest));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].evidence_intervals_total == report.findings[0].evidence_intervals.size());
  return report.findings[0].evidence_intervals;
}

}  // namespace

TEST_CASE("an impact that is an amount shows the rows that it is computed from", "[engine][judge]") {
  CHECK(evidence_times("impact: [0s, sum(kernels where start - run.start > 10us, dur)]") == Times{{60'000, 100'000}});
  CHECK(evidence_times(
            "let: {late: 'kernels where start - run.start > 10us', half: 'sum(late, dur) / 2'}\nimpact: [0s, half]") ==
        Times{{60'000, 100'000}});
  CHECK(evidence_times("impact: [0s, length(gaps(kernels)) / 2]") == Times{{40'000, 60'000}});
}

TEST_CASE("of totals the events of their names are shown", "[engine][judge]") {
  CHECK(evidence_times("impact: [0s, sum(kernel_stats where name == \"gemm\", total) / 2]") ==
        Times{{0, 40'000}, {60'000, 100'000}});
}

TEST_CASE("no rows are shown where none were chosen, or the impact has intervals", "[engine][judge]") {
  CHECK(evidence_times("impact: [0s, sum(kernels, dur)]").empty());
  CHECK(evidence_times("impact: [0s, sum(kernels where start - run.start > 1s, dur)]").empty());
  CHECK(evidence_times("impact: spans(kernels where start - run.start > 10us)").empty());
  CHECK(evidence_times("impact: [0s, count(devices where id == 0) * 1us]").empty());
  CHECK(evidence_times("severity: high").empty());
}

TEST_CASE("lets that name each other again and again are looked through once", "[engine][judge][hostile]") {
  std::string lets = "let:\n  a0: run.wall\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    lets += "  a" + std::to_string(i) + ": " + before + " / 2 + " + before + " / 2\n";
  }
  CHECK(evidence_times(lets + "impact: [0s, a30]").empty());
}
