// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/growth_limits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/format.hpp>

#include "base/phrases.hpp"
#include "base/significance.hpp"

namespace kdiag {
namespace {

constexpr std::string_view function_prefix = "function:", finding_prefix = "finding:";
constexpr std::size_t listed_names = 5;

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

/// The names that there are, in a message about one that is not.
std::string names_of(const std::set<std::string_view>& names) {
  std::vector<std::string> few;
  for (const std::string_view name : names)
    if (few.size() < listed_names) few.emplace_back(name);
  if (few.empty()) return "none";
  return join(few, ", ") +
         (names.size() > few.size() ? " and " + std::to_string(names.size() - few.size()) + " more" : "");
}

GateEntry invalid(GateEntry gate, std::string reason) {
  gate.outcome = GateOutcome::invalid;
  gate.reason = std::move(reason);
  return gate;
}

/// The worse of two: what fails before what cannot be told, before what passes.
void keep_worse(std::optional<GateEntry>& worst, GateEntry gate) {
  const auto rank = [](const GateEntry& one) {
    return one.outcome == GateOutcome::failed ? 2 : one.outcome == GateOutcome::inconclusive ? 1 : 0;
  };
  if (!worst || rank(gate) > rank(*worst)) worst = std::move(gate);
}

// --- A function -----------------------------------------------------------------------------------------------------

/// By its time in the cycles, which takes as many of them as any test of ranks.
Verdict verdict_of(const FunctionEntry& row, const Comparison& comparison) {
  const auto least = static_cast<std::int64_t>(least_measured_cycles);
  const bool few = row.cycles_normal.value_or(0) < least || row.cycles_abnormal.value_or(0) < least;
  // A change that one recording cannot confirm was measured within it.
  const bool unmeasured = comparison.verdict == Verdict::inconclusive && comparison.healthy.confirmed.value_or(true);
  if (unmeasured || few || !row.q || !row.effect) return Verdict::inconclusive;
  if (*row.q > significance) return Verdict::neutral;
  return *row.effect > 0 ? Verdict::regression : Verdict::improvement;
}

GateEntry check_function(const GateEntry& gate, const GrowthLimit& limit, const Comparison& comparison) {
  const std::string_view asked = std::string_view(limit.part).substr(function_prefix.size());
  std::set<std::string_view> names;
  for (const FunctionEntry& row : comparison.functions) names.insert(row.function);
  const bool exact = names.contains(asked);
  std::optional<GateEntry> worst;
  for (const FunctionEntry& row : comparison.functions) {
    if (exact ? row.function != asked : row.function.find(asked) == std::string::npos) continue;
    GateEntry own = gate;
    const CycleSide &normal = comparison.cycle.normal, &abnormal = comparison.cycle.abnormal;
    if (!row.beta_normal || !row.beta_abnormal || !normal.mean_ns || !abnormal.mean_ns) {
      own.outcome = GateOutcome::inconclusive;
      own.reason = row.function + " states no time in both runs";
    } else {
      const auto time = [](double share, std::int64_t cycle) {
        return std::llround(share * static_cast<double>(cycle));
      };
      judge_growth(own, limit, row.function + " on " + row.device, time(*row.beta_normal, *normal.mean_ns),
                   time(*row.beta_abnormal, *abnormal.mean_ns), verdict_of(row, comparison));
    }
    keep_worse(worst, std::move(own));
  }
  if (worst) return *worst;
  return invalid(gate, "both runs have no function '" + std::string(asked) + "'; they have " + names_of(names));
}

// --- A finding ------------------------------------------------------------------------------------------------------

Verdict verdict_of(const FindingChange& change) {
  if (change.fate == Fate::not_comparable || !change.before_ns || !change.after_ns) return Verdict::inconclusive;
  if (change.within_noise.value_or(false) || *change.before_ns == *change.after_ns) return Verdict::neutral;
  return *change.after_ns > *change.before_ns ? Verdict::regression : Verdict::improvement;
}

GateEntry check_finding(const GateEntry& gate, const GrowthLimit& limit, const Report& report) {
  const std::string_view rule = std::string_view(limit.part).substr(finding_prefix.size());
  std::optional<GateEntry> worst;
  std::set<std::string_view> rules;
  for (const FindingChange& change : report.comparison->finding_changes) {
    rules.insert(change.rule);
    if (change.rule != rule) continue;
    GateEntry own = gate;
    if (change.before_ns && change.after_ns) {
      judge_growth(own, limit, change.rule, *change.before_ns, *change.after_ns, verdict_of(change));
      if (own.outcome == GateOutcome::failed) own.rules.push_back(change.rule);
    } else {
      own.outcome = GateOutcome::inconclusive;
      own.reason = change.rule + " has no time in both runs: " + std::string(name_of(change.fate));
    }
    keep_worse(worst, std::move(own));
  }
  if (worst) return *worst;
  const bool judged = std::any_of(report.outcomes.begin(), report.outcomes.end(),
                                  [&](const OutcomeEntry& outcome) { return outcome.rule == rule; });
  if (!judged)
    return invalid(gate,
                   "no rule '" + std::string(rule) + "' was judged; the runs have findings of " + names_of(rules));
  GateEntry none = gate;
  none.reason = "neither run has a finding of " + std::string(rule);
  return none;
}

}  // namespace

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
  if (limit.part.starts_with(function_prefix)) return check_function(gate, limit, comparison);
  if (limit.part.starts_with(finding_prefix)) return check_finding(gate, limit, report);
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
    gate.reason =
        "this comparison has no part '" + limit.part + "'; it has " + parts + ", and function:NAME and finding:RULE";
  }
  return gate;
}

}  // namespace kdiag
