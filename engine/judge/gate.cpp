// SPDX-License-Identifier: Apache-2.0
#include <kdiag/gate.hpp>
#include <kdiag/note_ids.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/phrases.hpp"
#include "engine/judge/growth_limits.hpp"

namespace kdiag {
namespace {

// --- Severity -------------------------------------------------------------------------------------------------------

/// The rules whose findings came or grew, by more than chance does.
std::set<std::string_view> grown_rules(const Comparison& comparison) {
  std::set<std::string_view> grown;
  for (const FindingChange& fate : comparison.finding_changes) {
    if (fate.within_noise.value_or(false)) continue;
    if (fate.fate == Fate::appeared || fate.fate == Fate::worse) grown.insert(fate.rule);
    if (fate.fate == Fate::moved) grown.insert(fate.to);
  }
  return grown;
}

std::string rules_of(const std::vector<const Finding*>& findings) {
  const Finding& first = *findings.front();
  return first.rule + " (" + std::string(name_of(first.severity)) + ")" +
         (findings.size() > 1 ? " and " + counted(findings.size() - 1, "more finding") : "");
}

GateEntry check_severity(const Report& report, const GateOptions& options) {
  const Severity least = *options.fail_on;
  GateEntry gate{.condition = "--fail-on " + std::string(name_of(least)), .outcome = {}, .reason = {}, .rules = {}};
  const Comparison* comparison = report.comparison ? &*report.comparison : nullptr;
  const std::set<std::string_view> grown = comparison ? grown_rules(*comparison) : std::set<std::string_view>{};
  std::vector<const Finding*> came, stayed;
  std::size_t waived = 0, known = 0;
  for (const Finding& finding : report.findings) {
    if (finding.severity < least) continue;
    if (finding.waived) ++waived;
    else if (finding.known.value_or(false)) ++known;
    else (grown.contains(finding.rule) ? came : stayed).push_back(&finding);
  }
  const std::optional<Severity> regression = comparison ? severity_of(*comparison) : std::nullopt;
  const bool slower = regression && *regression >= least;
  const bool all_count = options.scope == GateScope::findings;
  gate.outcome = slower || !came.empty() || (all_count && !stayed.empty()) ? GateOutcome::failed : GateOutcome::passed;
  for (const Finding* finding : came) gate.rules.push_back(finding->rule);
  if (all_count)
    for (const Finding* finding : stayed) gate.rules.push_back(finding->rule);

  std::vector<std::string> why;
  if (slower) why.push_back("the cycle is a regression of severity " + std::string(name_of(*regression)));
  if (!came.empty()) why.push_back(rules_of(came) + " came or grew");
  if (!stayed.empty() && comparison == nullptr) why.push_back(rules_of(stayed));
  else if (!stayed.empty() && (all_count || why.empty()))
    why.push_back(rules_of(stayed) + " neither came nor grew: " +
                  (all_count ? "--gate changes would pass" : "--gate findings would fail"));
  if (why.empty()) {
    const std::string other = waived + known > 0 ? "other finding" : "finding";
    why.push_back(least == Severity::info ? "there is no " + other : "no " + other + " is as severe");
  }
  if (waived > 0) why.push_back(counted(waived, "finding") + (waived == 1 ? " is" : " are") + " waived");
  if (known > 0) why.push_back(counted(known, "finding") + (known == 1 ? " is" : " are") + " known");
  gate.reason = join(why, "; ");
  return gate;
}

// --- Strictness -----------------------------------------------------------------------------------------------------

GateEntry check_strict(const Report& report, const GateOptions& options) {
  GateEntry gate{.condition = "--strict", .outcome = {}, .reason = {}, .rules = {}};
  std::vector<std::string> open;
  const auto lost = std::count_if(report.inputs.begin(), report.inputs.end(), [](const InputEntry& input) {
    return std::any_of(input.notes.begin(), input.notes.end(),
                       [](const NoteEntry& note) { return note_id::says_nothing_read(note.id); });
  });
  if (lost > 0) open.push_back("of " + counted(static_cast<std::size_t>(lost), "input") + " nothing could be read");
  if (report.comparison && report.comparison->verdict == Verdict::inconclusive)
    open.push_back("the comparison has no verdict");
  if (options.scope == GateScope::findings && report.tally.inconclusive > 0)
    open.push_back(counted(static_cast<std::size_t>(report.tally.inconclusive), "rule") + " cannot tell");
  if (options.scope == GateScope::findings && report.tally.failed > 0)
    open.push_back(counted(static_cast<std::size_t>(report.tally.failed), "rule") + " failed");
  gate.outcome = open.empty() ? GateOutcome::passed : GateOutcome::inconclusive;
  gate.reason = !open.empty()                          ? join(open, "; ")
                : options.scope == GateScope::findings ? "every rule could tell"
                                                       : "the comparison has a verdict";
  return gate;
}

}  // namespace

std::vector<GateEntry> check_gates(const Report& report, const GateOptions& options) {
  std::vector<GateEntry> gates;
  if (options.fail_on) gates.push_back(check_severity(report, options));
  for (const GrowthLimit& limit : options.fail_above) gates.push_back(check_limit(report, limit));
  if (options.strict) gates.push_back(check_strict(report, options));
  return gates;
}

}  // namespace kdiag
