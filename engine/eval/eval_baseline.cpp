// SPDX-License-Identifier: Apache-2.0
// Evaluation of baseline(e): an evaluator of the corresponding subject of the baseline run answers.
#include <unordered_map>

#include "engine/eval/eval.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Indices = std::vector<std::uint32_t>;

Cause no_counterpart(std::string_view of) { return {"", std::string(of) + " has no counterpart in the baseline run"}; }

/// Causes of the baseline run say so.
Causes in_baseline(Causes causes) {
  for (Cause& cause : causes) cause.reason += cause.reason.empty() ? "in the baseline run" : " in the baseline run";
  return causes;
}

Value in_baseline(Value value) {
  if (auto* unknown = std::get_if<Unknown>(&value.data)) unknown->causes = in_baseline(std::move(unknown->causes));
  value.doubts = in_baseline(std::move(value.doubts));
  value.compared = true;
  return value;
}

template <class T>
T absent_of() {
  if constexpr (std::is_same_v<T, double>) return absent_real;
  else if constexpr (std::is_same_v<T, std::int64_t>) return absent_integer;
  else if constexpr (std::is_same_v<T, std::uint32_t>) return absent_index;
  else return tri_unknown;
}

/// The values of some of `size` rows, at their places; those of the others are unknown.
RowValues spread(const RowValues& values, const std::vector<std::size_t>& places, std::size_t size) {
  RowValues out;
  std::visit(
      [&](const auto& known) {
        using T = typename std::decay_t<decltype(known)>::value_type;
        std::vector<T> all(size, absent_of<T>());
        for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = known[i];
        out.data = std::move(all);
      },
      values.data);
  return out;
}

}  // namespace

/// The groups of the baseline run, by what their keys mean.
struct Evaluator::BaselineGroups {
  TableRows table;
  Grouping groups;
  std::vector<std::vector<std::uint32_t>> rows;  ///< by group
  std::map<std::string, std::size_t> by_key;
};

Evaluator::~Evaluator() = default;

Evaluator* Evaluator::baseline() {
  if (!baseline_ && run_.baseline() != nullptr)
    if (SubjectFacts* facts = facts_.counterpart()) baseline_.reset(new Evaluator(*facts, *this));
  return baseline_.get();
}

Value Evaluator::no_baseline() const {
  if (run_.baseline() != nullptr) return unknown({no_counterpart(run_.label(subject_))});
  return unknown_fact("baseline", "not given");
}

/// Lets the baseline's evaluator stand among the rows that correspond to those around a plan; false when one has no
/// counterpart.
bool Evaluator::take_over_outer_rows(Evaluator& baseline, const Plan& plan) {
  for (const std::uint32_t slot : plan.outer) {
    const RowRef row = outer_rows_[slot];
    const Counterpart match = run_.match().row(row.table, row.row);
    if (!match) return false;
    baseline.outer_rows_[slot] = {row.table, match.row};
  }
  return true;
}

Value Evaluator::eval_baseline(const Plan& plan) {
  Evaluator* const other = baseline();
  if (other == nullptr) return no_baseline();
  const Plan& expression = *plan.args[0];
  if (!take_over_outer_rows(*other, expression)) return unknown({no_counterpart("the row")});
  if (plan.slot == baseline_of_group) return eval_in_group(*other, expression);
  return eval_in_baseline(expression);
}

Value Evaluator::eval_in_baseline(const Plan& plan) {
  Evaluator* const other = baseline();
  return other != nullptr ? in_baseline(other->eval(plan)) : no_baseline();
}

