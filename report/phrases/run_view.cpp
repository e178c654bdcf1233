// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/run_view.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <kdiag/catalogue.hpp>

namespace kdiag::report {
namespace {

struct RuleOutcome {
  Outcome outcome = Outcome::not_applicable;
  const OutcomeEntry* first = nullptr;  // the first entry that has this outcome
};

int& count_of(Tally& tally, Outcome outcome) {
  switch (outcome) {
    case Outcome::failed: return tally.failed;
    case Outcome::fired: return tally.fired;
    case Outcome::inconclusive: return tally.inconclusive;
    case Outcome::clear: return tally.clear;
    case Outcome::not_applicable: return tally.not_applicable;
  }
  return tally.not_applicable;
}

// Outcomes by rule, in the order in which rules occur first.
std::vector<std::pair<std::string_view, RuleOutcome>> by_rule(const std::vector<const OutcomeEntry*>& outcomes) {
  std::vector<std::pair<std::string_view, RuleOutcome>> rules;
  std::map<std::string_view, std::size_t> places;
  for (const OutcomeEntry* entry : outcomes) {
    const auto [place, added] = places.try_emplace(entry->rule, rules.size());
    if (added) rules.push_back({entry->rule, {entry->outcome, entry}});
    RuleOutcome& rule = rules[place->second].second;
    if (entry->outcome < rule.outcome) rule = {entry->outcome, entry};  // enumerators stand in the tally's order
  }
  return rules;
}

/// What of devices monitoring tools state comes with their samples.
constexpr std::string_view telemetry = info(table("samples")).name;

std::string_view source_table(std::string_view fact) {
  const std::string_view name = fact.substr(0, fact.find_first_of(".:"));
  return name == info(table("devices")).name ? telemetry : name;
}

/// Rules that could not tell, by what they have in common.
class UnresolvedGroups {
 public:
  void add(const OutcomeEntry& entry) {
    const auto [found, added] = places_.try_emplace(key_of(entry), groups_.size());
    if (added) {
      groups_.push_back({{}, entry.reason, {}});
      facts_.emplace_back();
    }
    Unresolved& group = groups_[found->second];
    for (const MissingEntry& missing : entry.missing)
      if (facts_[found->second].insert(missing.fact).second) group.missing.push_back(missing);
    group.rules.push_back(entry.rule);
  }
  std::vector<Unresolved> take() {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const Unresolved& a, const Unresolved& b) { return a.rules.size() > b.rules.size(); });
    return std::move(groups_);
  }

 private:
  /// Whether a fact is missing, the recording that would bring it, and what else tells groups apart.
  using Key = std::tuple<bool, std::string_view, std::string_view>;

  /// Rules name the best source first: those are together that one more recording would help. A profiler records many
  /// tables, and what one of them lacks is not missing to the rules of another.
  static Key key_of(const OutcomeEntry& entry) {
    if (entry.missing.empty()) return {false, {}, entry.reason};
    const MissingEntry& first = entry.missing.front();
    const std::string_view table = source_table(first.fact);
    // What the device or its tool does not state is said once.
    const bool unstated = first.how_to_record.empty() && table != telemetry;
    return {true, first.how_to_record, unstated ? std::string_view(first.fact) : table};
  }

  std::vector<Unresolved> groups_;
  std::vector<std::set<std::string_view>> facts_;  ///< of each group
  std::map<Key, std::size_t> places_;
};

/// What the inputs of each role were read by, in words.
std::map<RunRole, std::string> adapters_by_role(const Report& report) {
  std::map<RunRole, std::set<std::string_view>> seen;
  std::map<RunRole, std::string> phrases;
  for (const InputEntry& input : report.inputs) {
    if (input.adapter.empty() || !seen[input.role].insert(input.adapter).second) continue;
    std::string& phrase = phrases[input.role];
    phrase += (phrase.empty() ? "" : " + ") + input.adapter;
  }
  return phrases;
}

void judge(RunView& view) {
  UnresolvedGroups unresolved;
  for (const auto& [rule, state] : by_rule(view.outcomes)) {
    ++count_of(view.rules, state.outcome);
    if (state.outcome == Outcome::inconclusive) unresolved.add(*state.first);
    if (state.outcome == Outcome::failed) view.failures.push_back(state.first);
  }
  view.unresolved = unresolved.take();
}

/// The plan of a run that has a recording to propose; null without.
const RunPlan* plan_of(const Report& report, const std::string& run) {
  if (!report.plan) return nullptr;
  for (const RunPlan& plan : report.plan->runs)
    if (std::find(plan.runs.begin(), plan.runs.end(), run) != plan.runs.end())
      return plan.recordings.empty() ? nullptr : &plan;
  return nullptr;
}

/// Entries by the run that they are of: one walk for all runs, of which an archive can hold thousands.
template <class Entry>
class ByRun {
 public:
  explicit ByRun(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) of_[entry.run].push_back(&entry);
  }
  std::vector<const Entry*> operator[](std::string_view run) const {
    const auto found = of_.find(run);
    return found == of_.end() ? std::vector<const Entry*>() : found->second;
  }

 private:
  std::map<std::string_view, std::vector<const Entry*>> of_;
};

}  // namespace

std::vector<RunView> views_of(const Report& report, CancelFlag stop) {
  const ByRun<Finding> findings(report.findings);
  const ByRun<OutcomeEntry> outcomes(report.outcomes);
  const ByRun<LedgerEntry> ledger(report.ledger);
  const ByRun<TelemetryEntry> telemetry(report.telemetry);
  const ByRun<WorkEntry> work(report.work);
  const ByRun<RecordedEntry> recorded(report.recorded);
  const std::map<RunRole, std::string> adapters = adapters_by_role(report);
  std::map<RunRole, std::size_t> runs_of;
  for (const RunEntry& run : report.runs) ++runs_of[run.role];
  std::vector<RunView> views;
  for (const RunEntry& run : report.runs) {
    stop_if(stop);
    RunView& view = views.emplace_back();
    view.report = &report;
    view.run = &run;
    view.position = views.size() - 1;
    for (const DeviceEntry& device : run.devices) view.devices.emplace(std::pair(device.rank, device.id), &device);
    view.alike = runs_of[run.role];
    if (const auto known = adapters.find(run.role); known != adapters.end()) view.adapters = known->second;
    for (const Finding* finding : findings[run.id]) (finding->waived ? view.waived : view.findings).push_back(finding);
    view.outcomes = outcomes[run.id];
    view.ledger = ledger[run.id];
    view.telemetry = telemetry[run.id];
    view.work = work[run.id];
    view.recorded = recorded[run.id];
    if (run.role == RunRole::subject) view.plan = plan_of(report, run.id);
    judge(view);
  }
  return views;
}

}  // namespace kdiag::report
