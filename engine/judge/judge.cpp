// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/judge.hpp"

#include <algorithm>
#include <cmath>

#include <kdiag/format.hpp>

#include "base/ascii.hpp"
#include "engine/eval/render.hpp"
#include "engine/judge/evidence_time.hpp"
#include "engine/judge/fill_template.hpp"
#include "engine/judge/fingerprint.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

constexpr std::size_t evidence_rows = 1000;  // language.md, limits

/// Severity by impact share when no tier holds (docs/report.md; judgement).
Severity default_severity(const std::optional<Claim>& impact, const ShareBase& base) {
  if (!impact || base.ns <= 0) return Severity::info;
  const double share = impact->amount.high.real() / static_cast<double>(base.ns);
  if (share >= 0.40) return Severity::critical;
  if (share >= 0.20) return Severity::high;
  if (share >= 0.10) return Severity::medium;
  if (share >= 0.02) return Severity::low;
  return Severity::info;
}

/// A claim that ranking can use: known, with both ends in order, not below zero and not above the wall (the device time
/// where there is none); else nothing. What several ranks lose can add up to more than any of them took, and a script
/// can claim any number: nobody gains more than all of the time.
std::optional<Claim> sound(std::optional<Claim> claim, const Evaluator& evaluator) {
  if (!claim || !claim->amount.high.finite() || !claim->amount.low.finite()) return {};
  if (claim->amount.low < Number(0)) claim->amount.low = 0;
  if (claim->amount.high < claim->amount.low) claim->amount.high = claim->amount.low;
  const ShareBase base = share_base(evaluator.run(), evaluator.subject());
  if (base.of == ShareOf::none) return claim;
  if (base.ns <= 0) return {};  // a single sample: there is no time of which anything could be lost
  for (Number* const end : {&claim->amount.low, &claim->amount.high}) *end = std::min(*end, Number(base.ns));
  return claim;
}

/// What an expression claims. Where rows were lost, amounts are open at their end: claimed is what was recorded, since
/// nobody can gain what nobody saw.
std::optional<Claim> recorded_claim(const Plan& plan, Evaluator& evaluator) {
  std::optional<Claim> claim = claim_of(evaluator.eval(plan));
  Evaluator* const recorded = claim ? evaluator.recorded_alone() : nullptr;
  if (recorded == nullptr) return claim;
  const std::optional<Claim> seen = claim_of(recorded->eval(plan));
  if (!seen) return claim;
  claim->amount.high = std::min(claim->amount.high, seen->amount.high);
  claim->amount.low = std::min(claim->amount.low, claim->amount.high);
  if (claim->intervals) claim->intervals = seen->intervals;
  return claim;
}

/// What a script claims, else what the rule's expression does.
std::optional<Claim> claim_by(const std::optional<Claim>* said, const PlanPtr& plan, Evaluator& evaluator) {
  if (said != nullptr && *said) return sound(*said, evaluator);
  return plan ? sound(recorded_claim(*plan, evaluator), evaluator) : std::nullopt;
}

/// What of the impact is paid once; nothing where that cannot be told, or the impact has no intervals.
std::optional<OneOffTime> one_off_of(const CheckedFinding& finding, const std::optional<Claim>& impact,
                                     Evaluator& evaluator) {
  if (!finding.one_off || !impact || !impact->intervals) return {};
  const auto claim = claim_of(evaluator.eval(*finding.one_off->time));
  if (!claim || !claim->intervals) return {};
  OneOffTime out{finding.one_off->what, *claim->intervals & *impact->intervals};
  return out.time.empty() ? std::nullopt : std::optional(std::move(out));
}

/// The share of the baseline run that the same impact has there; nothing without a baseline.
std::optional<double> baseline_share(const CheckedRule& checked, Evaluator& evaluator) {
  Evaluator* const baseline = evaluator.baseline();
  if (baseline == nullptr) return {};
  const auto claim = stated_impact(checked, *baseline);
  const ShareBase base = share_base(baseline->run(), baseline->subject());
  if (!claim || base.ns <= 0) return {};
  return claim->amount.high.real() / static_cast<double>(base.ns);
}

