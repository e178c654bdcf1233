// SPDX-License-Identifier: Apache-2.0
// Which reports fail continuous integration.
#include <memory>
#include <utility>

#include <kdiag/gate.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

Finding finding(const char* rule, Severity severity) {
  Finding out;
  out.run = "A";
  out.rule = rule;
  out.severity = severity;
  return out;
}

Comparison comparison(Verdict verdict, double change) {
  Comparison out;
  out.verdict = verdict;
  out.cycle.normal_ns = 100'000'000;
  out.cycle.abnormal_ns = static_cast<std::int64_t>(1e8 * (1 + change));
  out.cycle.change = change;
  out.decomposition = {{.name = "compute",
                        .delta_ns = 5,
                        .share = {},
                        .normal_ns = 50,
                        .abnormal_ns = 55,
                        .parts = {},
                        .verdict = verdict}};
  return out;
}

FindingChange fate(const char* rule, Fate what, std::optional<bool> within_noise) {
  FindingChange out;
  out.rule = rule;
  out.fate = what;
  out.within_noise = within_noise;
  return out;
}

GateEntry only(const Report& report, const GateOptions& options) {
  const std::vector<GateEntry> gates = check_gates(report, options);
  REQUIRE(gates.size() == 1);
  return gates.front();
}

}  // namespace

TEST_CASE("nothing fails that nobody asked about", "[gate]") {
  Report report;
  report.findings = {finding("gpu.idle", Severity::critical)};
  CHECK(check_gates(report, {}).empty());
}

TEST_CASE("a finding fails from the severity on that is asked for", "[gate]") {
  Report report;
  report.findings = {finding("gpu.idle", Severity::medium)};
  CHECK(only(report, {.fail_on = Severity::medium}).outcome == GateOutcome::failed);
  CHECK(only(report, {.fail_on = Severity::medium}).rules == std::vector<std::string>{"gpu.idle"});
  CHECK(only(report, {.fail_on = Severity::high}).outcome == GateOutcome::passed);
}

TEST_CASE("of a comparison a finding of both runs fails only where all findings count", "[gate]") {
  Report report;
  report.findings = {finding("gpu.idle", Severity::high)};
  Comparison same = comparison(Verdict::neutral, 0);
  same.finding_changes = {fate("gpu.idle", Fate::unchanged, std::nullopt)};
  report.comparison = std::make_shared<const Comparison>(same);
  const GateOptions all{.fail_on = Severity::high}, changes{.fail_on = Severity::high, .scope = GateScope::changes};
  CHECK(only(report, all).outcome == GateOutcome::failed);
  CHECK(only(report, changes).outcome == GateOutcome::passed);
  CHECK(only(report, changes).rules.empty());

  same.finding_changes = {fate("gpu.idle", Fate::worse, true)};  // by no more than chance
  report.comparison = std::make_shared<const Comparison>(same);
  CHECK(only(report, changes).outcome == GateOutcome::passed);
  same.finding_changes = {fate("gpu.idle", Fate::appeared, false)};
  report.comparison = std::make_shared<const Comparison>(same);
  CHECK(only(report, changes).outcome == GateOutcome::failed);
}

TEST_CASE("a regression without a finding fails both ways", "[gate]") {
  Report report;
  report.comparison = std::make_shared<const Comparison>(comparison(Verdict::regression, 0.3));
  for (const GateScope scope : {GateScope::findings, GateScope::changes}) {
    CHECK(only(report, {.fail_on = Severity::high, .scope = scope}).outcome == GateOutcome::failed);
    CHECK(only(report, {.fail_on = Severity::critical, .scope = scope}).outcome == GateOutcome::passed);
  }
}

TEST_CASE("a limit fails for a regression by more, and is about nothing else", "[gate]") {
  const GrowthLimit tenth{.text = "10%", .part = {}, .share = 0.1},
      compute{.text = "compute=4ns", .part = "compute", .share = {}, .ns = 4};
  const GrowthLimit typo{.text = "compile=1ns", .part = "compile", .share = {}, .ns = 1};
  const GrowthLimit unused{.text = "copy=1ns", .part = "copy", .share = {}, .ns = 1};
  const auto outcome = [](const Comparison& of, const GrowthLimit& limit) {
    Report report;
    report.comparison = std::make_shared<const Comparison>(of);
    return only(report, {.fail_above = {limit}}).outcome;
  };
  CHECK(outcome(comparison(Verdict::regression, 0.3), tenth) == GateOutcome::failed);
  CHECK(outcome(comparison(Verdict::regression, 0.05), tenth) == GateOutcome::passed);
  CHECK(outcome(comparison(Verdict::neutral, 0.3), tenth) == GateOutcome::passed);
  CHECK(outcome(comparison(Verdict::inconclusive, 0.3), tenth) == GateOutcome::inconclusive);
  CHECK(outcome(comparison(Verdict::regression, 0.05), compute) == GateOutcome::failed);
  CHECK(outcome(comparison(Verdict::neutral, 0), compute) == GateOutcome::passed);
  CHECK(outcome(comparison(Verdict::regression, 0.3), typo) == GateOutcome::invalid);
  CHECK(outcome(comparison(Verdict::regression, 0.3), unused) == GateOutcome::passed);
  CHECK(only(Report(), {.fail_above = {tenth}}).outcome == GateOutcome::invalid);
}

