// SPDX-License-Identifier: Apache-2.0
#include <kdiag/gate.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <kdiag/catalogue.hpp>
#include <kdiag/format.hpp>

#include "base/phrases.hpp"

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
  for (const Finding& finding : report.findings)
    if (finding.severity >= least) (grown.contains(finding.rule) ? came : stayed).push_back(&finding);
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
    why.push_back(rules_of(stayed) + " neither came nor grew, which " +
                  (all_count ? "--gate changes lets pass" : "fails under --gate findings"));
  if (why.empty()) why.push_back("nothing is as severe");
  gate.reason = join(why, "; ");
  return gate;
}

// --- Limits ---------------------------------------------------------------------------------------------------------

/// Whether every account of a timeline has a part of this name; where a comparison does not list it, it took no time.
bool is_part_of_time(std::string_view part) {
  constexpr std::string_view work[] = {"compute", "communication", "copy", "memset", "idle.unknown"};
  constexpr std::string_view idle = "idle.";
  if (std::find(std::begin(work), std::end(work), part) != std::end(work)) return true;
  const auto causes = info(column("idle.cause")).traits.words;
  return part.starts_with(idle) && std::find(causes.begin(), causes.end(), part.substr(idle.size())) != causes.end();
}

bool is_above(const GrowthLimit& limit, std::int64_t before, std::int64_t after) {
  const auto growth = static_cast<double>(after - before);
  return growth > (limit.share ? *limit.share * static_cast<double>(before) : static_cast<double>(limit.ns));
}

/// "the cycle took 15 ms, 12 ms in the normal run: regression". What chance could have made is no regression, and above
/// no limit.
void judge_growth(GateEntry& gate, const GrowthLimit& limit, std::string_view what, std::int64_t before,
                  std::int64_t after, Verdict verdict) {
  if (verdict == Verdict::inconclusive) gate.outcome = GateOutcome::inconclusive;
  else if (verdict == Verdict::regression && is_above(limit, before, after)) gate.outcome = GateOutcome::failed;
  gate.reason = std::string(what) + " took " + format_duration(after) + ", " + format_duration(before) +
                " in the normal run: " + std::string(name_of(verdict)) +
                (gate.outcome == GateOutcome::passed && verdict == Verdict::regression ? " below the limit" : "");
}

GateEntry check_limit(const Report& report, const GrowthLimit& limit) {
  GateEntry gate{.condition = "--fail-above " + limit.text, .outcome = {}, .reason = {}, .rules = {}};
  if (!report.comparison) {
    gate.outcome = GateOutcome::invalid;
    gate.reason = "there is no comparison of two runs to look at";
    return gate;
  }
  const Comparison& comparison = *report.comparison;
  const CycleEntry& cycle = comparison.cycle;
  if (limit.part.empty() && cycle.normal_ns && cycle.abnormal_ns) {
    judge_growth(gate, limit, "the cycle", *cycle.normal_ns, *cycle.abnormal_ns, comparison.verdict);
    return gate;
  }
  const auto part = std::find_if(comparison.decomposition.begin(), comparison.decomposition.end(),
                                 [&](const DecompositionEntry& one) { return one.name == limit.part; });
  if (part != comparison.decomposition.end()) {
    judge_growth(gate, limit, part->name, part->normal_ns.value_or(0), part->abnormal_ns.value_or(0),
                 part->verdict.value_or(Verdict::inconclusive));
  } else if (comparison.decomposition.empty() || limit.part.empty()) {
    gate.outcome = GateOutcome::inconclusive;
    gate.reason = "the runs state no times to compare";
  } else if (is_part_of_time(limit.part)) {
    gate.reason = limit.part + " took no time in either run";
  } else {
    std::string parts;
    for (const DecompositionEntry& one : comparison.decomposition) parts += (parts.empty() ? "" : ", ") + one.name;
    gate.outcome = GateOutcome::invalid;
    gate.reason = "this comparison has no part '" + limit.part + "'; it has " + parts;
  }
  return gate;
}

// --- Strictness -----------------------------------------------------------------------------------------------------

GateEntry check_strict(const Report& report, const GateOptions& options) {
  GateEntry gate{.condition = "--strict", .outcome = {}, .reason = {}, .rules = {}};
  std::vector<std::string> open;
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
