// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/diagnose.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include <kdiag/timings.hpp>

#include "base/once.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "engine/derive/recorded_summary.hpp"
#include "engine/derive/telemetry_summary.hpp"
#include "engine/derive/work/work_summary.hpp"
#include "engine/judge/about_rules.hpp"
#include "engine/judge/baselines.hpp"
#include "engine/judge/health_discount.hpp"
#include "engine/judge/judge.hpp"
#include "engine/judge/ledger_claims.hpp"
#include "engine/judge/plan_recordings.hpp"
#include "engine/judge/policy.hpp"
#include "engine/judge/rank.hpp"
#include "engine/judge/steady_severity.hpp"
#include "engine/judge/traces_left_out.hpp"
#include "engine/language/plan_text.hpp"
#include "engine/recording/recording.hpp"
#include "engine/recording/telemetry_alone.hpp"
#include "engine/ruleset/describe_rule.hpp"

namespace kdiag {
namespace {

std::vector<MissingEntry> missing_of(const Causes& causes, const Recorder& recorder) {
  std::vector<MissingEntry> out;
  for (const Cause& cause : causes)
    if (!cause.fact.empty() &&
        std::none_of(out.begin(), out.end(), [&](const MissingEntry& m) { return m.fact == cause.fact; }))
      out.push_back({cause.fact, recorder.how_to_record(cause.fact, cause.reason)});
  return out;
}

/// The facts that the rules of a run miss.
std::vector<std::string> facts_missing(const std::vector<std::vector<Judgement>>& judgements) {
  std::set<std::string> facts;
  for (const std::vector<Judgement>& of_rule : judgements)
    for (const Judgement& judgement : of_rule)
      for (const Cause& cause : judgement.causes) facts.insert(cause.fact);
  return {facts.begin(), facts.end()};
}

/// By which the tally counts a rule.
Outcome first_outcome(const std::vector<Judgement>& judgements) {
  Outcome first = Outcome::not_applicable;
  for (const Judgement& judgement : judgements) first = std::min(first, judgement.outcome);
  return first;
}

std::string reason_of(const Judgement& judgement) {
  if (judgement.outcome != Outcome::inconclusive) return judgement.reason;
  std::string out;
  for (const Cause& cause : judgement.causes)
    out += (out.empty() ? "" : "; ") + (cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason);
  return out;
}

/// A rule without a device to judge was not asked what else it lacks: of the telemetry that it reads some is needed.
void add_telemetry_read(OpenQuestion& question, const CheckedRule& rule, const LoadedRules& rules) {
  const bool judged = question.causes.size() != 1 || question.causes.front().fact != info(table("devices")).name;
  if (judged) return;
  Causes telemetry;
  for (const std::string& fact : facts_read(rule, rules))
    if (fact.starts_with(info(table("samples")).name))
      telemetry.push_back({fact, "not recorded", telemetry.empty() ? std::string() : telemetry.front().fact});
  merge_causes(question.causes, telemetry);
}

/// The rules of a run that could not tell for any subject, of those that a plan is asked for.
std::vector<OpenQuestion> open_questions(const LoadedRules& rules,
                                         const std::vector<std::vector<Judgement>>& judgements,
                                         const std::vector<std::string>& asked) {
  std::vector<OpenQuestion> out;
  for (std::size_t r = 0; r < judgements.size(); ++r) {
    const std::string& id = rules.rules[r].rule->id;
    if (first_outcome(judgements[r]) != Outcome::inconclusive) continue;
    if (!asked.empty() && std::find(asked.begin(), asked.end(), id) == asked.end()) continue;
    OpenQuestion question{.rule = id, .causes = {}, .reason = {}};
    for (const Judgement& judgement : judgements[r]) {
      if (judgement.outcome != Outcome::inconclusive) continue;
      merge_causes(question.causes, judgement.causes);
      if (question.reason.empty()) question.reason = reason_of(judgement);
    }
    add_telemetry_read(question, rules.rules[r], rules);
    out.push_back(std::move(question));
  }
  return out;
}

/// The rules that judge one subject, which share what they know of it.
class SubjectTask {
 public:
  SubjectTask(const LoadedRules& rules, const RunContext& run, const Subject& subject, SubjectFacts& whole_run,
              const std::vector<std::size_t>& judges, bool telemetry_alone, const JudgementHook& hook, Costs* costs)
      : rules_(rules),
        run_(run),
        subject_(subject),
        whole_run_(whole_run),
        judges_(judges),
        telemetry_alone_(telemetry_alone),
        hook_(hook),
        costs_(costs),
        judgements_(judges.size()),
        left_(judges.size()) {}

  const std::vector<std::size_t>& judges() const { return judges_; }
  std::vector<std::optional<Judgement>>& judgements() { return judgements_; }

