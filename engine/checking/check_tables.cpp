// SPDX-License-Identifier: Apache-2.0
// Checking of what makes tables of tables: where, group by, select, during.
#include <algorithm>

#include <kdiag/error_ids.hpp>

#include "engine/checking/checker.hpp"
#include "engine/checking/type_advice.hpp"

namespace kdiag {

PlanPtr Checker::check_for_rows(const ExprPtr& expr, const PlanPtr& table, const ExprPtr& source,
                                const RowScope* outer) {
  RowScope inner{.table = table->type, .alias = source ? row_name(*source) : "", .outer = outer};
  if (!inner.alias.empty()) inner.slot = whole_.slots++;
  return check(expr, &inner);
}

PlanPtr Checker::check_as(const Expr& expr, const As& as, const RowScope* row) {
  PlanPtr source = check(as.table, row);
  if (!source) return nullptr;
  const TextRange name{expr.range.end - static_cast<std::uint32_t>(as.name.size()), expr.range.end};
  if (!source->type.is(Kind::table) || source->type.schema)
    return error(error_id::wrong_type, "`as` names the rows of a table of facts", as.table->range,
                 describe(source->type));
  const char* meaning = nullptr;
  if (find_table(as.name).valid()) meaning = "a table";
  else if (subject_kind(as.name)) meaning = "a subject";
  else if (column_of_row({.table = source->type}, as.name, name)) meaning = "a column of its rows";
  if (meaning != nullptr)
    return error(error_id::taken_name, "rows cannot be called '" + as.name + "'", name,
                 std::string("that is ") + meaning);
  return source;
}

PlanPtr Checker::check_where(const Expr& expr, const Where& where, const RowScope* row) {
  const PlanPtr source = check(where.table, row);
  if (!source) return nullptr;
  if (!source->type.is(Kind::table))
    return error(error_id::wrong_type, "`where` filters a table", where.table->range, describe(source->type),
                 std::string(advice_on(source->type)));
  const PlanPtr condition = check_for_rows(where.condition, source, where.table, row);
  if (!condition) return nullptr;
  if (!condition->type.is(Kind::boolean))
    return error(error_id::wrong_type, "`where` needs a condition", where.condition->range, describe(condition->type));
  auto out = plan(PlanOp::where, source->type, expr.range, {source, condition});
  out->per_row = source->per_row;
  return out;
}

PlanPtr Checker::check_group(const Expr& expr, const Group& group, const RowScope* row) {
  const PlanPtr source = check(group.table, row);
  if (!source) return nullptr;
  if (!source->type.is(Kind::table))
    return error(error_id::wrong_type, "`group by` groups a table", group.table->range, describe(source->type),
                 std::string(advice_on(source->type)));
  auto schema = std::make_shared<Schema>();
  RowScope inner{.table = source->type, .outer = row, .grouped = true};
  std::vector<PlanPtr> args{source};
  std::vector<std::string> names;
  const auto add = [&](const Named& named, const PlanPtr& value) {
    if (!value) return false;
    if (std::find(names.begin(), names.end(), named.name) != names.end()) {
      error(error_id::column_named_twice, "'" + named.name + "' is named twice", named.name_range);
      return false;
    }
    if (value->type.is(Kind::table) || value->type.is(Kind::list) || value->type.is(Kind::series) ||
        value->type.is(Kind::intervals) || value->type.is(Kind::claim)) {
      error(error_id::wrong_type, "a column holds one number, text, bool or row", named.value->range,
            describe(value->type));
      return false;
    }
    names.push_back(named.name);
    schema->columns.emplace_back(named.name, value->type);
    args.push_back(value);
    return true;
  };
  for (const Named& key : group.keys) {
    const PlanPtr value = check_for_rows(key.value, source, group.table, row);
    if (!add(key, value)) return nullptr;
    inner.keys.emplace_back(key.name, value->type);
  }
  for (const Named& column : group.select)
    if (!add(column, check(column.value, &inner))) return nullptr;
  if (group.select.empty()) {
    names.emplace_back("count");
    schema->columns.emplace_back("count", types::number());
  }
  auto out = plan(PlanOp::group, {.kind = Kind::table, .dimension = {}, .table = {}, .schema = schema}, expr.range,
                  std::move(args));
  out->names = std::move(names);
  out->keys = group.keys.size();
  out->per_row = source->per_row;
  return out;
}

PlanPtr Checker::check_select(const Expr& expr, const Select& select, const RowScope* row) {
  const PlanPtr source = check(select.table, row);
  if (!source) return nullptr;
  if (!source->type.is(Kind::table))
    return error(error_id::wrong_type, "`select` takes columns of a table", select.table->range,
                 describe(source->type));
  auto schema = std::make_shared<Schema>();
  std::vector<PlanPtr> args{source};
  auto out = plan(PlanOp::select, {}, expr.range);
  for (const Named& column : select.columns) {
    PlanPtr value = check_for_rows(column.value, source, select.table, row);
    if (!value) return nullptr;
    schema->columns.emplace_back(column.name, value->type);
    out->names.push_back(column.name);
    args.push_back(std::move(value));
  }
  out->type = {.kind = Kind::table, .dimension = {}, .table = {}, .schema = schema};
  out->args = std::move(args);
  out->per_row = source->per_row;
  return out;
}

PlanPtr Checker::check_during(const Expr& expr, const During& during, const RowScope* row) {
  const PlanPtr subject = check(during.subject, row);
  const PlanPtr intervals = check(during.intervals, row);
  if (!subject || !intervals) return nullptr;
  if (!intervals->type.is(Kind::intervals))
    return error(error_id::wrong_type, "`during` needs a set of intervals on its right", during.intervals->range,
                 describe(intervals->type), "spans(table) makes one");
  if (!subject->type.is(Kind::series) && !(subject->type.is(Kind::table) && !subject->type.schema))
    return error(error_id::wrong_type, "`during` cuts a series or a table", during.subject->range,
                 describe(subject->type));
  if (subject->type.is(Kind::table) && !find_column(info(subject->type.table).name, "start").valid())
    return error(error_id::wrong_type, "rows of " + std::string(info(subject->type.table).name) + " have no time",
                 during.subject->range);
  const Type type = subject->type;
  return plan(PlanOp::during, type, expr.range, {subject, intervals});
}

}  // namespace kdiag
