// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/judge.hpp"
#include "engine/rank.hpp"
#include "engine/recording.hpp"

namespace kdiag {
namespace {

std::vector<MissingEntry> missing_of(const Causes& causes) {
  std::vector<MissingEntry> out;
  for (const Cause& cause : causes)
    if (!cause.fact.empty() &&
        std::none_of(out.begin(), out.end(), [&](const MissingEntry& m) { return m.fact == cause.fact; }))
      out.push_back({cause.fact, how_to_record(cause.fact)});
  return out;
}

std::string reason_of(const Judgement& judgement) {
  if (judgement.outcome != Outcome::inconclusive) return judgement.reason;
  std::string out;
  for (const Cause& cause : judgement.causes)
    out += (out.empty() ? "" : "; ") + (cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason);
  return out;
}

/// Judges all rules on one run, subject by subject, so that defines and narrowed rows are computed once for each.
std::vector<std::vector<Judgement>> judge_run(const LoadedRules& rules, RunContext& run,
                                              const std::atomic<bool>* cancel, const JudgementHook& hook) {
  std::vector<std::vector<Judgement>> out(rules.rules.size());
  std::set<SubjectKind> kinds;
  for (const CheckedRule& rule : rules.rules) kinds.insert(rule.subject);
  for (const SubjectKind kind : kinds) {
    const auto subjects = run.subjects(kind);
    const auto for_rules_of_kind = [&](auto&& action) {
      for (std::size_t r = 0; r < rules.rules.size(); ++r)
        if (rules.rules[r].subject == kind && !(cancel && cancel->load(std::memory_order_relaxed)))
          action(rules.rules[r], out[r]);
    };
    if (!subjects || subjects->empty()) {
      const std::string table = std::string(name_of(kind)) + "s";
      for_rules_of_kind([&](const CheckedRule& rule, std::vector<Judgement>& judgements) {
        Judgement none;
        none.outcome = subjects ? Outcome::not_applicable : Outcome::inconclusive;
        if (subjects) none.reason = "there are no " + table;
        else none.causes = {{table, "not recorded"}};
        if (hook) hook(rule, none, nullptr);
        judgements.push_back(std::move(none));
      });
      continue;
    }
    for (const Subject& subject : *subjects) {
      DefineCache defines;
      for_rules_of_kind([&](const CheckedRule& rule, std::vector<Judgement>& judgements) {
        Evaluator evaluator(run, rules.library, rule.lets, subject, defines);
        judgements.push_back(judge(rule, evaluator));
        if (hook) hook(rule, judgements.back(), &evaluator);
      });
    }
  }
  return out;
}

void add_to_tally(Tally& tally, const std::vector<Judgement>& judgements) {
  Outcome first = Outcome::not_applicable;
  for (const Judgement& judgement : judgements) first = std::min(first, judgement.outcome);
  switch (first) {
    case Outcome::failed: ++tally.failed; break;
    case Outcome::fired: ++tally.fired; break;
    case Outcome::inconclusive: ++tally.inconclusive; break;
    case Outcome::clear: ++tally.clear; break;
    case Outcome::not_applicable: ++tally.not_applicable; break;
  }
}

RunEntry run_entry(const RunFacts& facts) {
  const FactStore& store = *facts.store;
  RunEntry out{.id = facts.id,
               .label = facts.label,
               .role = "subject",
               .wall_ns = {},
               .wall_basis = {},
               .steps = 0,
               .devices = {}};
  const Wall& wall = store.wall();
  if (wall.basis != WallBasis::none) out.wall_ns = wall.length;
  out.wall_basis = name_of(wall.basis);
  out.steps = static_cast<std::int64_t>(store.rows(table("steps")));
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
    DeviceEntry device;
    const std::int64_t id = store.integer(column("devices.id"), row);
    device.id = id == absent_integer ? 0 : id;
    if (const std::uint32_t rank = store.index(column("devices.rank"), row); rank != absent_index)
      device.rank = store.small(column("ranks.id"), rank);
    device.name = store.text(column("devices.name"), row);
    device.vendor = store.text(column("devices.vendor"), row);
    device.kind = store.text(column("devices.kind"), row);
    out.devices.push_back(std::move(device));
  }
  return out;
}

/// Names the finding that explains each idle line of a ledger: the first ranked whose time is at least half of it.
void explain_ledger(std::vector<LedgerEntry>& ledger, const FactStore& store, const LoadedRules& rules,
                    const std::vector<std::vector<Judgement>>& judgements, const std::vector<Finding>& findings) {
  const auto causes = store.indices(column("idle.cause"));
  const auto starts = store.integers(column("idle.start"));
  const auto durs = store.integers(column("idle.dur"));
  const auto devices = store.indices(column("idle.device"));
  if (causes.empty() || starts.empty()) return;
  for (LedgerEntry& entry : ledger) {
    for (LedgerLine& line : entry.lines) {
      if (!line.name.starts_with("idle.") || line.ns == 0) continue;
      const std::uint32_t cause = store.strings.find(line.name.substr(5));
      if (cause == absent_index) continue;
      std::vector<Interval> spans;
      std::optional<std::uint32_t> device;
      for (std::size_t i = 0; i < causes.size(); ++i) {
        if (causes[i] != cause) continue;
        const std::uint32_t row = devices.empty() ? 0 : devices[i];
        if (entry.device && store.integer(column("devices.id"), row) != *entry.device) continue;
        const std::uint32_t rank = store.index(column("devices.rank"), row);
        if (entry.rank && (rank == absent_index || store.small(column("ranks.id"), rank) != *entry.rank)) continue;
        device = row;
        spans.push_back({starts[i], starts[i] + durs[i]});
      }
      if (!device) continue;
      const IntervalSet time = IntervalSet::of(std::move(spans));
      for (const Finding& finding : findings) {
        for (std::size_t r = 0; r < rules.rules.size() && line.rule.empty(); ++r) {
          if (rules.rules[r].rule->id != finding.rule) continue;
          for (const Judgement& judgement : judgements[r]) {
            if (judgement.outcome != Outcome::fired || judgement.subject.device != *device ||
                !judgement.draft->impact || !judgement.draft->impact->intervals)
              continue;
            if (2 * (*judgement.draft->impact->intervals & time).length() >= time.length()) line.rule = finding.rule;
          }
        }
        if (!line.rule.empty()) break;
      }
    }
  }
}

}  // namespace