std::vector<std::string> providers_of(const Value& value, const FactStore& store) {
  std::vector<std::string> out;
  for (std::uint16_t c : value.columns)
    if (const std::string_view provider = store.provider(ColumnId{c}); !provider.empty())
      if (std::find(out.begin(), out.end(), provider) == out.end()) out.emplace_back(provider);
  std::sort(out.begin(), out.end());
  return out;
}

LocationEntry location_entry(const FactStore& store, std::uint32_t frame) {
  LocationEntry out;
  out.file = store.text(column("frames.file"), frame);
  if (const std::int32_t line = store.small(column("frames.line"), frame); line != absent_small) out.line = line;
  out.function = store.text(column("frames.function"), frame);
  out.how = store.text(column("frames.how"), frame);
  return out;
}

/// An expression's text with the values of its parameters, as people would type it for their next run.
std::string with_params(const std::string& text, const CheckedRule& checked) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '$')
      while (end < text.size() && is_word(text[end])) ++end;
    const std::string name = text.substr(at + 1, end - at - 1);
    const auto param = std::find_if(checked.param_texts.begin(), checked.param_texts.end(),
                                    [&](const auto& p) { return text[at] == '$' && p.first == name; });
    out += param == checked.param_texts.end() ? text.substr(at, end - at) : param->second;
    at = end;
  }
  return out;
}

Severity severity_of(const CheckedFinding& finding, const std::optional<Claim>& impact, const ShareBase& base,
                     Evaluator& evaluator) {
  for (const auto& [severity, condition] : finding.severity) {
    const Value holds = evaluator.eval(*condition);
    if (const auto* yes = holds.as<bool>(); yes && *yes) return severity;
  }
  return default_severity(impact, base);
}

/// Whether a plan is the rows of a `top`, as they are or with columns of its own: then it is known what it leaves out.
bool takes_top(const Plan& plan) {
  if (plan.op == PlanOp::select) return takes_top(*plan.args[0]);
  return plan.op == PlanOp::call && plan.function->traits.leaves_rows_out;
}

double stated_confidence(const CheckedFinding& finding, Evaluator& evaluator) {
  if (!finding.confidence) return 1;
  const Value stated = evaluator.eval(*finding.confidence);
  const auto* range = stated.as<Range>();
  return range != nullptr ? std::clamp(range->low.real(), 0.0, 1.0) : 1;
}

std::optional<LocationEntry> location_of(const CheckedFinding& finding, const ScriptFinding* said,
                                         Evaluator& evaluator) {
  if (said != nullptr && said->location) return location_entry(evaluator.run().store(), said->location->row);
  if (!finding.location) return {};
  const Value frame = evaluator.eval(*finding.location);
  const auto* row = frame.as<RowRef>();
  return row != nullptr ? std::optional(location_entry(evaluator.run().store(), row->row)) : std::nullopt;
}

