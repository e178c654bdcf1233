// SPDX-License-Identifier: Apache-2.0
#include "tests/support/report_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <kdiag/catalogue.hpp>
#include <kdiag/code_hosts.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/html.hpp>

#include "adapters/text/units.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/support/inert.hpp"

namespace kdiag::tests {
namespace {

using Time = std::int64_t;

class ReportChecker {
 public:
  explicit ReportChecker(const Facts& facts) : facts_(facts) {}
  std::vector<std::string> mistakes;

  void require(bool holds, const std::string& place, const std::string& what) {
    if (!holds) mistakes.push_back(place + ": " + what);
  }

  void check_time(const std::string& place, std::string_view what, std::optional<Time> ns) {
    if (ns) require(*ns >= 0, place, std::string(what) + " is negative: " + std::to_string(*ns) + " ns");
  }

  void check_at_most(const std::string& place, std::string_view what, std::optional<Time> ns, std::string_view whole,
                     std::optional<Time> limit) {
    if (ns && limit && *ns > *limit)
      mistakes.push_back(place + ": " + std::string(what) + " of " + std::to_string(*ns) + " ns is above the " +
                         std::string(whole) + " of " + std::to_string(*limit) + " ns");
  }

  void check_finite(const std::string& place, std::string_view what, std::optional<double> value) {
    if (value) require(std::isfinite(*value), place, std::string(what) + " is no finite number");
  }

  void check_within(const std::string& place, std::string_view what, std::optional<double> value, double low,
                    double high) {
    if (value && !(*value >= low && *value <= high))
      mistakes.push_back(place + ": " + std::string(what) + " is " + std::to_string(*value));
  }

  void check_share(const std::string& place, std::string_view what, std::optional<double> value) {
    check_within(place, what, value, 0, 1);
  }

  /// A number that is none must not be said in words either, unless something is called so.
  void check_text(const std::string& place, const std::string& text) {
    for (std::string_view none : {" inf ", " inf%", "inf %", " nan ", " nan%", "nan %", "-nan", "1e+3"})
      require(text.find(none) == std::string::npos || is_in_a_name(none), place,
              "says \"" + std::string(none) + "\": " + text);
  }

  bool is_in_a_name(std::string_view text) const {
    text = adapters::trim(text);
    for (const RunFacts& run : facts_.loaded().runs)
      for (std::uint32_t id = 0; id < run.store->strings.size(); ++id)
        if (run.store->strings[id].find(text) != std::string_view::npos) return true;
    return false;
  }

