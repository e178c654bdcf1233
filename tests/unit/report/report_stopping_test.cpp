// SPDX-License-Identifier: Apache-2.0
// Reports of many runs, and texts that nobody wants any more.
#include <kdiag/code_hosts.hpp>
#include <kdiag/report.hpp>

#include <atomic>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/sample_report.hpp"

using namespace kdiag;

namespace {

Report report_of_runs(std::size_t count) {
  Report report;
  for (std::size_t i = 0; i < count; ++i) {
    RunEntry run;
    run.id = "R" + std::to_string(i);
    run.label = "run " + std::to_string(i);
    run.role = RunRole::subject;
    report.inputs.push_back(
        {.path = "f", .adapter = i % 2 == 0 ? "even" : "odd", .producer = {}, .role = RunRole::subject});
    OutcomeEntry outcome;
    outcome.run = run.id;
    outcome.rule = "a.b";
    outcome.outcome = Outcome::inconclusive;
    outcome.missing = {{"table" + std::to_string(i) + ".column", "record " + std::to_string(i)}};
    report.outcomes.push_back(outcome);
    report.runs.push_back(std::move(run));
  }
  return report;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("each of many runs has its own outcomes, and the adapters of all inputs", "[report]") {
  const std::string text = to_text(report_of_runs(300));
  CHECK(times(text, "even + odd") == 300);
  CHECK(times(text, "run R7 of 300 (") == 0);  // its label says no more than its id
  CHECK(times(text, "run R7 of 300") == 1);
  CHECK(times(text, "record 299") == 1);
}

TEST_CASE("rules that the same recording would help stand together, in the order of the rules", "[report]") {
  Report report = report_of_runs(1);
  report.outcomes.clear();
  const auto add = [&](const std::string& rule, const std::string& fact, const std::string& recording) {
    OutcomeEntry outcome;
    outcome.run = report.runs[0].id;
    outcome.rule = rule;
    outcome.outcome = Outcome::inconclusive;
    if (!fact.empty()) outcome.missing = {{fact, recording}};
    else outcome.reason = recording;
    report.outcomes.push_back(outcome);
  };
  add("a.first", "kernels.dur", "profile");
  add("a.other", "copies.dur", "profile");
  add("a.second", "kernels.start", "profile");
  add("a.third", "kernels.dur", "profile");
  add("a.why", "", "no rows");
  add("a.same", "", "no rows");
  const std::string text = to_text(report, {.all = true, .width = 200});
  CHECK(text.find("a.first, a.second, a.third: missing kernels.dur, kernels.start") != std::string::npos);
  CHECK(text.find("a.why, a.same: no rows") != std::string::npos);
}

TEST_CASE("a text that nobody wants any more is empty, whatever its format", "[report]") {
  const Report report = report_of_runs(5);
  const std::atomic<bool> stop{true}, go_on{false};
  CHECK(to_text(report, {.cancel = &stop}).empty());
  CHECK(to_json(report, &stop).empty());
  CHECK(to_markdown(report, &stop).empty());
  CHECK(to_summary(report, &stop).empty());
  CHECK(to_sarif(report, &stop).empty());
  CHECK(to_github(report, &stop).empty());
  CHECK(to_gitlab(report, &stop).empty());
  CHECK(to_text(report, {.cancel = &go_on}) == to_text(report));
  CHECK(to_json(report, &go_on) == to_json(report));
  CHECK(to_markdown(report, &go_on) == to_markdown(report));
  CHECK(to_summary(report, &go_on) == to_summary(report));
  CHECK(to_sarif(report, &go_on) == to_sarif(report));
}
