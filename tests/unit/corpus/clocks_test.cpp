// SPDX-License-Identifier: Apache-2.0
// Clocks of ranks differ: by milliseconds where machines agree over a network, and quartz drifts by tens of parts in a
// million. No verdict may rest on comparing them.
#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/corpus/faults.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

/// Rule, severity and subject of every finding, in order, and the outcome of every other rule: what must not change.
std::vector<std::string> verdicts(const corpus::Workload& workload) {
  std::vector<ArchiveFile> files;
  for (corpus::TraceFile& file : corpus::simulate(workload, 3)) files.push_back({file.name, std::move(file.text)});
  const Folder folder(files);
  const auto facts = load_trace(folder.path());
  REQUIRE(facts);
  RuleOptions options;
  options.incubating = true;
  const Report report = diagnose(*facts, *builtin_rules(options));
  REQUIRE(report.runs.size() == 1);
  CHECK(report.runs.front().devices.size() == 8);
  std::vector<std::string> lines;
  const auto add = [&](const auto& self, const Finding& finding, const std::string& indent) -> void {
    lines.push_back(indent + finding.rule + " " + std::to_string(static_cast<int>(finding.severity)) + " " +
                    finding.subject.id);
    for (const Finding& symptom : finding.symptoms) self(self, symptom, indent + "  ");
  };
  for (const Finding& finding : report.findings) add(add, finding, "");
  for (const OutcomeEntry& entry : report.outcomes)
    lines.push_back(entry.rule + " on " + entry.subject.id + ": " + std::to_string(static_cast<int>(entry.outcome)));
  return lines;
}

corpus::Workload eight_ranks() {
  corpus::Workload workload;
  workload.ranks = 8;
  workload.steps = 6;
  workload.layers = 8;
  workload.all_reduce = 300'000;
  return workload;
}

}  // namespace

TEST_CASE("offsets and drift between the clocks of eight ranks change no verdict and no ranking", "[corpus]") {
  corpus::Workload workload = eight_ranks();
  SECTION("a healthy run") {}
  SECTION("a slow rank") { workload.slow_rank = 1.6; }
  SECTION("collectives behind the backward pass") {
    workload.all_reduce = 2'500'000;
    workload.overlapped = false;
  }
  SECTION("a loader that is too slow") {
    workload.loader_wait = 40'000'000;
    workload.loader_in_main_thread = true;
  }
  const std::vector<std::string> expected = verdicts(workload);
  workload.clock_error = {.offset = 5'000'000, .drift = 50e-6};
  CHECK(verdicts(workload) == expected);
}