 private:
  const Facts& facts_;
};

// --- Findings ---------------------------------------------------------------------------------------------------

void check_value(ReportChecker& check, const std::string& place, const ValueEntry& entry) {
  if (const auto* real = std::get_if<double>(&entry.value)) check.check_finite(place, "value", *real);
  if (const auto* text = std::get_if<std::string>(&entry.value)) {
    if (entry.unit != "text") check.check_text(place, *text);
  }
}

void check_evidence(ReportChecker& check, const std::string& place, const Finding& finding) {
  for (const auto& [name, entry] : finding.evidence) {
    const std::string where = place + ", evidence " + name;
    if (const auto* value = std::get_if<ValueEntry>(&entry)) check_value(check, where, *value);
    else
      for (const RowEntry& row : std::get<std::vector<RowEntry>>(entry))
        for (const auto& [column, value] : row) check_value(check, where + "." + column, value);
  }
}

void check_intervals(ReportChecker& check, const std::string& place, const Finding& finding) {
  check.require(finding.intervals.size() <= 100, place, "more than 100 intervals");
  check.require(finding.intervals.size() <= finding.intervals_total, place, "more intervals than there are");
  for (const auto& [start, end] : finding.intervals)
    check.require(start < end && is_instant(start) && is_instant(end), place,
                  "no interval: " + std::to_string(start) + " to " + std::to_string(end));
}

void check_gain(ReportChecker& check, const std::string& place, const Finding& finding, std::optional<Time> wall) {
  if (!finding.gain) return;
  check.check_time(place, "low gain", finding.gain->low_ns);
  check.check_time(place, "high gain", finding.gain->high_ns);
  check.check_at_most(place, "low gain", finding.gain->low_ns, "high gain", finding.gain->high_ns);
  check.check_at_most(place, "low gain", finding.gain->low_ns, "wall", wall);
  check.check_at_most(place, "high gain", finding.gain->high_ns, "wall", wall);
}

void check_rest(ReportChecker& check, const std::string& place, const Finding& finding, std::optional<Time> wall) {
  if (!finding.without_one_off) return;
  check.check_time(place, "impact without one-off costs", finding.without_one_off->impact_ns);
  check.check_time(place, "wall without one-off costs", finding.without_one_off->wall_ns);
  check.check_at_most(place, "wall without one-off costs", finding.without_one_off->wall_ns, "wall", wall);
  check.check_at_most(place, "impact without one-off costs", finding.without_one_off->impact_ns, "impact",
                      finding.impact_ns);
}

void check_finding(ReportChecker& check, const std::string& place, const Finding& finding, std::optional<Time> wall) {
  check.check_time(place, "impact", finding.impact_ns);
  check.check_time(place, "low impact", finding.impact_low_ns);
  check.check_time(place, "explained impact", finding.explained_ns);
  check.check_at_most(place, "low impact", finding.impact_low_ns, "impact", finding.impact_ns);
  if (finding.share_of == ShareOf::wall) check.check_at_most(place, "impact", finding.impact_ns, "wall", wall);
  check.check_share(place, "share", finding.impact_share);
  check.check_share(place, "share of the baseline", finding.baseline_share);
  check.check_share(place, "confidence", finding.confidence.value);
  check.require(!finding.impact_share || finding.share_of != ShareOf::none, place, "a share of nothing");
  check_gain(check, place, finding, wall);
  check_rest(check, place, finding, wall);
  check_evidence(check, place, finding);
  check_intervals(check, place, finding);
  for (const std::string* text : {&finding.title, &finding.message}) check.check_text(place, *text);
  for (const AlsoEntry& also : finding.also) {
    check.check_time(place, "impact of " + also.subject.label, also.impact_ns);
    if (finding.share_of == ShareOf::wall)
      check.check_at_most(place, "impact of " + also.subject.label, also.impact_ns, "wall", wall);
  }
  for (const RecommendationEntry& advice : finding.recommendations) check.check_text(place, advice.text);
}

void check_tree(ReportChecker& check, const Finding& finding, std::optional<Time> wall) {
  check_finding(check, "finding " + finding.rule + " of run " + finding.run + ", " + finding.subject.label, finding,
                wall);
  for (const Finding& symptom : finding.symptoms) check_tree(check, symptom, wall);
}

void check_findings(ReportChecker& check, const Report& report) {
  std::map<std::string_view, std::optional<Time>> walls;
  for (const RunEntry& run : report.runs) walls[run.id] = run.wall_ns;
  std::map<std::string_view, Time> last;
  for (const Finding& finding : report.findings) {
    const auto wall = walls.find(finding.run);
    check.require(wall != walls.end(), "finding " + finding.rule, "is of no run of the report: " + finding.run);
    check_tree(check, finding, wall == walls.end() ? std::nullopt : wall->second);
    check.require(finding.rank == ++last[finding.run], "finding " + finding.rule,
                  "has the rank " + std::to_string(finding.rank));
  }
}

// --- The account ------------------------------------------------------------------------------------------------

void check_lines(ReportChecker& check, const std::string& place, const LedgerEntry& entry) {
  __int128 sum = 0, bounded = 0, left = 0;
  for (const LedgerLine& line : entry.lines) {
    const std::string where = place + ", line " + line.name;
    check.check_time(where, "time", line.ns);
    check.check_time(where, "low end", line.low_ns);
    check.check_at_most(where, "low end", line.low_ns, "time", line.ns);
    check.check_at_most(where, "time", line.ns, "wall", entry.wall_ns);
    if (line.high_ns) check.check_at_most(where, "time", line.ns, "high end", line.high_ns);
    check.check_share(where, "share", line.share);
    check.check_time(where, "time without one-off costs", line.rest_ns);
    check.check_at_most(where, "time without one-off costs", line.rest_ns, "time", line.ns);
    sum += line.ns;
    bounded += line.ns - line.low_ns;
    left += line.high_ns.value_or(line.ns) - line.ns;
  }
  check.require(!entry.wall_ns || sum == *entry.wall_ns, place,
                "its lines add up to " + std::to_string(static_cast<Time>(sum)) + " ns, its wall is " +
                    std::to_string(entry.wall_ns.value_or(0)) + " ns");
  check.require(bounded == left, place, "what one line may have less, no other has more");
}

void check_one_off(ReportChecker& check, const std::string& place, const LedgerEntry& entry) {
  __int128 paid = 0, rest = 0;
  for (const OneOffCost& cost : entry.one_off) {
    check.require(cost.ns > 0, place, "one-off cost " + cost.what + " of " + std::to_string(cost.ns) + " ns");
    if (cost.judged) paid += cost.ns;
  }
  for (const LedgerLine& line : entry.lines) rest += line.rest_ns.value_or(0);
  if (!entry.rest_ns) return;
  check.require(rest == *entry.rest_ns, place, "the rests of its lines do not add up to its rest");
  check.require(rest + paid == entry.wall_ns.value_or(-1), place, "rest and one-off costs do not add up to the wall");
}

void check_account(ReportChecker& check, const Report& report) {
  for (const LedgerEntry& entry : report.ledger) {
    const std::string place = "account of run " + entry.run + ", " + place_of(entry.rank, entry.device);
    check.require(entry.wall_ns.has_value(), place, "no wall");
    check.check_time(place, "wall", entry.wall_ns);
    check_lines(check, place, entry);
    check_one_off(check, place, entry);
  }
}

// --- Runs and counts --------------------------------------------------------------------------------------------

void check_runs(ReportChecker& check, const Report& report) {
  for (const RunEntry& run : report.runs) {
    const std::string place = "run " + run.id;
    check.check_time(place, "wall", run.wall_ns);
    check.require(run.wall_ns.has_value() == (run.wall_basis != WallBasis::none), place,
                  "a wall without a basis, or no wall");
    check.require(run.steps >= 0, place, "negative number of steps");
  }
}

/// The tally counts rules of runs, each by the worst of its outcomes.
void check_tally(ReportChecker& check, const Report& report) {
  std::map<std::pair<std::string_view, std::string_view>, Outcome> worst;
  for (const OutcomeEntry& entry : report.outcomes) {
    const std::string place = "outcome of " + entry.rule;
    check.check_text(place, entry.reason);
    check.check_text(place, entry.nearest);
    const auto [known, added] = worst.try_emplace({entry.run, entry.rule}, entry.outcome);
    if (!added) known->second = std::min(known->second, entry.outcome);
  }
  int counts[5] = {};
  for (const auto& [rule, outcome] : worst) ++counts[static_cast<std::size_t>(outcome)];
  const Tally& tally = report.tally;
  const int stated[5] = {tally.failed, tally.fired, tally.inconclusive, tally.clear, tally.not_applicable};
  check.require(std::equal(std::begin(counts), std::end(counts), std::begin(stated)), "tally",
                "does not count the rules");
}

// --- Comparison -------------------------------------------------------------------------------------------------

void check_cycle_side(ReportChecker& check, const std::string& place, const CycleSide& side) {
  check.require(side.count >= 0, place, "negative number of cycles");
  for (const std::optional<Time>& ns : {side.median_ns, side.mean_ns, side.p90_ns}) check.check_time(place, "time", ns);
  for (const Time ns : side.times_ns) check.check_time(place, "cycle", ns);
}

void check_changes(ReportChecker& check, const Comparison& comparison) {
  for (const ChangeEntry& change : comparison.changes) {
    const std::string place = "change of " + change.name;
    check.check_finite(place, "calls", change.calls_normal);
    check.check_finite(place, "calls", change.calls_abnormal);
    check.require(change.calls_normal >= 0 && change.calls_abnormal >= 0, place, "negative number of calls");
    for (const std::optional<double>& mean : {change.mean_normal_ns, change.mean_abnormal_ns}) {
      check.check_finite(place, "mean", mean);
      check.require(mean.value_or(0) >= 0, place, "negative mean");
    }
  }
}

void check_parts(ReportChecker& check, const std::string& place, const std::vector<DecompositionEntry>& parts,
                 Time whole) {
  __int128 sum = 0;
  for (const DecompositionEntry& part : parts) {
    check.check_finite(place + ", " + part.name, "share", part.share);
    check.check_time(place + ", " + part.name, "time", part.normal_ns);
    check.check_time(place + ", " + part.name, "time", part.abnormal_ns);
    if (!part.parts.empty()) check_parts(check, place + ", " + part.name, part.parts, part.delta_ns);
    sum += part.delta_ns;
  }
  if (!parts.empty()) check.require(sum == whole, place, "parts do not add up");
}

void check_fates(ReportChecker& check, const Comparison& comparison) {
  for (const FindingChange& fate : comparison.finding_changes) {
    const std::string place = "fate of " + fate.rule;
    check.check_time(place, "before", fate.before_ns);
    check.check_time(place, "after", fate.after_ns);
    check.check_time(place, "predicted gain", fate.predicted_low_ns);
    check.check_time(place, "predicted gain", fate.predicted_high_ns);
    check.check_time(place, "gained", fate.gained_ns);
    check.check_text(place, fate.verify_text);
  }
}

void check_functions(ReportChecker& check, const Comparison& comparison) {
  for (const FunctionEntry& function : comparison.functions) {
    const std::string place = "function " + function.function;
    for (const std::optional<double>& p :
         {function.p_beta, function.u_beta, function.p_mu, function.u_mu, function.q, function.q_mu})
      check.check_share(place, "probability", p);
    for (const std::optional<double>& effect : {function.effect, function.effect_mu})
      check.check_within(place, "effect", effect, -1, 1);
    for (const std::optional<double>& value :
         {function.suspicion, function.beta_normal, function.beta_abnormal, function.z_beta, function.mu_normal,
          function.mu_abnormal, function.z_mu, function.z_log_mu, function.beta_change_low, function.beta_change_high,
          function.mu_change_low, function.mu_change_high, function.z_beta_resolution, function.z_mu_resolution,
          function.suspicion_resolution})
      check.check_finite(place, "statistic", value);
  }
}

void check_comparison(ReportChecker& check, const Comparison& comparison) {
  const CycleEntry& cycle = comparison.cycle;
  const std::string place = "cycle";
  check.check_time(place, "normal", cycle.normal_ns);
  check.check_time(place, "abnormal", cycle.abnormal_ns);
  check.check_share(place, "p", cycle.p);
  for (const std::optional<double>& change : {cycle.change, cycle.mean_change, cycle.tail_change})
    check.check_within(place, "change", change, -1, 1e19);  // below -1 nothing is left; times have 63 bits
  check.check_within(place, "noise floor", cycle.noise_floor, 0, 1e19);
  check_cycle_side(check, "normal cycles", cycle.normal);
  check_cycle_side(check, "abnormal cycles", cycle.abnormal);
  check.check_share("comparability", "score", comparison.comparability.score);
  for (const DifferenceEntry& difference : comparison.comparability.differences)
    check.check_share("comparability", "weight of " + difference.what, difference.weight);
  check.check_text("verdict", comparison.reason);
  check_parts(check, "decomposition", comparison.decomposition, comparison.decomposed.delta_ns);
  check_changes(check, comparison);
  check_fates(check, comparison);
  check_functions(check, comparison);
}

// --- Facts ------------------------------------------------------------------------------------------------------

/// Whether a time can be in a column: an instant of 146 years around zero, or a length, which is not below zero and can
/// be as long as all of them. Self times of operators are what tools make of their own numbers, and those can be wrong.
bool can_be(const ColumnInfo& about, Time ns) {
  if (about.name == "start" || about.name == "time" || about.name == "end") return is_instant(ns);
  return ns >= 0 || (about.name.ends_with("_self") && is_instant(ns));
}

void check_column(ReportChecker& check, const std::string& run, const FactStore& store, ColumnId column) {
  const ColumnInfo& about = info(column);
  const std::string place = "facts of run " + run + ", " + std::string(about.table) + "." + std::string(about.name);
  if (about.unit == Unit::time)
    for (const Time ns : store.integers(column)) {
      if (ns == absent_integer || can_be(about, ns)) continue;
      check.mistakes.push_back(place + ": no time: " + std::to_string(ns) + " ns");
      break;
    }
  for (const double value : store.reals(column))
    if (std::isinf(value)) {
      check.mistakes.push_back(place + ": an infinite value");
      break;
    }
}

void check_facts(ReportChecker& check, const Facts& facts) {
  for (const RunFacts& run : facts.loaded().runs) {
    const FactStore& store = *run.store;
    for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c) check_column(check, run.id, store, ColumnId{c});
    for (const Wall& wall : store.walls)
      check.require(
          wall.length >= 0 && wall.length == (wall.parts.empty() && !wall.window ? wall.length : wall.parts.length()),
          "facts of run " + run.id, "the wall is not as long as its parts");
  }
}

}  // namespace

