// SPDX-License-Identifier: Apache-2.0
// The tree of values behind an outcome.
#include <algorithm>
#include <set>

#include <kdiag/format.hpp>

#include "base/text.hpp"
#include "engine/eval/render.hpp"
#include "engine/judge/baselines.hpp"
#include "engine/judge/diagnose.hpp"
#include "engine/judge/judge.hpp"
#include "engine/judge/traces_left_out.hpp"
#include "engine/language/functions.hpp"
#include "engine/language/plan_text.hpp"
#include "engine/recording/recording.hpp"
#include "engine/recording/telemetry_alone.hpp"

namespace kdiag {
namespace {

/// "NOT APPLICABLE" of `not_applicable`.
std::string heading(std::string_view name) {
  std::string out = upper(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

class Tree {
 public:
  Tree(const CheckedRule& rule, const LoadedRules& rules, Evaluator& evaluator)
      : rule_(rule), rules_(rules), evaluator_(evaluator) {}

  void condition(std::string_view role, const Plan& plan) {
    line(1, std::string(role) + " " + text_of(plan), evaluator_.eval(plan), plan.type);
    operands(plan, 2);
    names(plan, 2);
  }

  std::vector<std::string> lines() && { return std::move(out_); }

 private:
  void line(std::size_t depth, const std::string& what, const Value& value, const Type& type,
            const std::string& origin = {}) {
    constexpr std::size_t columns = 100;  // as reports without a terminal
    const std::string margin(depth * 3, ' ');
    const std::string text = margin + what + " = " + render_value(value, type, evaluator_.run());
    std::string notes;
    if (value.known() && value.coverage < 1) notes += "   (" + format_share(value.coverage) + " of the data known)";
    if (const auto providers = providers_of(value); !providers.empty()) notes += "   [" + providers + "]";
    const std::string from = origin.empty() ? origin : "   <- " + origin;
    if (text.size() + from.size() + notes.size() <= columns) {
      out_.push_back(text + from + notes);
      return;
    }
    out_.push_back(text + notes);
    if (!from.empty()) out_.push_back(margin + from);
  }

  std::string providers_of(const Value& value) const {
    std::string out;
    std::set<std::string_view> seen;
    for (std::uint16_t c : value.columns) {
      const std::string_view provider = evaluator_.run().store().provider(ColumnId{c});
      if (!provider.empty() && seen.insert(provider).second) out += (out.empty() ? "" : ", ") + std::string(provider);
    }
    return out;
  }

  /// Both sides of what is compared with the baseline run, but for what has a value for each row or group.
  void sides(const Plan& plan, std::size_t depth) {
    if (plan.per_row || !plan.outer.empty()) return;
    if (plan.op == PlanOp::call && plan.function->traits.compares_runs) {
      const Plan& side = *plan.args[0];
      line(depth, text_of(side), evaluator_.eval(side), side.type);
      line(depth, text_of(side) + " in the baseline run", evaluator_.eval(plan), plan.type);
      return;
    }
    const bool of_groups = plan.op == PlanOp::group || plan.op == PlanOp::select;
    for (std::size_t i = 0; i < (of_groups ? 1 : plan.args.size()); ++i) sides(*plan.args[i], depth);
  }

  /// The parts of a condition, each with its value and both sides of comparisons.
  void operands(const Plan& plan, std::size_t depth) {
    if (plan.per_row) return;
    if (plan.op == PlanOp::logic_and || plan.op == PlanOp::logic_or || plan.op == PlanOp::logic_not) {
      for (const PlanPtr& arg : plan.args) {
        line(depth, text_of(*arg), evaluator_.eval(*arg), arg->type);
        operands(*arg, depth + 1);
      }
    } else if (plan.op == PlanOp::compare) {
      for (const PlanPtr& arg : plan.args)
        if (arg->op != PlanOp::constant && arg->op != PlanOp::let) {
          line(depth, text_of(*arg), evaluator_.eval(*arg), arg->type);
          sides(*arg, depth + 1);
        }
    }
  }

  /// Every let and define that the plan rests on, once, with what it is made of.
  void names(const Plan& plan, std::size_t depth) {
    if (plan.op == PlanOp::let && lets_.insert(plan.slot).second) {
      const NamedExpression& let = rule_.rule->let[plan.slot];
      line(depth, let.name, evaluator_.eval(plan), plan.type,
           rule_.lets[plan.slot] ? text_of(*rule_.lets[plan.slot]) : "");
      if (!rule_.lets[plan.slot]) return;
      sides(*rule_.lets[plan.slot], depth + 1);
      names(*rule_.lets[plan.slot], depth + 1);
    } else if (plan.op == PlanOp::define && defines_.insert(plan.slot).second) {
      const PlanPtr& define = rules_.library.defines[plan.slot];
      for (const auto& [name, binding] : rules_.defines->values)
        if (binding.slot == plan.slot)
          line(depth, name, evaluator_.eval(plan), plan.type, define ? text_of(*define) : "");
      if (!define) return;
      sides(*define, depth + 1);
      names(*define, depth + 1);
    }
    for (const PlanPtr& arg : plan.args) names(*arg, depth);
  }

  const CheckedRule& rule_;
  const LoadedRules& rules_;
  Evaluator& evaluator_;
  std::set<std::uint32_t> lets_, defines_;
  std::vector<std::string> out_;
};

std::string outcome_line(const CheckedRule& rule, const Judgement& judgement, const RunContext& run,
                         const std::string& run_id) {
  std::string out = rule.rule->id + "  " + heading(name_of(judgement.outcome));
  if (judgement.draft) {
    const Draft& draft = *judgement.draft;
    out += " " + std::string(name_of(draft.severity));
    if (draft.impact) {
      const std::int64_t low = draft.impact->amount.low.rounded();
      const std::int64_t high = draft.impact->amount.high.rounded();
      out += "   impact " + format_duration_range(low, high);
      if (const ShareBase base = share_base(run, judgement.subject); base.ns > 0)
        out += " (" +
               format_share_range(static_cast<double>(low) / static_cast<double>(base.ns),
                                  static_cast<double>(high) / static_cast<double>(base.ns)) +
               " of " + (base.of == ShareOf::wall ? "the wall" : "device time") + ")";
    }
    out += "   confidence " + format_number(draft.confidence);
  }
  return out + "   run " + run_id + ", ";
}

/// What is said of subjects of which the same holds, such as the devices that did nothing.
struct Explained {
  std::string outcome;
  std::vector<std::string> lines;
  std::vector<std::string> subjects;  ///< labels
  bool alike(const Explained& other) const { return outcome == other.outcome && lines == other.lines; }
};

void add_explained(std::vector<std::string>& out, const Explained& explained) {
  constexpr std::size_t named = 4;  // judgement
  std::string subjects;
  for (std::size_t i = 0; i < std::min(named, explained.subjects.size()); ++i)
    subjects += (i == 0 ? "" : ", ") + explained.subjects[i];
  if (explained.subjects.size() > named)
    subjects += " and " + std::to_string(explained.subjects.size() - named) + " more alike";
  out.push_back(explained.outcome + subjects);
  out.insert(out.end(), explained.lines.begin(), explained.lines.end());
}

void add_causes(std::vector<std::string>& out, const Causes& causes, const Recorder& recorder) {
  for (const Cause& cause : causes) {
    out.push_back("   cannot tell: " + (cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason));
    if (const std::string how = recorder.how_to_record(cause.fact, cause.reason); !how.empty())
      out.push_back("      record: " + how);
  }
}

Explained explain_subject(const LoadedRules& rules, const CheckedRule& rule, const RunFacts& facts,
                          const RunContext& run, Evaluator& evaluator, const Recorder& recorder) {
  Judgement judgement = judge(rule, evaluator);
  if (of_telemetry_alone(run.store())) leave_traces_out(judgement);
  Explained out{outcome_line(rule, judgement, run, facts.id), {}, {run.label(judgement.subject)}};
  if (!judgement.reason.empty()) out.lines.push_back("   " + judgement.reason);
  if (!judgement.nearest.empty()) out.lines.push_back("   not met: " + judgement.nearest);
  add_causes(out.lines, judgement.causes, recorder);
  for (const std::string& line : judgement.log) out.lines.push_back("   " + line);
  if (judgement.outcome == Outcome::failed) return out;
  try {
    Tree tree(rule, rules, evaluator);
    if (rule.applies) tree.condition("applies", *rule.applies);
    if (rule.when) tree.condition("when", *rule.when);
    for (std::string& line : std::move(tree).lines()) out.lines.push_back(std::move(line));
  } catch (const BudgetExceeded& budget) {
    out.lines.push_back("   stopped: " + budget.reason);
  }
  return out;
}

}  // namespace

std::vector<std::string> explain_rule(const LoadedFacts& facts, const LoadedRules& rules, const CheckedRule& rule,
                                      const DiagnoseOptions& options) {
  std::vector<std::string> out;
  const Baselines baselines(facts, options.baseline ? &options.baseline->loaded() : nullptr, options.cancel);
  for (std::size_t place = 0; place < facts.runs.size(); ++place) {
    const RunFacts& run_facts = facts.runs[place];
    const RunContext run(baselines.judged(place), baselines.of(place), options.cancel);
    const Recorder recorder(*run_facts.store);
    const SubjectList found = run.subjects(rule.subject);
    if (found.subjects.empty()) {
      const bool known = found.missing.empty();
      out.push_back(rule.rule->id + (known ? "  NOT APPLICABLE" : "  INCONCLUSIVE") + "   run " + run_facts.id);
      if (known) out.push_back("   there are no " + rule.subject.plural());
      else add_causes(out, {{found.missing, "not recorded"}}, recorder);
      continue;
    }
    std::vector<Explained> explained;
    for (const Subject& subject : found.subjects) {
      SubjectFacts subject_facts(run, subject, rules.library.shared);
      Evaluator evaluator(run, rules.library, rule.lets, subject_facts);
      Explained one = explain_subject(rules, rule, run_facts, run, evaluator, recorder);
      const auto alike =
          std::find_if(explained.begin(), explained.end(), [&](const Explained& other) { return one.alike(other); });
      if (alike == explained.end()) explained.push_back(std::move(one));
      else alike->subjects.push_back(std::move(one.subjects.front()));
    }
    for (const Explained& one : explained) add_explained(out, one);
  }
  return out;
}

}  // namespace kdiag
