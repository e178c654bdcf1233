// SPDX-License-Identifier: Apache-2.0
// What a name in an expression means: a column of the row, a let, a define, a subject, a table.
#include <algorithm>

#include <kdiag/error_ids.hpp>

#include "base/edit_distance.hpp"
#include "engine/checking/checker.hpp"

namespace kdiag {
namespace {

/// As find_column, of a table that need not be found by its name.
ColumnId column_named(TableId table, std::string_view name) {
  const ColumnRange range = columns_of(table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c)
    if (catalogue_columns[c].name == name) return {c};
  return {};
}

/// Whether rows of any table have it.
bool is_column(std::string_view name) {
  return std::any_of(catalogue_columns.begin(), catalogue_columns.end(),
                     [&](const ColumnInfo& column) { return column.name == name && !column.traits.transient; });
}

}  // namespace

PlanPtr Checker::column_of_row(const RowScope& row, std::string_view name, TextRange range) {
  if (row.table.schema) {
    const auto& columns = row.table.schema->columns;
    for (std::uint32_t i = 0; i < columns.size(); ++i)
      if (columns[i].first == name) {
        auto out = plan(PlanOp::column, columns[i].second, range);
        out->slot = i;
        out->per_row = true;
        return out;
      }
    return nullptr;
  }
  if (name == "end" && column_named(row.table.table, "dur").valid()) {
    const PlanPtr start = column_of_row(row, "start", range);
    const PlanPtr dur = column_of_row(row, "dur", range);
    return start && dur ? PlanPtr(plan(PlanOp::add, start->type, range, {start, dur})) : nullptr;
  }
  const ColumnId column = column_named(row.table.table, name);
  if (!column.valid() || info(column).traits.transient) return nullptr;
  auto out = plan(PlanOp::column, type_of(info(column)), range);
  out->slot = column.index;
  out->per_row = true;
  return out;
}

PlanPtr Checker::named_row(std::string_view name, TextRange range, const RowScope* row) {
  for (const RowScope* scope = row; scope != nullptr; scope = scope->outer) {
    if (scope->alias != name) continue;
    auto out = plan(scope == row ? PlanOp::row : PlanOp::outer_row, types::reference(scope->table.table), range);
    out->table = scope->table.table;
    out->slot = scope->slot;
    out->per_row = scope == row;
    if (scope != row) out->outer = {scope->slot};
    return out;
  }
  return nullptr;
}

PlanPtr Checker::subject_row(std::string_view name, TextRange range) {
  const SubjectSpec& subject = scope_.subject;
  TableId target;
  if (name == "run") target = table("runs");
  else if (subject.kind != SubjectKind::run && name == name_of(subject.kind)) target = subject.table;
  else if (name == "device" && (subject.has_device() || scope_.query)) target = table("devices");
  else if (name == "rank" && subject.has_rank()) target = table("ranks");
  else return nullptr;
  auto out = plan(PlanOp::subject, types::reference(target), range);
  out->table = target;
  return out;
}

const Binding* Checker::find_define(std::string_view name) const {
  if (!scope_.defines) return nullptr;
  const auto found = scope_.defines->values.find(name);
  if (found == scope_.defines->values.end()) return nullptr;
  if (scope_.used) scope_.used->defines.insert(found->first);
  return &found->second;
}

std::optional<const Define*> Checker::find_formula(std::string_view name) const {
  if (!scope_.defines) return {};
  const auto found = scope_.defines->formulas.find(name);
  if (found == scope_.defines->formulas.end()) return {};
  if (scope_.used) scope_.used->defines.insert(found->first);
  return found->second;
}

PlanPtr Checker::check_name(const Expr& expr, const NameRef& name, const RowScope* row) {
  if (row != nullptr) {
    if (row->grouped) {
      for (std::uint32_t i = 0; i < row->keys.size(); ++i)
        if (row->keys[i].first == name.name) {
          auto key = plan(PlanOp::group_key, row->keys[i].second, expr.range);
          key->slot = i;
          return key;
        }
      if (column_of_row(*row, name.name, expr.range))
        return error(error_id::column_without_aggregate, "a column of the group needs an aggregate", expr.range,
                     "many values",
                     "write sum(" + name.name + "), max(" + name.name + "), ... or add it to `group by`");
    } else if (PlanPtr column = column_of_row(*row, name.name, expr.range)) {
      if (scope_.arguments.count(name.name) == 0) return column;
      return error(error_id::taken_name, "the parameter '" + name.name + "' is hidden by a column of that name",
                   expr.range, "of " + describe(row->table), "give the parameter another name");
    }
  }
  if (PlanPtr named = named_row(name.name, expr.range, row)) return named;
  if (const auto argument = scope_.arguments.find(name.name); argument != scope_.arguments.end()) {
    if (row != nullptr) inner_uses_.emplace_back(name.name, expr.range);
    if (scope_.used) scope_.used->arguments.insert(name.name);
    whole_.parts += argument->second.parts - 1;  // as if it stood here
    return argument->second.value;
  }
  if (const auto let = scope_.lets.find(name.name); let != scope_.lets.end()) {
    if (scope_.used) scope_.used->lets.insert(name.name);
    auto out = plan(PlanOp::let, let->second.type, expr.range);
    out->slot = let->second.slot;
    return let->second.type.is(Kind::nothing) ? nullptr : PlanPtr(out);
  }
  if (const Binding* define = find_define(name.name)) {
    auto out = plan(PlanOp::define, define->type, expr.range);
    out->slot = define->slot;
    return define->type.is(Kind::nothing) ? nullptr : PlanPtr(out);
  }
  if (const auto formula = find_formula(name.name)) return *formula ? use_formula(expr, {}, **formula, row) : nullptr;
  if (PlanPtr subject = subject_row(name.name, expr.range)) return subject;
  if (const TableId id = find_table(name.name); id.valid()) {
    auto out = plan(PlanOp::table, types::table(id), expr.range);
    out->table = id;
    return out;
  }
  return unknown_name(name.name, expr.range, row);
}

/// The member that a bare name stands for: `wall` for `run.wall`.
std::string Checker::member_of_subject(std::string_view name, TextRange range) {
  for (const std::string_view subject :
       {std::string_view("run"), std::string_view("rank"), std::string_view("device"), name_of(scope_.subject.kind)}) {
    const PlanPtr row = subject_row(subject, range);
    if (row == nullptr) continue;
    const ColumnId column = find_column(info(row->table).name, name);
    if (column.valid() && !info(column).traits.transient)
      return "did you mean '" + std::string(subject) + "." + std::string(name) + "'?";
  }
  return {};
}

std::nullptr_t Checker::unknown_name(std::string_view name, TextRange range, const RowScope* row) {
  std::vector<std::string_view> known;
  if (row != nullptr) known = column_names(row->table);
  for (const RowScope* scope = row; scope != nullptr; scope = scope->outer)
    if (!scope->alias.empty()) known.push_back(scope->alias);
  for (const auto& [let, binding] : scope_.lets) known.push_back(let);
  if (scope_.defines) {
    for (const auto& [define, binding] : scope_.defines->values) known.push_back(define);
    for (const auto& [define, formula] : scope_.defines->formulas) known.push_back(define);
  }
  for (const auto& [argument, value] : scope_.arguments) known.push_back(argument);
  for (const TableInfo& table : catalogue_tables) known.push_back(table.name);
  known.emplace_back("run");
  std::string help;
  if (scope_.params.contains(std::string(name))) {
    help = "a parameter is written with a dollar sign: $" + std::string(name);
    known.clear();
  } else if (subject_kind(name)) {
    help = "`" + std::string(name) + "` is a subject: add `for_each: " + std::string(name) + "`";
    if (const TableId rows = find_table(std::string(name) + "s"); rows.valid())
      help = "the table is `" + std::string(info(rows).name) + "`; " + help;
    known.clear();
  } else if (find_function(name) != nullptr) {
    help = "`" + std::string(name) + "` is a function: " + std::string(find_function(name)->signature);
    known.clear();
  }
  std::string meant = did_you_mean(name, known);
  if (meant.empty() && help.empty() && row != nullptr) meant = did_you_mean_column(name, column_names(row->table));
  if (meant.empty() && help.empty()) meant = member_of_subject(name, range);
  constexpr std::string_view nothing[] = {"null", "nil", "none", "None", "NULL", "absent", "unknown"};
  if (std::find(std::begin(nothing), std::end(nothing), name) != std::end(nothing))
    help = "`x is known` tells whether x is known, `default(x, 0)` gives it a value where it is not";
  else if (meant.empty() && help.empty() && row == nullptr && is_column(name))
    help = "`" + std::string(name) + "` is a column of rows: their table comes first, as in max(kernels, dur)";
  else if (meant.empty() && help.empty())
    help = "if this is a text, it stands in quotes: \"" + std::string(name) + "\"";
  return error(error_id::unknown_name, "unknown name '" + std::string(name) + "'", range, meant, help);
}

std::nullptr_t Checker::unknown_column(std::string_view name, const Type& table, TextRange range) {
  const std::string of =
      table.schema ? std::string(name) : std::string(info(table.table).name) + "." + std::string(name);
  std::string help;
  const std::string label = did_you_mean(name, column_names(table));
  if (label.empty()) {
    help = "it has:";
    for (std::string_view column : column_names(table)) help += " " + std::string(column);
  }
  return error(error_id::unknown_column, "unknown column '" + of + "'", range, label, help);
}

PlanPtr Checker::subject_column(const PlanPtr& subject, std::string_view name, TextRange name_range, TextRange range) {
  const SubjectSpec& spec = scope_.subject;
  const ColumnId column = find_column(info(spec.table).name, name);
  if (!column.valid() || info(column).traits.transient) return unknown_column(name, subject->type, name_range);
  const bool key = std::find(spec.keys.begin(), spec.keys.end(), column) != spec.keys.end();
  const bool one_row = spec.kind == SubjectKind::kernel || spec.kind == SubjectKind::op;
  if (!key && !one_row) {
    const std::string arguments = "(" + std::string(info(spec.table).name) + ", " + std::string(name) + ")";
    const bool numeric = type_of(info(column)).numeric();
    return error(error_id::column_without_aggregate, "a column of the group needs an aggregate", name_range,
                 "many values",
                 numeric ? "write sum" + arguments + ", max" + arguments + ", ..."
                         : "make it a key of `for_each`, or take one by argmax or mode");
  }
  auto row = plan(PlanOp::subject, subject->type, subject->range);
  row->table = spec.table;
  row->slot = key ? 0 : subject_in_one_row;
  auto out = plan(PlanOp::member, type_of(info(column)), range, {row});
  out->slot = column.index;
  return out;
}

PlanPtr Checker::member_of(const PlanPtr& object, std::string_view name, TextRange name_range, TextRange range) {
  if (!object->type.is(Kind::reference)) {
    std::string help;
    if (object->type.is(Kind::table)) {
      const std::string rows(object->type.schema ? "table" : info(object->type.table).name);
      help = find_function(name) != nullptr
                 ? "a function is called with its table: " + std::string(name) + "(" + rows + ")"
                 : "a table has many rows: use an aggregate, such as max(" + rows + ", " + std::string(name) + ")";
    }
    return error(error_id::wrong_type, describe(object->type) + " has no members", name_range, {}, help);
  }
  if (object->op == PlanOp::subject && object->table == table("runs") && name == "wall")
    return plan(PlanOp::run_wall, types::number(dimensions::time), range);
  if (object->op == PlanOp::subject && scope_.subject.grouped() && object->table == scope_.subject.table)
    return subject_column(object, name, name_range, range);
  const TableId table = object->type.table;
  if (name == "end" && column_named(table, "dur").valid()) {
    const PlanPtr start = member_of(object, "start", name_range, range);
    const PlanPtr dur = member_of(object, "dur", name_range, range);
    return start && dur ? PlanPtr(plan(PlanOp::add, start->type, range, {start, dur})) : nullptr;
  }
  const ColumnId column = column_named(table, name);
  if (!column.valid() || info(column).traits.transient) return unknown_column(name, object->type, name_range);
  auto out = plan(PlanOp::member, type_of(info(column)), range, {object});
  out->slot = column.index;
  return out;
}

PlanPtr Checker::check_member(const Expr& expr, const Member& member, const RowScope* row) {
  if (const auto* name = std::get_if<NameRef>(&member.object->node)) {
    if (name->name == "all") {
      const TableId id = find_table(member.name);
      if (!id.valid()) {
        std::vector<std::string_view> tables;
        for (const TableInfo& table : catalogue_tables) tables.push_back(table.name);
        return error(error_id::unknown_name, "unknown table '" + member.name + "'", member.name_range,
                     did_you_mean(member.name, tables));
      }
      auto out = plan(PlanOp::whole_table, types::table(id), expr.range);
      out->table = id;
      return out;
    }
    // Inside a table's rows `device.name` may be the row's own device or the subject: the row's wins, and where the
    // table has no such column the subject is meant.
  }
  const PlanPtr object = check(member.object, row);
  return object ? member_of(object, member.name, member.name_range, expr.range) : nullptr;
}

}  // namespace kdiag