TEST_CASE("strictness asks a run alone about its rules, and changes about the verdict", "[gate]") {
  Report report;
  CHECK(only(report, {.strict = true}).outcome == GateOutcome::passed);
  report.inputs.push_back(
      {.path = "cut.json", .adapter = {}, .producer = {}, .notes = {{"K609", NoteSeverity::error, "cut", 1}}});
  CHECK(only(report, {.strict = true}).reason == "of 1 input nothing could be read");
  report.inputs[0].notes[0].id = "K629";  // another document follows, which is no loss of this one
  CHECK(only(report, {.strict = true}).outcome == GateOutcome::passed);
  report.inputs.clear();
  report.tally.inconclusive = 3;
  CHECK(only(report, {.strict = true}).outcome == GateOutcome::inconclusive);
  report.comparison = std::make_shared<const Comparison>(comparison(Verdict::neutral, 0));
  CHECK(only(report, {.strict = true, .scope = GateScope::changes}).outcome == GateOutcome::passed);
  report.comparison = std::make_shared<const Comparison>(comparison(Verdict::inconclusive, 0));
  CHECK(only(report, {.strict = true, .scope = GateScope::changes}).outcome == GateOutcome::inconclusive);
}

TEST_CASE("a limit on a function is above noise only, and by name or part of it", "[gate]") {
  Comparison slower = comparison(Verdict::neutral, 0);
  slower.cycle.normal.mean_ns = slower.cycle.abnormal.mean_ns = 100'000'000;
  const auto row = [](const char* name, double before, double after, double q, std::int64_t cycles) {
    FunctionEntry entry;
    entry.function = name;
    entry.device = "GPU 0";
    entry.beta_normal = before;
    entry.beta_abnormal = after;
    entry.q = q;
    entry.effect = after > before ? 1 : -1;
    entry.cycles_normal = entry.cycles_abnormal = cycles;
    return entry;
  };
  slower.functions = {row("sgemm_64", 0.1, 0.12, 0.01, 8), row("sgemm_128", 0.2, 0.21, 0.6, 8),
                      row("softmax", 0.1, 0.05, 0.01, 8), row("norm", 0.1, 0.2, 0.3, 3)};
  Report report;
  report.comparison = std::make_shared<const Comparison>(slower);
  const auto outcome = [&](const char* part, double share) {
    return only(report, {.fail_above = {{.text = part, .part = part, .share = share}}}).outcome;
  };
  CHECK(outcome("function:sgemm_64", 0.05) == GateOutcome::failed);
  CHECK(outcome("function:sgemm_64", 0.25) == GateOutcome::passed);
  CHECK(outcome("function:gemm", 0.05) == GateOutcome::failed);       // one of those that it names
  CHECK(outcome("function:sgemm_128", 0.01) == GateOutcome::passed);  // by no more than chance
  CHECK(outcome("function:softmax", 0) == GateOutcome::passed);
  CHECK(outcome("function:norm", 0.05) == GateOutcome::inconclusive);  // of three cycles nobody can tell
  const GateEntry unknown =
      only(report, {.fail_above = {{.text = "function:conv=1%", .part = "function:conv", .share = 0.01}}});
  CHECK(unknown.outcome == GateOutcome::invalid);
  CHECK(unknown.reason.find("sgemm_64") != std::string::npos);
  slower.verdict = Verdict::inconclusive;
  report.comparison = std::make_shared<const Comparison>(slower);
  CHECK(outcome("function:sgemm_64", 0.05) == GateOutcome::inconclusive);
}

TEST_CASE("a limit on a finding is on its impact per cycle", "[gate]") {
  Comparison compared = comparison(Verdict::neutral, 0);
  FindingChange worse = fate("gpu.idle", Fate::worse, false), noise = fate("copy.exposed", Fate::worse, true);
  worse.before_ns = noise.before_ns = 10;
  worse.after_ns = noise.after_ns = 20;
  compared.finding_changes = {worse, noise, fate("host.bound", Fate::appeared, false)};
  Report report;
  report.comparison = std::make_shared<const Comparison>(compared);
  OutcomeEntry judged;
  judged.rule = "clock.throttled";
  report.outcomes = {judged};
  const auto outcome = [&](const char* part, std::int64_t ns) {
    return only(report, {.fail_above = {{.text = part, .part = part, .share = {}, .ns = ns}}}).outcome;
  };
  CHECK(outcome("finding:gpu.idle", 5) == GateOutcome::failed);
  CHECK(outcome("finding:gpu.idle", 15) == GateOutcome::passed);
  CHECK(outcome("finding:copy.exposed", 5) == GateOutcome::passed);
  CHECK(outcome("finding:host.bound", 5) == GateOutcome::inconclusive);  // what it was before is not known
  CHECK(outcome("finding:clock.throttled", 5) == GateOutcome::passed);
  CHECK(outcome("finding:no.rule", 5) == GateOutcome::invalid);
}
