// SPDX-License-Identifier: Apache-2.0
#include "engine/checking/call_check.hpp"

#include <algorithm>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "engine/checking/type_advice.hpp"

namespace kdiag {
namespace {

bool fits_number(const Plan& value) { return value.type.numeric(); }
bool fits_condition(const Plan& value) { return value.type.is(Kind::boolean); }
bool fits_value(const Plan& value) {
  const Type& type = value.type;
  return type.numeric() || type.is(Kind::text) || type.is(Kind::boolean) || type.is(Kind::reference);
}

}  // namespace

const RowArgument row_number{.fits = fits_number, .need = "a number"};
const RowArgument row_condition{.fits = fits_condition, .need = "a condition"};
const RowArgument row_value{.fits = fits_value, .need = "a value"};

std::optional<std::vector<PlanPtr>> CallCheck::arguments() {
  std::vector<PlanPtr> out;
  out.reserve(call_.arguments.size());
  for (std::size_t i = 0; i < call_.arguments.size(); ++i) {
    out.push_back(argument(i));
    if (!out.back()) return {};
  }
  return out;
}

PlanPtr CallCheck::table(std::size_t index) {
  PlanPtr out = argument(index);
  if (out && !out->type.is(Kind::table)) return misfit(index, out, "a table");
  return out;
}

PlanPtr CallCheck::timed_table(std::size_t index) {
  PlanPtr out = table(index);
  if (!out) return nullptr;
  const auto have = column_names(out->type);
  for (const std::string_view name : {"start", "dur"})
    if (std::find(have.begin(), have.end(), name) == have.end())
      return error(error_id::wrong_arguments, std::string(function_.name) + " needs rows with time", place(index),
                   "no column '" + std::string(name) + "' in " + describe(out->type), std::string(function_.signature));
  return out;
}

bool CallCheck::one_timeline(std::size_t index, const PlanPtr& table) {
  if (scope().query || table->type.schema) return true;
  const auto have = column_names(table->type);
  const auto has = [&](std::string_view name) { return std::find(have.begin(), have.end(), name) != have.end(); };
  const std::string of_one = std::string(function_.name) + "() works on one timeline, and a run can have several ";
  if (has("device") && !scope().subject.has_device()) {
    error(error_id::several_timelines, of_one + "devices", place(index), describe(table->type),
          "add `for_each: device`");
    return false;
  }
  if (!has("device") && has("thread") && !scope().subject.has_rank()) {
    error(error_id::several_timelines, of_one + "ranks", place(index), describe(table->type),
          "add `for_each: rank`, `thread` or `device`");
    return false;
  }
  return true;
}

std::optional<PlanPtr> CallCheck::first() {
  const bool may_be_column = row_ != nullptr && row_->grouped;
  first_ = may_be_column ? checker_.try_check(call_.arguments[0], row_) : argument(0);
  if (!first_ && !may_be_column) return {};
  return first_;
}

std::optional<std::vector<PlanPtr>> CallCheck::rows(std::initializer_list<RowArgument> wanted, std::size_t optional) {
  const std::size_t given = call_.arguments.size();
  std::vector<PlanPtr> out;
  if (row_ != nullptr && row_->grouped && given <= wanted.size()) {
    out.push_back(checker_.plan(PlanOp::group_rows, row_->table, expr_.range));
    unwritten_ = 1;
  } else if (given == 0) {
    wrong("a table is missing");
    return {};
  } else {
    out.push_back(first_ && first_->type.is(Kind::table) ? first_ : table(0));
    if (!out.front()) return {};
  }
  const std::size_t values = given + unwritten_ - 1;
  if (values + optional < wanted.size() || values > wanted.size()) {
    wrong("needs " + std::string(function_.signature));
    return {};
  }
  const ExprPtr source = unwritten_ == 0 ? call_.arguments[0] : nullptr;
  const PlanPtr table = out.front();
  for (std::size_t i = 0; i < values; ++i) {
    const ExprPtr& value = call_.arguments[i + 1 - unwritten_];
    out.push_back(wanted.begin()[i].of_each_row ? checker_.check_for_rows(value, table, source, row_)
                                                : checker_.check(value, row_));
    if (!out.back()) return {};
  }
  for (std::size_t i = 0; i < values; ++i)
    if (!wanted.begin()[i].fits(*out[i + 1])) {
      misfit(i + 1, out[i + 1], wanted.begin()[i].need);
      return {};
    }
  return out;
}

PlanPtr CallCheck::result(Type type, std::vector<PlanPtr> arguments) {
  return checker_.call_plan(function_, std::move(type), expr_.range, std::move(arguments));
}

PlanPtr CallCheck::operation(PlanOp op, Type type, std::vector<PlanPtr> arguments) {
  return checker_.plan(op, std::move(type), expr_.range, std::move(arguments));
}

std::nullptr_t CallCheck::misfit(std::size_t argument, const PlanPtr& value, std::string_view need) {
  const std::string_view advice = advice_on(value->type);
  return error(error_id::wrong_arguments, "wrong arguments for " + call_.function, place(argument),
               "this is " + describe(value->type) + ", " + std::string(need) + " is needed",
               std::string(function_.signature) + (advice.empty() ? "" : "; ") + std::string(advice));
}

std::nullptr_t CallCheck::wrong_at(TextRange range, std::string label) {
  return error(error_id::wrong_arguments, "wrong arguments for " + call_.function, range, std::move(label),
               std::string(function_.signature));
}

}  // namespace kdiag