/// `finding` is that for the evaluator, `when` is what decided, `said` what a script says of it; null for rules that an
/// expression decides.
Draft draft_of(const CheckedRule& checked, const CheckedFinding& finding, Evaluator& evaluator, const Value& when,
               const ScriptFinding* said) {
  Draft draft;
  const RunContext& run = evaluator.run();
  draft.impact = claim_by(said != nullptr ? &said->impact : nullptr, finding.impact, evaluator);
  draft.gain = claim_by(said != nullptr ? &said->gain : nullptr, finding.gain, evaluator);
  draft.gain_stated = draft.gain.has_value();
  draft.no_gain = finding.no_gain || (finding.gain != nullptr && !draft.gain);  // stated, and unknown
  draft.one_off = one_off_of(finding, draft.impact, evaluator);
  if (!when.compared) draft.baseline_share = baseline_share(checked, evaluator);
  draft.severity = said != nullptr && said->severity
                       ? *said->severity
                       : severity_of(finding, draft.impact, share_base(run, evaluator.subject()), evaluator);
  const double author = said != nullptr && said->confidence ? *said->confidence : stated_confidence(finding, evaluator);
  // docs/report.md, "Confidence": the author's confidence times the coverage behind `when`, and 0.8 for each note of
  // lost data; half of it where the device's work is a guess, and 0.8 where the facts are a report on a recording
  // (judgement). What was compared rests on the notes of both runs.
  const RunContext* const baseline = when.compared ? run.baseline() : nullptr;
  const int losses = run.data_loss_notes() + (baseline != nullptr ? baseline->data_loss_notes() : 0);
  const bool guessed = run.guessed() || (baseline != nullptr && baseline->guessed());
  const bool reported = run.reported() || (baseline != nullptr && baseline->reported());
  draft.confidence = author * when.coverage * std::pow(0.8, losses) * (guessed ? 0.5 : 1.0) * (reported ? 0.8 : 1.0);
  draft.title = said != nullptr && !said->title.empty() ? said->title : fill_first(finding.title, evaluator);
  draft.message = said != nullptr && !said->message.empty() ? said->message : fill_all(finding.message, evaluator);
  draft.location = location_of(finding, said, evaluator);
  draft.culprits = culprits_of(finding, said != nullptr && !said->title.empty(), evaluator);
  for (const auto& [name, plan] : finding.evidence) {
    const Value value = evaluator.eval(*plan);
    if (const auto* table = value.as<TableRows>()) {
      draft.evidence.emplace_back(name, to_rows(*table, run, evidence_rows));
      const std::size_t beyond = table->size() - std::min(table->size(), evidence_rows);
      if (const std::size_t hidden = beyond + (takes_top(*plan) ? table->left_out : 0); hidden > 0)
        draft.left_out.emplace_back(name, hidden);
    } else draft.evidence.emplace_back(name, to_entry(value, plan->type, run));
  }
  if (said != nullptr)
    for (const auto& entry : said->evidence) {  // what the script says stands in the place of what the rule does
      std::erase_if(draft.evidence, [&](const auto& other) { return other.first == entry.first; });
      std::erase_if(draft.left_out, [&](const auto& other) { return other.first == entry.first; });
      draft.evidence.push_back(entry);
    }
  for (const CheckedRecommendation& advice : finding.recommend) {
    if (!is_said(advice.condition, evaluator)) continue;
    const Recommendation& source = *advice.source;
    draft.advice.push_back({{.text = fill_template(advice.text, evaluator),
                             .where = source.where,
                             .risk = source.risk,
                             .verify = with_params(advice.verify_text, checked),
                             .url = source.url},
                            &source});
  }
  draft.providers = providers_of(when, run.store());
  if (said == nullptr && draft.impact && !draft.impact->intervals)
    draft.evidence_time = evidence_time(finding, evaluator);
  return draft;
}

/// The facts under `requires` that are not there.
Causes missing_needs(const CheckedRule& checked, Evaluator& evaluator) {
  Causes missing;
  for (const CheckedNeed& need : checked.needs) {
    const Value present = evaluator.eval(*need.present);
    const auto* yes = present.as<bool>();
    if (yes == nullptr || !*yes) merge_causes(missing, {{need.fact, "not recorded"}});
  }
  return missing;
}

/// Where a group of rows lies, for shares of its time: its device, else its rank, else the run; any other subject
/// itself.
Subject place_of(const Subject& subject) {
  if (subject.groups == nullptr) return subject;
  if (subject.device != absent_index)
    return {.kind = SubjectKind::device, .row = subject.device, .device = subject.device, .rank = subject.rank};
  if (subject.rank != absent_index) return {.kind = SubjectKind::rank, .row = subject.rank, .rank = subject.rank};
  return {};
}