  /// Lets one of its rules judge. What the rules share exists from the first to the last of them.
  void judge_by(std::size_t judge_index) {
    begun_.call([this] { facts_.emplace(run_, subject_, whole_run_, costs_); });
    const CheckedRule& rule = rules_.rules[judges_[judge_index]];
    const Stopwatch watch;
    Evaluator evaluator(run_, rules_.library, rule.lets, *facts_);
    Judgement& made = judgements_[judge_index].emplace(judge(rule, evaluator));
    evaluator.count_costs(judges_[judge_index], watch);
    if (telemetry_alone_) leave_traces_out(made);
    if (hook_) hook_(rule, made, &evaluator);
    if (left_.fetch_sub(1) == 1) facts_.reset();
  }

 private:
  const LoadedRules& rules_;
  const RunContext& run_;
  const Subject subject_;
  SubjectFacts& whole_run_;
  const std::vector<std::size_t>& judges_;
  const bool telemetry_alone_;
  const JudgementHook& hook_;
  Costs* const costs_;
  std::vector<std::optional<Judgement>> judgements_;
  Once begun_;
  std::optional<SubjectFacts> facts_;
  std::atomic<std::size_t> left_;
};

/// The outcome of a rule for which the run has no subject; `missing`: the fact that would tell the subjects.
Judgement without_subject(const CheckedRule& checked, const RunContext& run, const SubjectSpec& subject,
                          const std::string& missing) {
  Judgement none;
  if (compares_nothing(checked, run, none)) return none;
  none.outcome = missing.empty() ? Outcome::not_applicable : Outcome::inconclusive;
  if (missing.empty()) none.reason = "there are no " + subject.plural();
  else none.causes = {{missing, "not recorded"}};
  return none;
}

/// Judges all rules on one run: one list for each rule, by subject; empty for rules that are not active or were
/// not reached before `cancel`.
std::vector<std::vector<Judgement>> judge_run(const LoadedRules& rules, const RunContext& run,
                                              const DiagnoseOptions& options, const JudgementHook& hook, Costs* costs) {
  std::vector<std::vector<Judgement>> out(rules.rules.size());
  std::map<SubjectSpec, std::vector<std::size_t>> judges_of;
  for (std::size_t r = 0; r < rules.rules.size(); ++r)
    if (rules.rules[r].active) judges_of[rules.rules[r].subject].push_back(r);
  const bool telemetry_alone = of_telemetry_alone(run.store());
  SubjectFacts whole_run(run, Subject{}, rules.library.shared);
  std::deque<SubjectTask> subjects;
  std::vector<std::pair<SubjectTask*, std::size_t>> work;  // subject by subject, so that few are open at a time
  for (const auto& [spec, judges] : judges_of) {
    const SubjectList found = run.subjects(spec);
    if (found.subjects.empty())
      for (const std::size_t rule : judges) {
        Judgement& none = out[rule].emplace_back(without_subject(rules.rules[rule], run, spec, found.missing));
        if (telemetry_alone) leave_traces_out(none);
        if (hook) hook(rules.rules[rule], none, nullptr);
      }
    else
      for (const Subject& subject : found.subjects) {
        SubjectTask& task = subjects.emplace_back(rules, run, subject, whole_run, judges, telemetry_alone, hook, costs);
        for (std::size_t judge_index = 0; judge_index < judges.size(); ++judge_index)
          work.emplace_back(&task, judge_index);
      }
  }
  parallel_for(work.size(), options.threads, [&](std::size_t i) {
    if (is_set(options.cancel)) return;
    try {
      const Stopwatch watch;
      work[i].first->judge_by(work[i].second);
      if (costs != nullptr) costs->evaluation.add(watch.nanoseconds(), 0);
    } catch (const Interrupted&) {
      // As if the rule had not been reached.
    }
  });
  for (SubjectTask& task : subjects)
    for (std::size_t i = 0; i < task.judges().size(); ++i)
      if (auto& judgement = task.judgements()[i]) out[task.judges()[i]].push_back(std::move(*judgement));
  return out;
}

void add_to_tally(Tally& tally, const std::vector<Judgement>& judgements) {
  switch (first_outcome(judgements)) {
    case Outcome::failed: ++tally.failed; break;
    case Outcome::fired: ++tally.fired; break;
    case Outcome::inconclusive: ++tally.inconclusive; break;
    case Outcome::clear: ++tally.clear; break;
    case Outcome::not_applicable: ++tally.not_applicable; break;
  }
}

std::vector<CostEntry> dearest_first(const std::vector<Cost>& costs,
                                     const std::function<std::string(std::size_t)>& name) {
  std::vector<CostEntry> out;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (const std::uint64_t times = costs[i].times; times > 0)
      out.push_back({name(i), static_cast<double>(costs[i].nanoseconds) * 1e-9, costs[i].rows, times});
  std::stable_sort(out.begin(), out.end(),
                   [](const CostEntry& a, const CostEntry& b) { return a.seconds > b.seconds; });
  return out;
}

Timings timings_of(const LoadedFacts& facts, const LoadedRules& rules, const Costs& costs, const Stopwatch& watch) {
  const auto rule = [&](std::size_t i) { return rules.rules[i].rule->id; };
  const auto expression = [&](std::size_t i) {
    return text_of(rules.library.shared.plan(static_cast<std::uint32_t>(i)));
  };
  return {.read = facts.read_seconds,
          .derive = facts.derive_seconds,
          .judge = watch.seconds(),
          .evaluate = static_cast<double>(costs.evaluation.nanoseconds) * 1e-9,
          .by_rule = dearest_first(costs.of_rule, rule),
          .by_expression = dearest_first(costs.of_expression, expression)};
}

}  // namespace

Report diagnose_runs(const LoadedFacts& facts, const LoadedRules& loaded, const DiagnoseOptions& options,
                     const JudgementHook& hook, Caps caps) {
  const bool compared = options.baseline || std::any_of(facts.runs.begin(), facts.runs.end(), [](const RunFacts& run) {
                          return run.store->rows(table("comparisons")) > 0;
                        });
  const LoadedRules& rules = compared ? loaded.comparing() : loaded;
  const Stopwatch watch;
  std::optional<Costs> costs;
  if (options.timings) costs.emplace(rules.rules.size(), rules.library.shared.size());
  Report report;
  report.inputs = facts.inputs;
  for (const RunFacts& run : facts.runs) {
    report.runs.push_back(run_entry(run, RunRole::subject));
    if (!run.inputs.empty()) report.runs.back().input = facts.inputs[run.inputs.front()].path;
  }
  PolicyMarks marks(options.policy);
  RecordingPlan plan;
  const Baselines baselines(facts, options.baseline ? &options.baseline->loaded() : nullptr, options.cancel);
  baselines.add_to(report);
  for (std::size_t place = 0; place < facts.runs.size(); ++place) {
    if (is_set(options.cancel)) break;  // also between runs, of which there can be thousands
    const RunFacts& run_facts = facts.runs[place];
    const RunContext run(baselines.judged(place), baselines.of(place), options.cancel);
    report.runs[place].baseline = baselines.id_of(place);
    baselines.note_match(report, place, run);
    auto judgements = judge_run(rules, run, options, hook, costs ? &*costs : nullptr);
    discount_by_health(rules, judgements, caps);
    const Recorder recorder(*run_facts.store, facts_missing(judgements));
    for (std::size_t r = 0; r < judgements.size(); ++r) {
      if (judgements[r].empty()) continue;  // cancelled, or not active
      add_to_tally(report.tally, judgements[r]);
      for (const Judgement& judgement : judgements[r])
        report.outcomes.push_back({.run = run_facts.id,
                                   .rule = rules.rules[r].rule->id,
                                   .subject = {std::string(name_of(judgement.subject.kind)), run.id(judgement.subject),
                                               run.label(judgement.subject)},
                                   .outcome = judgement.outcome,
                                   .missing = missing_of(judgement.causes, recorder),
                                   .reason = reason_of(judgement),
                                   .nearest = judgement.nearest});
    }
    if (const auto questions = open_questions(rules, judgements, options.plan_for); !questions.empty())
      add_plan(plan, plan_recordings(questions, *run_facts.store), run_facts.id);
    std::vector<Finding> findings = rank_findings(rules, judgements, run, run_facts.id);
    std::vector<LedgerEntry> ledger = run_facts.ledger;
    for (LedgerEntry& entry : ledger) entry.run = run_facts.id;
    const IdleTime idle = idle_time(run.store());
    explain_ledger(ledger, run.store(), idle, rules, judgements, findings);
    add_one_off_costs(ledger, findings, run, idle, rules, judgements);
    raise_to_steady_severity(findings, rules, run, judgements);
    marks.mark(run, findings);
    std::move(ledger.begin(), ledger.end(), std::back_inserter(report.ledger));
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
    for (WorkEntry& entry :
         summarise_work(*run_facts.store, options.model_flops * static_cast<double>(report.runs[place].steps))) {
      entry.run = run_facts.id;
      report.work.push_back(std::move(entry));
    }
    if (of_telemetry_alone(*run_facts.store))
      for (TelemetryEntry& entry : summarise_telemetry(*run_facts.store)) {
        entry.run = run_facts.id;
        report.telemetry.push_back(std::move(entry));
      }
    else if (run_facts.ledger.empty())
      for (RecordedEntry& entry : summarise_records(*run_facts.store)) {
        entry.run = run_facts.id;
        report.recorded.push_back(std::move(entry));
      }
  }
  marks.add_to(report);
  report.about = about_findings(report.findings, rules);
  report.packs = loaded.packs;
  if (!plan.runs.empty()) report.plan = std::make_shared<const RecordingPlan>(std::move(plan));
  if (costs) report.timings = std::make_shared<const Timings>(timings_of(facts, rules, *costs, watch));
  return report;
}

}  // namespace kdiag