RowValues Evaluator::baseline_rows(const Plan& plan, const RowFrame& frame) {
  Evaluator* const other = baseline();
  if (other == nullptr) return broadcast(no_baseline(), plan.type, frame.size);
  const Plan& expression = *plan.args[0];
  if (!take_over_outer_rows(*other, expression))
    return broadcast(unknown({no_counterpart("the row around it")}), plan.type, frame.size);

  Indices rows;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < frame.size; ++i)
    if (const Counterpart match = run_.match().row(frame.table->base, frame.at(i))) {
      rows.push_back(match.row);
      places.push_back(i);
    }
  TableRows table{.base = frame.table->base, .rows = nullptr, .maybe = nullptr, .total = rows.size(), .causes = {}};
  table.total = other->run_.store().rows(table.base);
  RowValues values = other->rows_of(expression, RowFrame{&table, &rows, rows.size()});
  if (auto* ids = std::get_if<Indices>(&values.data)) {  // texts: those of the baseline have other ids
    std::unordered_map<std::uint32_t, std::uint32_t> known{{absent_index, absent_index}};
    for (std::uint32_t& id : *ids) {
      const auto [found, added] = known.try_emplace(id);
      if (added) found->second = run_.string_id(other->run_.string(id));
      id = found->second;
    }
  }
  RowValues out = spread(values, places, frame.size);
  out.causes = in_baseline(std::move(values.causes));
  if (places.size() < frame.size)
    merge_causes(out.causes, {no_counterpart("a row of " + std::string(info(frame.table->base).name))});
  return out;
}

/// What the keys of a group mean, in terms of the baseline's rows; nothing when it has no such row.
std::optional<std::string> Evaluator::key_of(const Plan& group, const std::vector<Value>& keys, bool in_run) {
  std::string out;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (const auto* row = keys[k].as<RowRef>()) {
      const std::uint32_t there = in_run ? run_.match().row(row->table, row->row).row : row->row;
      if (there == absent_index) return {};
      out += std::to_string(there);
    } else if (const auto* text = keys[k].as<std::string>()) {
      const Plan& key = *group.args[k + 1];
      const bool kernel = key.op == PlanOp::column &&
                          (key.slot == column("kernels.name").index || key.slot == column("kernel_stats.name").index);
      if (in_run && kernel && !group.args[0]->type.schema) {
        const Counterpart match = run_.match().kernel(run_.store().strings.find(*text));
        if (!match) return {};
        out += run_.match().baseline().strings[match.row];
      } else {
        out += *text;
      }
    } else if (const auto* range = keys[k].as<Range>()) {
      out += range->low.exact() ? std::to_string(range->low.integer()) : std::to_string(range->low.real());
    } else if (const auto* truth = keys[k].as<bool>()) {
      out += *truth ? "true" : "false";
    }
    out += '\0';
  }
  return out;
}

/// The groups that the baseline run has; null when its table is not known.
std::shared_ptr<const Evaluator::BaselineGroups> Evaluator::groups_in(Evaluator& baseline, const Plan& group) {
  const bool same_for_all_rows = group.outer.empty();
  if (same_for_all_rows)
    if (const auto known = baseline_groups_.find(&group); known != baseline_groups_.end()) return known->second;
  std::shared_ptr<BaselineGroups> out;
  const Value source = baseline.eval(*group.args[0]);
  if (const auto* table = source.as<TableRows>()) {
    out = std::make_shared<BaselineGroups>();
    out->table = *table;
    out->groups = baseline.grouping_of(group, *table);
    out->rows = rows_of_groups(out->groups, *table);
    for (std::size_t g = 0; g < out->groups.size(); ++g) {
      if (g % rows_between_looks == 0) run_.stop_if_cancelled();
      if (auto key = key_of(group, baseline.keys_of(group, out->groups, g), false)) out->by_key.emplace(*key, g);
    }
  }
  if (same_for_all_rows) baseline_groups_[&group] = out;
  return out;
}

/// An expression of the group around it, for the group of the baseline run with the same keys.
Value Evaluator::eval_in_group(Evaluator& baseline, const Plan& expression) {
  const Plan& plan = *group_->plan;
  const auto groups = groups_in(baseline, plan);
  if (!groups) return in_baseline(baseline.eval(*plan.args[0]));  // unknown: why its table is not known
  const auto key = key_of(plan, *group_->keys, true);
  const auto found = key ? groups->by_key.find(*key) : groups->by_key.end();
  if (found == groups->by_key.end()) return unknown({no_counterpart("the group")});
  TableRows rows = groups->table;
  rows.rows = std::make_shared<const Indices>(groups->rows[found->second]);
  rows.maybe = nullptr;
  const std::vector<Value> keys = baseline.keys_of(plan, groups->groups, found->second);
  const Group there{&plan, &rows, &keys, nullptr};
  baseline.group_ = &there;
  Value out = baseline.eval(expression);
  baseline.group_ = nullptr;
  inherit(out, Value{.data = groups->table, .columns = {}});
  return in_baseline(std::move(out));
}

}  // namespace kdiag