/// Sum of a table of totals at a place.
std::int64_t stated_time(const RunContext& run, const Subject& place, TableId stats, ColumnId total) {
  const auto totals = run.store().integers(total);
  std::int64_t sum = 0;
  if (totals.empty()) return sum;
  if (const RowList rows = run.rows(stats, place))
    for (const std::uint32_t row : *rows) sum = add_times(sum, std::max<std::int64_t>(0, totals[row]));
  else
    for (const std::int64_t time : totals) sum = add_times(sum, std::max<std::int64_t>(0, time));
  return sum;
}

}  // namespace

ShareBase share_base(const RunContext& run, const Subject& subject) {
  const Wall& wall = run.wall(subject);
  if (wall.basis != WallBasis::none) return {wall.length, ShareOf::wall};
  const Subject place = place_of(subject);
  const std::int64_t kernels = stated_time(run, place, table("kernel_stats"), column("kernel_stats.total"));
  if (kernels == 0) return {};
  const std::int64_t copies = stated_time(run, place, table("copy_stats"), column("copy_stats.total"));
  return {add_times(kernels, copies), ShareOf::device_time};
}

const CheckedFinding& finding_for(const CheckedRule& rule, Evaluator& evaluator) {
  const CheckedFinding& finding = rule.finding();
  evaluator.extend_lets(finding.lets);
  return finding;
}

std::optional<Claim> stated_impact(const CheckedRule& rule, Evaluator& evaluator) {
  return claim_by(nullptr, finding_for(rule, evaluator).impact, evaluator);
}

std::optional<Severity> severity_against(const CheckedRule& rule, const std::optional<Claim>& impact,
                                         std::int64_t wall_ns, Evaluator& evaluator) {
  if (rule.script_scope) return {};
  evaluator.judge_against(wall_ns);
  return severity_of(finding_for(rule, evaluator), impact, {wall_ns, ShareOf::wall}, evaluator);
}

namespace {

/// "fires above": what the left side of an ordered comparison would have to be; empty for the others.
std::string_view bound_word(CompareOp compare) {
  switch (compare) {
    case CompareOp::greater: return "fires above ";
    case CompareOp::greater_equal: return "fires from ";
    case CompareOp::less: return "fires below ";
    case CompareOp::less_equal: return "fires up to ";
    default: return {};
  }
}

}  // namespace

std::string deciding_comparison(const Plan& condition, Evaluator& evaluator) {
  if (condition.op == PlanOp::logic_and || condition.op == PlanOp::logic_or) {
    // Of an `and`, the first false part decided; of an `or`, all parts are false: the first tells as much as any.
    for (const PlanPtr& arg : condition.args) {
      const Value value = evaluator.eval(*arg);
      if (const auto* b = value.as<bool>(); b && !*b)
        if (std::string text = deciding_comparison(*arg, evaluator); !text.empty()) return text;
    }
    return {};
  }
  if (condition.op != PlanOp::compare) return {};
  const Value left = evaluator.eval(*condition.args[0]);
  const Value right = evaluator.eval(*condition.args[1]);
  const std::string is = render_value(left, condition.args[0]->type, evaluator.run());
  const std::string limit = render_value(right, condition.args[1]->type, evaluator.run());
  if (const std::string_view bound = bound_word(condition.compare); !bound.empty())
    return is + ", " + std::string(bound) + limit;
  return is + (condition.compare == CompareOp::not_equal ? " = " : " is not ") + limit;
}

