// SPDX-License-Identifier: Apache-2.0
// What is said of ranks that wait for each other: only what they lose by it, and of the rank that it is.
#include <kdiag/kdiag.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/corpus/workload.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

void add(const Finding& finding, std::set<std::string>& rules) {
  rules.insert(finding.rule);
  for (const Finding& symptom : finding.symptoms) add(symptom, rules);
}

/// The rules that fired.
std::set<std::string> said_of(const corpus::Workload& loop, std::uint64_t seed) {
  std::vector<ArchiveFile> files;
  for (corpus::TraceFile& file : simulate(loop, seed)) files.push_back({file.name, std::move(file.text)});
  const Folder folder(files);
  const auto facts = load_trace(folder.path());
  REQUIRE(facts);
  RuleOptions options;
  options.incubating = true;
  std::set<std::string> rules;
  for (const Finding& finding : diagnose(*facts, *builtin_rules(options)).findings) add(finding, rules);
  return rules;
}

corpus::Workload four_ranks() {
  corpus::Workload loop;
  loop.steps = 12;
  loop.layers = 14;  // behind the last collective of a step two layers remain, which hide what it waits
  loop.ranks = 4;
  loop.all_reduce = 300'000;
  return loop;
}

}  // namespace

TEST_CASE("a rank that others wait for beside their computing costs nothing", "[corpus]") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto said = said_of(four_ranks(), seed);
    CHECK_FALSE(said.contains("comm.straggler"));
    CHECK_FALSE(said.contains("fleet.slow-rank"));
  }
}

TEST_CASE("a rank that is late in every step is not late in single ones", "[corpus]") {
  corpus::Workload loop = four_ranks();
  loop.late_loader = 50'000'000;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto said = said_of(loop, seed);
    CHECK(said.contains("fleet.slow-rank"));
    CHECK_FALSE(said.contains("fleet.late-rank"));
  }
}

TEST_CASE("ranks that are late in turn are not slow", "[corpus]") {
  corpus::Workload loop = four_ranks();
  loop.late_host = 50'000'000;
  loop.late_in_turn = true;
  loop.zeroed_gradients = 1;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto said = said_of(loop, seed);
    CHECK(said.contains("fleet.late-rank"));
    CHECK_FALSE(said.contains("fleet.slow-rank"));
    CHECK_FALSE(said.contains("comm.straggler"));
  }
}
