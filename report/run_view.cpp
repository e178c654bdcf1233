// SPDX-License-Identifier: Apache-2.0
#include "report/run_view.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

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

std::string_view table_of(std::string_view fact) { return fact.substr(0, fact.find_first_of(".:")); }

/// Rules name the best source first: those are together that one more recording would help. A profiler records many
/// tables, and what one of them lacks is not missing to the rules of another.
bool same_cause(const Unresolved& group, const OutcomeEntry& entry) {
  if (group.missing.empty() || entry.missing.empty())
    return group.missing.empty() && entry.missing.empty() && group.reason == entry.reason;
  const std::string& recording = group.missing.front().how_to_record;
  const std::string_view have = group.missing.front().fact;
  const std::string_view lacks = entry.missing.front().fact;
  return recording == entry.missing.front().how_to_record &&
         (recording.empty() ? have == lacks : table_of(have) == table_of(lacks));
}

void add_unresolved(std::vector<Unresolved>& groups, const OutcomeEntry& entry) {
  auto group =
      std::find_if(groups.begin(), groups.end(), [&entry](const Unresolved& have) { return same_cause(have, entry); });
  if (group == groups.end()) group = groups.insert(groups.end(), {{}, entry.reason, {}});
  for (const MissingEntry& missing : entry.missing) {
    const auto same_fact = [&](const MissingEntry& have) { return have.fact == missing.fact; };
    if (std::none_of(group->missing.begin(), group->missing.end(), same_fact)) group->missing.push_back(missing);
  }
  group->rules.push_back(entry.rule);
}

void judge(RunView& view) {
  for (const auto& [rule, state] : by_rule(view.outcomes)) {
    ++count_of(view.rules, state.outcome);
    if (state.outcome == Outcome::inconclusive) add_unresolved(view.unresolved, *state.first);
    if (state.outcome == Outcome::failed) view.failures.push_back(state.first);
  }
  std::stable_sort(view.unresolved.begin(), view.unresolved.end(),
                   [](const Unresolved& a, const Unresolved& b) { return a.rules.size() > b.rules.size(); });
}

template <class Entry>
std::vector<const Entry*> of_run(const std::vector<Entry>& entries, const std::string& run) {
  std::vector<const Entry*> found;
  for (const Entry& entry : entries)
    if (entry.run == run) found.push_back(&entry);
  return found;
}

}  // namespace

std::vector<RunView> views_of(const Report& report) {
  std::vector<RunView> views;
  for (const RunEntry& run : report.runs) {
    RunView& view = views.emplace_back();
    view.report = &report;
    view.run = &run;
    view.position = views.size() - 1;
    view.findings = of_run(report.findings, run.id);
    view.outcomes = of_run(report.outcomes, run.id);
    view.ledger = of_run(report.ledger, run.id);
    judge(view);
  }
  return views;
}

}  // namespace kdiag::report
