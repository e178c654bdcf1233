// SPDX-License-Identifier: Apache-2.0
// The time account of simulated runs: every loop and every fault of the corpus.
#include <kdiag/kdiag.hpp>

#include <algorithm>
#include <string>

#include "tests/catch.hpp"
#include "tests/corpus/faults.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/ledger_checks.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

Report report_of(const corpus::Workload& loop, const LoadOptions& options = {}) {
  std::vector<ArchiveFile> files;
  for (corpus::TraceFile& file : simulate(loop, 11)) files.push_back({file.name, std::move(file.text)});
  const Folder folder(files);
  const auto facts = load_trace(folder.path(), options);
  const auto rules = builtin_rules();
  REQUIRE(facts);
  REQUIRE(rules);
  return diagnose(*facts, *rules);
}

}  // namespace

TEST_CASE("the account of every simulated run adds up, and no finding claims more than its lines", "[corpus]") {
  RuleOptions options;
  options.incubating = true;
  const auto rules = builtin_rules(options);
  REQUIRE(rules);
  for (corpus::Scenario& scenario : corpus::scenarios(11)) {
    CAPTURE(scenario.name);
    if (auto* loop = std::get_if<corpus::Workload>(&scenario.loop)) loop->layers = 8;  // as true of a small one
    std::vector<ArchiveFile> files;
    for (corpus::TraceFile& file : scenario.play(11)) files.push_back({file.name, std::move(file.text)});
    const Folder folder(files);
    const auto facts = load_trace(folder.path());
    REQUIRE(facts);
    const Report report = diagnose(*facts, *rules);
    const auto* loop = std::get_if<corpus::Workload>(&scenario.loop);
    const bool on_device = loop != nullptr ? loop->records_device && loop->host_slowness == 0
                                           : !std::holds_alternative<corpus::Pipeline>(scenario.loop);
    if (on_device) CHECK_FALSE(report.ledger.empty());
    check_account(report);
    check_claims(report);
  }
}

TEST_CASE("a first launch is paid once, and the account says what remains without it", "[corpus]") {
  corpus::Workload loop;
  loop.layers = 8;
  loop.first_launch = 300'000'000;
  const Report report = report_of(loop);
  REQUIRE(report.ledger.size() == 1);
  const LedgerEntry& entry = report.ledger[0];
  const OneOffCost* judged = nullptr;
  for (const OneOffCost& cost : entry.one_off)
    if (cost.judged) judged = &cost;
  REQUIRE(judged != nullptr);
  CHECK(judged->what == "first launches");
  CHECK(judged->rule == "launch.first-launch");
  CHECK(judged->ns > 280'000'000);
  CHECK(judged->ns < 301'000'000);
  REQUIRE(entry.rest_ns.has_value());
  CHECK(*entry.rest_ns == *entry.wall_ns - judged->ns);
  CHECK(entry.lines[0].name == "compute");
  CHECK(entry.lines[0].rest_ns == entry.lines[0].ns);
  CHECK(static_cast<double>(entry.lines[0].ns) > 0.8 * static_cast<double>(*entry.rest_ns));
}

TEST_CASE("severity is that of what is not paid once, where it is higher and many spans", "[corpus]") {
  corpus::Workload loop;
  loop.layers = 8;
  std::string rule;
  bool many = false;
  SECTION("in each layer") {
    loop.allocation = 2'000'000;
    rule = "launch.slow-calls";
    many = true;
  }
  SECTION("in each of a few steps") {
    loop.loader_wait = 20'000'000;
    rule = "input.starved";
  }
  const auto finding_of = [&](const Report& report) {
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& finding) { return finding.rule == rule; });
    REQUIRE(found != report.findings.end());
    return *found;
  };
  const Finding alone = finding_of(report_of(loop));
  CHECK_FALSE(alone.without_one_off.has_value());
  loop.first_launch = 900'000'000;
  const Report report = report_of(loop);
  CHECK(std::is_sorted(report.findings.begin(), report.findings.end(),
                       [](const Finding& a, const Finding& b) { return a.severity > b.severity; }));
  const Finding beside = finding_of(report);
  CAPTURE(*alone.impact_share, *beside.impact_share);
  CHECK(*beside.impact_share < *alone.impact_share / 2);
  REQUIRE(beside.without_one_off.has_value());
  CHECK(beside.without_one_off->impact_ns == *beside.impact_ns);
  if (many) CHECK(beside.severity == alone.severity);
  else CHECK(beside.severity < alone.severity);
}

TEST_CASE("what a loop pays in every step is no one-off cost", "[corpus]") {
  corpus::Workload loop;
  loop.layers = 8;
  std::string rule;
  SECTION("code that is loaded") {
    loop.step_call = "cuModuleLoadData";
    loop.step_extra = 30'000'000;
    rule = "compile.in-loop";
  }
  SECTION("a slow call") {
    loop.step_call = "cudaHostRegister";
    loop.step_extra = 30'000'000;
    rule = "launch.slow-calls";
  }
  SECTION("a graph that is slow to launch") {
    loop.graph = true;
    loop.costs.launch = 20'000'000;
    rule = "launch.first-launch";
  }
  SECTION("a pause between two steps") {
    loop.step_silence = 150'000'000;
    rule = "host.unrecorded-gap";
  }
  const Report report = report_of(loop);
  CHECK(std::any_of(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.rule == rule && !finding.paid_once; }));
  REQUIRE_FALSE(report.ledger.empty());
  for (const LedgerEntry& entry : report.ledger) {
    CHECK(std::none_of(entry.one_off.begin(), entry.one_off.end(), [](const OneOffCost& cost) { return cost.judged; }));
    CHECK_FALSE(entry.rest_ns.has_value());
  }
}

TEST_CASE("a call of which there is one is set-up, but not where a part of one step is judged", "[corpus]") {
  corpus::Workload loop;
  loop.layers = 8;
  loop.set_up = 60'000'000;
  const Report report = report_of(loop);
  REQUIRE(report.ledger.size() == 1);
  const auto& costs = report.ledger[0].one_off;
  const auto judged = std::find_if(costs.begin(), costs.end(), [](const OneOffCost& cost) { return cost.judged; });
  REQUIRE(judged != costs.end());
  CHECK(judged->rule == "launch.slow-calls");
  CHECK(judged->ns > 45'000'000);
  LoadOptions options;
  options.scope.steps = std::pair<std::int64_t, std::int64_t>(11, 12);
  for (const LedgerEntry& entry : report_of(loop, options).ledger) CHECK(entry.one_off.empty());
  options = {};
  options.scope.to_ns = report.ledger[0].wall_ns.value() / 3;
  options.scope.from_ns = 2 * options.scope.to_ns.value() / 3;
  for (const LedgerEntry& entry : report_of(loop, options).ledger) CHECK(entry.one_off.empty());
}
