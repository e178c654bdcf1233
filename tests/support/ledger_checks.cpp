// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ledger_checks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/report_checks.hpp"

namespace kdiag::tests {
namespace {

/// The lines from which rules take the time that they claim.
const std::map<std::string_view, std::vector<std::string_view>> sources = {
    {"host.sync-stall", {"idle.host_sync"}},
    {"host.sync-per-launch", {"idle.host_sync", "idle.launch"}},
    {"host.sync-copy", {"idle.launch"}},
    // Behind calls that found the device idle, in calls that plan and launch in one, in Python that nothing else
    // recorded.
    {"host.bound", {"idle.launch", "idle.host_sync", "idle.runtime", "idle.no_work"}},
    {"host.gc-pause", {"idle.launch", "idle.no_work"}},
    {"host.unrecorded-gap", {"idle.no_work"}},
    {"launch.tiny-kernels", {"idle.launch", "idle.host_sync", "idle.runtime"}},
    {"launch.graph-capture", {"idle.launch", "idle.runtime", "idle.no_work"}},
    {"launch.first-launch", {"idle.launch"}},
    {"launch.slow-calls", {"idle.runtime"}},
    {"serving.decode-launch-bound", {"idle.launch"}},
    {"memory.churn", {"idle.runtime"}},
    {"compile.in-loop", {"idle.runtime", "idle.launch", "idle.no_work"}},
    {"input.starved", {"idle.data_loading"}},
    {"comm.exposed", {"communication"}},
    {"copy.exposed", {"copy", "communication", "memset"}},
};

/// Highest sum of the lines over the devices of a run: the subject of a finding is one of them.
std::int64_t most(const Report& report, const std::string& run, const std::vector<std::string_view>& names) {
  std::int64_t highest = 0;
  for (const LedgerEntry& entry : report.ledger) {
    if (entry.run != run || entry.basis == LedgerBasis::serial) continue;
    std::int64_t sum = 0;
    for (const LedgerLine& line : entry.lines)
      if (std::find(names.begin(), names.end(), line.name) != names.end()) sum += line.ns;
    highest = std::max(highest, sum);
  }
  return highest;
}

void check_claim(const Report& report, const Finding& finding) {
  if (const auto found = sources.find(finding.rule); found != sources.end() && finding.impact_ns) {
    CAPTURE(finding.rule, finding.run, finding.subject.label);
    std::vector<std::string_view> lines = found->second;
    if (finding.impact_low_ns) CHECK(*finding.impact_low_ns <= most(report, finding.run, lines));
    // Idle time of an unknown cause may be of this one: it is in the high end.
    if (lines.front().starts_with("idle.")) lines.push_back("idle.unknown");
    CHECK(*finding.impact_ns <= most(report, finding.run, lines));
  }
  if (finding.impact_ns && finding.share_of == ShareOf::wall && finding.impact_share) CHECK(*finding.impact_share <= 1);
  if (finding.impact_ns && finding.impact_low_ns) CHECK(*finding.impact_low_ns <= *finding.impact_ns);
  for (const Finding& symptom : finding.symptoms) check_claim(report, symptom);
}

/// What is paid once is counted once: it and the rests of the lines add up to the wall.
void check_one_off(const LedgerEntry& entry) {
  std::int64_t paid = 0, rest = 0;
  bool judged = false;
  for (const OneOffCost& cost : entry.one_off) {
    CAPTURE(cost.what, cost.rule);
    CHECK(cost.ns > 0);
    CHECK(cost.judged == !cost.steps);
    CHECK(cost.judged == !cost.rule.empty());
    if (cost.judged) paid += cost.ns;
    judged = judged || cost.judged;
  }
  CHECK(judged == entry.rest_ns.has_value());
  for (const LedgerLine& line : entry.lines) {
    CHECK(line.rest_ns.has_value() == judged);
    CHECK(line.rest_ns.value_or(0) <= line.ns);
    CHECK(line.rest_ns.value_or(0) >= 0);
    rest += line.rest_ns.value_or(0);
  }
  if (!judged) return;
  CHECK(rest == *entry.rest_ns);
  CHECK(rest + paid == *entry.wall_ns);
}

}  // namespace

void check_account(const Report& report) {
  for (const LedgerEntry& entry : report.ledger) {
    CAPTURE(entry.run, entry.basis, place_of(entry.rank, entry.device));
    REQUIRE(entry.wall_ns.has_value());
    std::int64_t sum = 0, bounded = 0, left = 0;
    for (const LedgerLine& line : entry.lines) {
      CAPTURE(line.name, line.ns, line.low_ns);
      CHECK(line.ns >= 0);
      CHECK(line.ns <= *entry.wall_ns);
      CHECK(line.low_ns >= 0);
      CHECK(line.low_ns <= line.ns);
      if (entry.basis == LedgerBasis::timeline) CHECK(line.low_ns == line.ns);
      if (line.high_ns) CHECK(*line.high_ns > line.ns);
      sum += line.ns;
      bounded += line.ns - line.low_ns;
      left += line.high_ns.value_or(line.ns) - line.ns;
    }
    CHECK(sum == *entry.wall_ns);
    CHECK(bounded == left);  // what one line may have less, another has more
    check_one_off(entry);
  }
}

void check_claims(const Report& report) {
  for (const Finding& finding : report.findings) check_claim(report, finding);
}

void check_promises(const Report& report) {
  for (const RunEntry& run : report.runs) {
    if (!run.wall_ns) continue;
    std::map<std::pair<std::string, std::string>, std::int64_t> promised;
    for (const Finding& finding : report.findings)
      if (finding.run == run.id && finding.gain && finding.gain->high_ns)
        promised[{finding.subject.kind, finding.subject.id}] += *finding.gain->high_ns;
    for (const auto& [subject, time] : promised) {
      CAPTURE(run.id, subject.first, subject.second);
      CHECK(time <= *run.wall_ns);
    }
  }
}

}  // namespace kdiag::tests
