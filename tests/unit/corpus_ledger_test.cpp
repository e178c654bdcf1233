// SPDX-License-Identifier: Apache-2.0
// The time account of simulated runs: every loop and every fault of the corpus.
#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/corpus/faults.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/ledger_checks.hpp"

using namespace kdiag;
using namespace kdiag::test;

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
    const bool on_device = !std::holds_alternative<corpus::Pipeline>(scenario.loop);
    if (on_device && scenario.name != "a recording without the device") CHECK_FALSE(report.ledger.empty());
    check_account(report);
    check_claims(report);
  }
}