Report diagnose_runs(const LoadedFacts& facts, const LoadedRules& rules, const std::atomic<bool>* cancel,
                     const JudgementHook& hook) {
  Report report;
  report.inputs = facts.inputs;
  for (const RunFacts& run_facts : facts.runs) {
    RunContext run(*run_facts.store);
    report.runs.push_back(run_entry(run_facts));
    const auto judgements = judge_run(rules, run, cancel, hook);
    for (std::size_t r = 0; r < judgements.size(); ++r) {
      if (judgements[r].empty()) continue;  // cancelled
      add_to_tally(report.tally, judgements[r]);
      for (const Judgement& judgement : judgements[r])
        report.outcomes.push_back({.run = run_facts.id,
                                   .rule = rules.rules[r].rule->id,
                                   .subject = {std::string(name_of(judgement.subject.kind)), run.id(judgement.subject),
                                               run.label(judgement.subject)},
                                   .outcome = judgement.outcome,
                                   .missing = missing_of(judgement.causes),
                                   .reason = reason_of(judgement),
                                   .nearest = judgement.nearest});
    }
    std::vector<Finding> findings = rank_findings(rules, judgements, run, run_facts.id);
    std::vector<LedgerEntry> ledger = run_facts.ledger;
    for (LedgerEntry& entry : ledger) entry.run = run_facts.id;
    explain_ledger(ledger, *run_facts.store, rules, judgements, findings);
    std::move(ledger.begin(), ledger.end(), std::back_inserter(report.ledger));
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
  }
  return report;
}

}  // namespace kdiag