std::string place_of(const std::optional<std::int64_t>& rank, const std::optional<std::int64_t>& device) {
  return (rank ? std::to_string(*rank) : "-") + "/" + (device ? std::to_string(*device) : "-");
}

std::vector<std::string> check_values(const Report& report, const Facts& facts) {
  ReportChecker check(facts);
  check_runs(check, report);
  check_tally(check, report);
  check_findings(check, report);
  check_account(check, report);
  if (report.comparison) check_comparison(check, *report.comparison);
  check_facts(check, facts);
  return std::move(check.mistakes);
}

std::vector<std::string> check_forms(const Report& report, const Facts& facts) {
  const std::pair<std::string, OutputKind> forms[] = {{to_text(report, {.all = true}), OutputKind::text},
                                                      {to_html(report, {.facts = facts}), OutputKind::text},
                                                      {to_markdown(report), OutputKind::markdown},
                                                      {to_summary(report), OutputKind::markdown},
                                                      {to_sarif(report), OutputKind::json},
                                                      {to_gitlab(report), OutputKind::json},
                                                      {to_json(report), OutputKind::json}};
  std::vector<std::string> found;
  for (const auto& [text, kind] : forms) {
    if (text.empty()) found.emplace_back("a report without a word");
    if (std::string harm = harm_of(text, kind); !harm.empty()) found.push_back(std::move(harm));
  }
  return found;
}

}  // namespace kdiag::tests