namespace {

/// Cuts what a script claims to the time that there is, and says so. Its intervals may lie outside of what is judged;
/// those of expressions cannot.
void cut_to_wall(std::optional<Claim>& claim, std::string_view what, Evaluator& evaluator,
                 std::vector<std::string>& log) {
  if (!claim || !claim->amount.high.finite()) return;
  const RunContext& run = evaluator.run();
  const Number before = claim->amount.high;
  if (claim->intervals && run.window(evaluator.subject())) {
    claim->intervals = std::make_shared<const IntervalSet>(*claim->intervals & run.parts(evaluator.subject()));
    claim->amount.high = std::min(claim->amount.high, Number(claim->intervals->length()));
    claim->amount.low = std::min(claim->amount.low, claim->amount.high);
  }
  claim = sound(std::move(claim), evaluator);
  if (!claim || claim->amount.high == before) return;
  const bool has_wall = share_base(run, evaluator.subject()).of == ShareOf::wall;
  log.push_back(std::string(what) + " of " + format_duration(before.rounded()) + " is cut to the " +
                (has_wall ? "wall" : "device time") + ": " + format_duration(claim->amount.high.rounded()));
}

std::optional<Value> decide_by_script(const CheckedRule& checked, Evaluator& evaluator, Judgement& out,
                                      ScriptFinding& said) {
  ScriptVerdict verdict = checked.rule->script->judge(*checked.script_scope, evaluator);
  out.outcome = verdict.outcome;
  out.causes = std::move(verdict.causes);
  out.reason = std::move(verdict.reason);
  out.log = std::move(verdict.log);
  said = std::move(verdict.finding);
  cut_to_wall(said.impact, "impact", evaluator, out.log);
  cut_to_wall(said.gain, "gain", evaluator, out.log);
  return verdict.outcome == Outcome::fired ? std::optional(std::move(verdict.basis)) : std::nullopt;
}

/// What decided that the rule fires; nothing when it does not, and `out` says why.
std::optional<Value> decide(const CheckedRule& checked, Evaluator& evaluator, Judgement& out, ScriptFinding& said) {
  if (checked.script_scope) return decide_by_script(checked, evaluator, out, said);
  if (!checked.when) {
    out.outcome = Outcome::not_applicable;
    out.reason = "it has no condition";
    return {};
  }
  Value when = evaluator.eval(*checked.when);
  const auto* holds = when.as<bool>();
  if (holds != nullptr && *holds) return when;
  out.outcome = holds == nullptr ? Outcome::inconclusive : Outcome::clear;
  if (holds == nullptr) out.causes = when.causes();
  else out.nearest = deciding_comparison(*checked.when, evaluator);
  return {};
}

}  // namespace

bool compares_nothing(const CheckedRule& checked, const RunContext& run, Judgement& judgement) {
  if (!checked.rule->compares || run.compared()) return false;
  judgement.outcome = Outcome::not_applicable;
  judgement.reason = "there is nothing to compare with";
  return true;
}

Judgement judge(const CheckedRule& checked, Evaluator& evaluator) {
  Judgement out{.subject = evaluator.subject()};
  try {
    if (compares_nothing(checked, evaluator.run(), out)) return out;
    if (checked.applies) {
      const Value applies = evaluator.eval(*checked.applies);
      const auto* yes = applies.as<bool>();
      if (yes == nullptr) {
        out.outcome = Outcome::inconclusive;
        out.causes = applies.causes();
        return out;
      }
      if (!*yes) {
        out.outcome = Outcome::not_applicable;
        out.reason = "its `applies` does not hold";
        return out;
      }
    }
    if (Causes missing = missing_needs(checked, evaluator); !missing.empty()) {
      out.outcome = Outcome::inconclusive;
      out.causes = std::move(missing);
      return out;
    }
    ScriptFinding said;
    const std::optional<Value> when = decide(checked, evaluator, out, said);
    if (!when) return out;
    const CheckedFinding& finding = finding_for(checked, evaluator);
    for (const auto& [condition, reason] : finding.except) {
      const Value excepted = evaluator.eval(*condition);
      if (const auto* yes = excepted.as<bool>(); yes && *yes) {
        out.outcome = Outcome::clear;
        out.reason = reason;
        return out;
      }
    }
    out.draft = draft_of(checked, finding, evaluator, *when, checked.script_scope ? &said : nullptr);
    out.outcome = Outcome::fired;
  } catch (const BudgetExceeded& budget) {
    out.outcome = Outcome::failed;
    out.reason = "K501: " + budget.reason;
    out.draft.reset();
  }
  return out;
}

}  // namespace kdiag
