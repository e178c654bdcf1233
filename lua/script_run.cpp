// SPDX-License-Identifier: Apache-2.0
#include "lua/script_run.hpp"

#include <algorithm>
#include <set>

#include <kdiag/error_ids.hpp>

#include "dsl/expressions/parse_expr.hpp"
#include "engine/checking/fact_presence.hpp"
#include "engine/eval/render.hpp"

namespace kdiag::lua {
namespace {

// A script asks some dozens of different questions; one that makes new ones in a loop should use columns (judgement).
constexpr std::size_t most_expressions = 1000;
// What checking an expression counts, in instructions for each of its characters (judgement: a microsecond).
constexpr std::uint64_t work_of_character = 100;
constexpr std::size_t most_notes = 20;
constexpr std::size_t longest_note = 1024;

std::size_t bytes_of(const RowValues& values) {
  return std::visit([](const auto& data) { return data.size() * sizeof(data[0]); }, values.data);
}

std::size_t bytes_of(const List& list) {
  std::size_t out = list.size() * sizeof(Value);
  for (const Value& item : list)
    if (const auto* text = item.as<std::string>()) out += text->size();
  return out;
}

std::size_t bytes_of(const TimeRange& set) {
  const std::size_t high = set.high->intervals().size();
  return (set.low == set.high ? high : set.low->intervals().size() + high) * sizeof(Interval);
}

std::size_t bytes_of(const TableRows& table) {
  std::size_t out = table.rows ? table.rows->size() * sizeof((*table.rows)[0]) : 0;
  if (table.derived)
    for (const RowValues& column : table.derived->columns) out += bytes_of(column);
  return out;
}

std::size_t bytes_of(const Answer& object) {
  const Value& value = object.value;
  if (const auto* set = value.as<TimeRange>()) return sizeof(Answer) + bytes_of(*set);
  if (const auto* list = value.as<List>()) return sizeof(Answer) + bytes_of(*list);
  if (const auto* table = value.as<TableRows>()) return sizeof(Answer) + bytes_of(*table);
  if (const auto* text = value.as<std::string>()) return sizeof(Answer) + text->size();
  if (const auto* series = value.as<Series>()) return sizeof(Answer) + series->spans.size() * sizeof(series->spans[0]);
  return sizeof(Answer);
}

/// The memory of a question: its text, and for each part of its plan a node of the plan and one of the tree.
std::size_t bytes_of(const Expression& expression, const PlanPtr& plan) {
  std::set<const Plan*> parts;
  const auto count = [&parts](const auto& self, const Plan& part) -> void {
    if (!parts.insert(&part).second) return;
    for (const PlanPtr& arg : part.args)
      if (arg) self(self, *arg);
  };
  count(count, *plan);
  return expression.text.text.size() + parts.size() * (sizeof(Plan) + sizeof(Expr));
}

/// An expression as errors show it: what is wrong with it must not be cut off behind it.
std::string shown_in_error(std::string_view expression) {
  constexpr std::size_t longest = 200;
  return std::string(begin_of(expression, longest)) + (expression.size() > longest ? "..." : "");
}

}  // namespace

ScriptRun::ScriptRun(const ScriptScope& scope, Evaluator& evaluator, const LuaLimits& limits)
    : scope_(scope), evaluator_(evaluator), limits_(limits), sandbox_(limits, this, evaluator.run().cancel()) {}

ScriptVerdict ScriptRun::verdict() && {
  if (sandbox_.end() == End::interrupted) throw Interrupted{};
  ScriptVerdict out;
  out.outcome = sandbox_.end() == End::failed         ? Outcome::failed
                : sandbox_.end() == End::inconclusive ? Outcome::inconclusive
                : fired                               ? Outcome::fired
                                                      : Outcome::clear;
  out.causes = sandbox_.causes();
  out.reason = sandbox_.reason();
  out.finding = std::move(finding);
  out.basis = std::move(basis_);
  out.log = std::move(log_);
  return out;
}

// --- Expressions ----------------------------------------------------------------------------------------------------

void ScriptRun::set_error(const Diagnostics& diagnostics, std::string_view expression) {
  const Diagnostic& first = diagnostics.front();
  std::string text = first.id + ": " + first.title + " in `" + shown_in_error(expression) + "`";
  if (!first.labels.empty() && !first.labels.front().text.empty()) text += ": " + first.labels.front().text;
  if (!first.help.empty()) text += "; " + first.help;
  sandbox_.set_error(std::move(text));
}

const Answer* ScriptRun::check_and_evaluate(Side side, std::unique_ptr<Asked> asked, AskedByText& known,
                                            std::string key, std::string_view shown) {
  Diagnostics diagnostics;
  asked->plan = check_expression(asked->expression, scope_.names, diagnostics);
  if (!asked->plan) {
    set_error(diagnostics, asked->expression.text.text);
    return nullptr;
  }
  asked->answer.type = asked->plan->type;
  asked->answer.side = side;
  {
    const Sandbox::Pause pause(sandbox_);
    asked->answer.value = side == Side::run ? evaluator_.eval(*asked->plan) : evaluator_.eval_in_baseline(*asked->plan);
  }
  inherit(basis_, asked->answer.value);
  const std::size_t bytes = bytes_of(asked->expression, asked->plan) + bytes_of(asked->answer);
  sandbox_.charge_memory(static_cast<std::int64_t>(bytes));
  if (sandbox_.ended()) return nullptr;
  asked->answer.counted = true;
  if (log_.size() < most_log_lines)
    log_.push_back(std::string(begin_of(shown, longest_note)) +
                   (side == Side::run ? " = " : " in the baseline run = ") +
                   render_value(asked->answer.value, asked->answer.type, context(side)));
  ++asked_;
  return &known.emplace(std::move(key), std::move(asked)).first->second->answer;
}

bool ScriptRun::may_ask(std::size_t bytes) {
  sandbox_.charge(work_of_character * (1 + bytes));
  if (asked_ >= most_expressions)
    sandbox_.fail(error_id::script_limit,
                  "it asked more than " + std::to_string(most_expressions) + " different expressions");
  return !sandbox_.ended();
}

const Answer* ScriptRun::ask(Side side, std::string_view expression) {
  AskedByText& all = expressions_.of(side);
  if (const auto found = all.find(expression); found != all.end()) return &found->second->answer;
  if (!may_ask(expression.size())) return nullptr;
  auto asked = std::make_unique<Asked>();
  asked->expression.text = whole_text(std::make_shared<const Source>(Source{"kd.eval", std::string(expression)}));
  auto tree = parse_expression(asked->expression.text);
  if (!tree) {
    set_error(tree.error(), expression);
    return nullptr;
  }
  asked->expression.tree = std::move(*tree);
  return check_and_evaluate(side, std::move(asked), all, std::string(expression), expression);
}

const Answer* ScriptRun::ask(Side side, const Question& question) {
  AskedByText& all = questions_.of(side);
  std::string key = key_of(question);
  if (const auto found = all.find(key); found != all.end()) return &found->second->answer;
  if (!may_ask(key.size())) return nullptr;
  BuiltQuestion built = build(question);
  if (!built.expression.tree) {
    sandbox_.set_error(built.errors.front().id + ": `" + shown_in_error(built.wrong) +
                       "` is no expression: " + built.errors.front().title);
    return nullptr;
  }
  auto asked = std::make_unique<Asked>();
  asked->expression = std::move(built.expression);
  const std::string shown = asked->expression.text.text;
  return check_and_evaluate(side, std::move(asked), all, std::move(key), shown);
}

const Answer* ScriptRun::known(const Answer* answer) {
  if (answer == nullptr || answer->value.known()) return answer;
  sandbox_.give_up(answer->value.causes());
  return nullptr;
}

const Answer* ScriptRun::ask_presence(Side side, std::string_view fact) {
  AskedByText& all = presences_.of(side);
  if (const auto found = all.find(fact); found != all.end()) return &found->second->answer;
  if (!may_ask(fact.size())) return nullptr;
  auto asked = std::make_unique<Asked>();
  asked->expression.text = whole_text(std::make_shared<const Source>(Source{"kd.has", std::string(fact)}));
  Diagnostics diagnostics;
  asked->expression.tree = presence_of({std::string(fact), asked->expression.text.whole},
                                       {0, static_cast<std::uint32_t>(fact.size())}, {}, diagnostics);
  if (!asked->expression.tree) {
    set_error(diagnostics, fact);
    return nullptr;
  }
  return check_and_evaluate(side, std::move(asked), all, std::string(fact), "has " + std::string(fact));
}

bool ScriptRun::rows_are_known(const Answer& table) {
  const auto* rows = table.value.as<TableRows>();
  if (rows == nullptr || rows->coverage >= least_coverage) return true;
  sandbox_.give_up(rows->causes.empty() ? doubts_of({&table.value}) : rows->causes);
  return false;
}

// --- What the script holds ------------------------------------------------------------------------------------------

std::uint32_t ScriptRun::keep(Answer object) {
  const std::size_t bytes = object.counted ? sizeof(Answer) : bytes_of(object);
  sandbox_.charge_memory(static_cast<std::int64_t>(bytes));
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(objects_.size());
    objects_.emplace_back();
    sizes_.push_back(0);
    free_.reserve(objects_.size());  // so that to drop one never needs memory
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  objects_[slot] = std::make_unique<Answer>(std::move(object));
  sizes_[slot] = bytes;
  return slot;
}

void ScriptRun::drop(std::uint32_t slot) {
  objects_[slot].reset();
  free_.push_back(slot);
  sandbox_.charge_memory(-static_cast<std::int64_t>(sizes_[slot]));
}

// --- Why values are not exactly known -------------------------------------------------------------------------------

std::uint32_t ScriptRun::add_doubts(const Causes& doubts) {
  const auto known = std::find(doubts_.begin(), doubts_.end(), doubts);
  if (known != doubts_.end()) return static_cast<std::uint32_t>(known - doubts_.begin()) + 1;
  if (doubts_.size() == most_expressions) return static_cast<std::uint32_t>(doubts_.size());
  doubts_.push_back(doubts);
  return static_cast<std::uint32_t>(doubts_.size());
}

std::uint32_t ScriptRun::join_doubts(std::uint32_t a, std::uint32_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  Causes both = doubts(a);
  merge_causes(both, doubts(b));
  return add_doubts(both);
}

Causes ScriptRun::doubts(std::uint32_t number) const {
  return number == 0 ? Causes{{"", "the data is partial"}} : doubts_[number - 1];
}

void ScriptRun::note_column(ColumnId column) {
  auto& columns = basis_.columns;
  const auto place = std::lower_bound(columns.begin(), columns.end(), column.index);
  if (place == columns.end() || *place != column.index) columns.insert(place, column.index);
}

// --- What the script says -------------------------------------------------------------------------------------------

bool ScriptRun::charge_output(std::size_t bytes) {
  output_ += bytes;
  if (output_ > limits_.output_bytes)
    sandbox_.fail(error_id::script_limit, "it said more than " + std::to_string(limits_.output_bytes) + " bytes");
  return !sandbox_.ended();
}

void ScriptRun::note(std::string_view text) {
  if (notes_ == most_notes || !charge_output(text.size())) return;
  ++notes_;
  log_.push_back("note " + std::string(begin_of(text, longest_note)));
}

}  // namespace kdiag::lua
