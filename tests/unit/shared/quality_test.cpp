// SPDX-License-Identifier: Apache-2.0
// What must hold for the report of every real trace: its time account adds up, its findings claim no more than there
// is, and they point to lines of the user.
#include <kdiag/kdiag.hpp>

#include <algorithm>
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/support/ledger_checks.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

// By reading the frames of all traces: the files that belong to who recorded them. The SGLang trace comes from a
// checkout.
constexpr std::string_view users[] = {"resnet50_profiler_api.py",
                                      "/tmp/ipykernel_2566/1623915622.py",
                                      "example.py",
                                      "test_perf_model.py",
                                      "cfdpinn/",
                                      "main.py",
                                      "/home/z30057886/imagenet_script/",
                                      "moca/",
                                      "/sgl-workspace/sglang/"};

void check_locations(const Finding& finding) {
  if (finding.location && !finding.location->file.empty()) {
    CAPTURE(finding.rule, finding.location->file, finding.location->function);
    CHECK(std::any_of(std::begin(users), std::end(users),
                      [&](std::string_view user) { return finding.location->file.starts_with(user); }));
  }
  for (const Finding& symptom : finding.symptoms) check_locations(symptom);
}

}  // namespace

TEST_CASE("reports of all real traces hold what they promise", "[shared]") {
  RuleOptions options;
  options.incubating = true;
  const auto rules = builtin_rules(options);
  REQUIRE(rules);
  int judged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_trace(""))) {
    if (!entry.is_regular_file()) continue;
    const auto facts = load_trace(entry.path().string());
    if (!facts) continue;  // which files are none is another test's matter
    CAPTURE(entry.path());
    ++judged;
    const Report report = diagnose(*facts, *rules);
    check_account(report);
    check_claims(report);
    check_promises(report);
    for (const Finding& finding : report.findings) check_locations(finding);
  }
  CHECK(judged > 100);
}
