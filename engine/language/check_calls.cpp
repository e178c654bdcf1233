// SPDX-License-Identifier: Apache-2.0
// Checking of function calls: arguments, types, and the mistakes that only a call can make.
#include <algorithm>

#include "base/edit_distance.hpp"
#include "engine/facts/series.hpp"
#include "engine/facts/throttle_reasons.hpp"
#include "engine/language/checker.hpp"

namespace kdiag {
namespace {

bool is_aggregate(FunctionId id) { return id >= FunctionId::count && id <= FunctionId::exists; }
bool is_timeline(FunctionId id) { return id >= FunctionId::spans && id <= FunctionId::site; }
bool is_series(FunctionId id) { return id >= FunctionId::series && id <= FunctionId::time_flagged; }

bool single_value(const Type& type) {
  return type.is(Kind::number) || type.is(Kind::text) || type.is(Kind::boolean) || type.is(Kind::reference);
}

/// Whether a filter pins `name` to one value, so that inclusive times of the rows cannot nest (but for recursion).
bool pins_one_name(const PlanPtr& condition) {
  const auto is_name = [](const PlanPtr& plan) {
    return plan->op == PlanOp::column && plan->type.is(Kind::text) && catalogue_columns[plan->slot].name == "name";
  };
  if (condition->op == PlanOp::logic_and)
    return std::any_of(condition->args.begin(), condition->args.end(), pins_one_name);
  if (condition->op == PlanOp::compare && condition->compare == CompareOp::equal)
    return is_name(condition->args[0]) || is_name(condition->args[1]);
  if (condition->op == PlanOp::in && !condition->negated && condition->args[1]->op == PlanOp::list)
    return is_name(condition->args[0]) && condition->args[1]->args.size() == 1;
  return false;
}

}  // namespace

std::nullptr_t Checker::wrong_arguments(const Call& call, const FunctionInfo& function, TextRange range,
                                        std::string label) {
  return error("K204", "wrong arguments for " + call.function, range, std::move(label),
               std::string(function.signature));
}

PlanPtr Checker::call_plan(FunctionId function, Type type, TextRange range, std::vector<PlanPtr> args) {
  auto out = plan(PlanOp::call, std::move(type), range, std::move(args));
  out->function = function;
  // What an aggregate computes for each row of its table is one value for the rows around it.
  if (is_aggregate(function) && !out->args.empty() && out->args[0]->type.is(Kind::table)) out->per_row = false;
  return out;
}

PlanPtr Checker::check_call(const Expr& expr, const Call& call, const RowScope* row) {
  const FunctionInfo* function = find_function(call.function);
  if (function == nullptr) {
    if (const auto formula = find_formula(call.function))
      return *formula ? use_formula(expr, call.arguments, **formula, row) : nullptr;
    if (find_define(call.function))
      return error("K204", "'" + call.function + "' takes no arguments", expr.range, {},
                   "a define without parameters is used by its name alone");
    std::vector<std::string_view> names;
    for (const FunctionInfo& known : function_table()) names.push_back(known.name);
    if (scope_.defines) {
      const HostFunctions& of_host = scope_.defines->host_functions;
      if (const auto host = of_host.find(call.function); host != of_host.end())
        return host_call(expr, call, host->second, row);
      for (const auto& [name, define] : scope_.defines->formulas) names.push_back(name);
      for (const auto& [name, host] : of_host) names.push_back(name);
    }
    const FunctionInfo* near = find_function(closest(call.function, names));
    return error("K303", "unknown function '" + call.function + "'", call.name_range,
                 did_you_mean(call.function, names), near ? std::string(near->signature) : "");
  }
  if (is_aggregate(function->id)) return aggregate(expr, call, *function, row);
  if (is_timeline(function->id)) return timeline(expr, call, *function, row);
  if (is_series(function->id)) return series_call(expr, call, *function, row);
  if (function->id >= FunctionId::baseline && function->id <= FunctionId::change)
    return comparison(expr, call, *function, row);
  return scalar_call(expr, call, *function, row);
}

PlanPtr Checker::table_argument(const Call& call, std::size_t index, const FunctionInfo& function,
                                const RowScope* row) {
  PlanPtr table = check(call.arguments[index], row);
  if (!table) return nullptr;
  if (!table->type.is(Kind::table))
    return wrong_arguments(call, function, call.arguments[index]->range,
                           "this is " + describe(table->type) + ", a table is needed");
  return table;
}

PlanPtr Checker::aggregate(const Expr& expr, const Call& call, const FunctionInfo& function, const RowScope* row) {
  using F = FunctionId;
  const std::size_t given = call.arguments.size();
  const F id = function.id;

  // min and max of two numbers, min and max of a series, top of a series.
  // Among the rows of a group the first argument may be a column, which has no value there: that is no error yet.
  const bool by_pair = (id == F::min || id == F::max) && given == 2;
  const bool by_series = ((id == F::min || id == F::max) && given == 1) || (id == F::top && given == 2);
  PlanPtr first;
  if (by_pair || by_series) {
    Diagnostics probe;
    const bool grouped = row != nullptr && row->grouped;
    first = Checker(text_, scope_, grouped ? probe : diagnostics_, *this).check(call.arguments[0], row);
    if (!first && !grouped) return nullptr;
  }
  if (by_pair) {
    if (first && first->type.numeric()) {
      const PlanPtr second = check(call.arguments[1], row);
      if (!second) return nullptr;
      const auto type = common_type(first, second);
      if (!type)
        return wrong_arguments(call, function, call.arguments[1]->range,
                               "this is " + describe(second->type) + ", the first is " + describe(first->type));
      return call_plan(id, *type, expr.range, {first, second});
    }
  }
  if (by_series) {
    if (first && first->type.is(Kind::series)) {
      if (id != F::top) return call_plan(id, types::number(first->type.dimension), expr.range, {first});
      const PlanPtr n = check(call.arguments[1], row);
      if (!n) return nullptr;
      auto schema = std::make_shared<Schema>();
      schema->columns = {{"value", types::number(first->type.dimension)}, {"share", types::number(dimensions::ratio)}};
      if (first->type.mask) schema->columns.emplace_back("meaning", types::text());
      return call_plan(id, {.kind = Kind::table, .dimension = {}, .table = {}, .schema = schema}, expr.range,
                       {first, n});
    }
  }

  // The table: stated, or the rows of the group.
  struct Shape {
    std::size_t least, most;  // arguments behind the table
  };
  const Shape shape = [&]() -> Shape {
    switch (id) {
      case F::count:
      case F::exists: return {0, 0};
      case F::percentile: return {2, 3};
      case F::argmin:
      case F::argmax:
      case F::top: return {2, 2};
      default: return {1, 1};
    }
  }();
  PlanPtr table;
  std::size_t first_value = 0;
  if (row != nullptr && row->grouped && (given <= shape.most)) {
    auto rows = plan(PlanOp::group_rows, row->table, expr.range);
    table = rows;
  } else {
    if (given == 0) return wrong_arguments(call, function, expr.range, "a table is missing");
    table = first && first->type.is(Kind::table) ? first : table_argument(call, 0, function, row);
    first_value = 1;
  }
  if (!table) return nullptr;
  const std::size_t values = given - first_value;
  if (values < shape.least || values > shape.most)
    return wrong_arguments(call, function, expr.range, "needs " + std::string(function.signature));

  const ExprPtr written = first_value > 0 ? call.arguments[0] : nullptr;
  std::vector<PlanPtr> args{table};
  for (std::size_t i = first_value; i < given; ++i) {
    const bool of_rows = !((id == F::top && i == first_value) || (id == F::percentile && i == first_value + 1));
    PlanPtr arg = of_rows ? check_for_rows(call.arguments[i], table, written, row) : check(call.arguments[i], row);
    if (!arg) return nullptr;
    args.push_back(std::move(arg));
  }
  const auto bad = [&](std::size_t arg, std::string_view need) {
    return wrong_arguments(call, function, call.arguments[first_value + arg - 1]->range,
                           "this is " + describe(args[arg]->type) + ", " + std::string(need) + " is needed");
  };
  const auto at = [&](std::size_t arg) { return call.arguments[first_value + arg - 1]->range; };
  switch (id) {
    case F::count: return call_plan(id, types::number(), expr.range, args);
    case F::exists: return call_plan(id, types::boolean(), expr.range, args);
    case F::any:
    case F::all:
      if (!args[1]->type.is(Kind::boolean)) return bad(1, "a condition");
      return call_plan(id, types::boolean(), expr.range, args);
    case F::sum:
    case F::avg:
      if (!args[1]->type.numeric()) return bad(1, "a number");
      if (id == F::sum && args[1]->type.dimension.is_instant()) return bad(1, "a duration (`dur`, `end - start`)");
      if (!inclusive_times_are_safe(table, args[1], at(1))) return nullptr;
      return call_plan(id, args[1]->type, expr.range, args);
    case F::min:
    case F::max:
    case F::median:
      if (!args[1]->type.numeric()) return bad(1, "a number");
      return call_plan(id, args[1]->type, expr.range, args);
    case F::stdev:
      if (!args[1]->type.numeric()) return bad(1, "a number");
      return call_plan(id, args[1]->type.dimension.is_instant() ? types::number(dimensions::time) : args[1]->type,
                       expr.range, args);
    case F::percentile:
      if (!args[1]->type.numeric()) return bad(1, "a number");
      if (!args[2]->type.numeric() || !args[2]->type.dimension.plain()) return bad(2, "a percentage from 0 to 100");
      if (args.size() > 3 && !args[3]->type.numeric()) return bad(3, "a weight");
      return call_plan(id, args[1]->type, expr.range, args);
    case F::distinct:
      if (!single_value(args[1]->type)) return bad(1, "a value");
      return call_plan(id, types::number(), expr.range, args);
    case F::mode:
      if (!single_value(args[1]->type)) return bad(1, "a value");
      return call_plan(id, args[1]->type, expr.range, args);
    case F::argmin:
    case F::argmax:
      if (!args[1]->type.numeric()) return bad(1, "a number");
      if (!single_value(args[2]->type)) return bad(2, "a value");
      return call_plan(id, args[2]->type, expr.range, args);
    case F::top:
      if (!args[1]->type.numeric() || !args[1]->type.dimension.plain() || args[1]->per_row)
        return bad(1, "how many rows");
      if (!args[2]->type.numeric()) return bad(2, "a number");
      return call_plan(id, table->type, expr.range, args);
    default: return nullptr;
  }
}

bool Checker::inclusive_times_are_safe(const PlanPtr& table, const PlanPtr& value, TextRange range) {
  if (value->op != PlanOp::column || table->type.schema) return true;
  const std::string_view owner = info(table->type.table).name;
  const std::string_view column = catalogue_columns[value->slot].name;
  if ((owner != "ops" && owner != "op_stats") || (column != "host_total" && column != "device_total")) return true;
  for (PlanPtr source = table; source; source = source->args.empty() ? nullptr : source->args[0]) {
    if (source->op == PlanOp::call && source->function == FunctionId::outermost) return true;
    if (source->op == PlanOp::where && pins_one_name(source->args[1])) return true;
    if (source->op == PlanOp::let || source->op == PlanOp::define || source->op == PlanOp::group_rows)
      return true;  // filtered where it was made
    if (source->op != PlanOp::where && source->op != PlanOp::during) break;
  }
  error("K208", "adding inclusive times counts nested operators twice", range,
        std::string(column) + " of an operator holds those of its children",
        owner == "ops" ? "sum(outermost(ops ...), " + std::string(column) + ")"
                       : "add one name (`where name == ...`), take max(...), or add host_self");
  return false;
}

bool Checker::has_columns(const PlanPtr& table, std::initializer_list<std::string_view> names,
                          const FunctionInfo& function, TextRange range) {
  const auto have = column_names(table->type);
  for (std::string_view name : names)
    if (std::find(have.begin(), have.end(), name) == have.end()) {
      error("K204", std::string(function.name) + " needs rows with time", range,
            "no column '" + std::string(name) + "' in " + describe(table->type), std::string(function.signature));
      return false;
    }
  return true;
}

bool Checker::one_timeline(const PlanPtr& table, const FunctionInfo& function, TextRange range) {
  if (scope_.query || table->type.schema) return true;
  const auto have = column_names(table->type);
  const auto has = [&](std::string_view name) { return std::find(have.begin(), have.end(), name) != have.end(); };
  if (has("device") && !scope_.subject.has_device()) {
    error("K207", std::string(function.name) + "() works on one timeline, and a run can have several devices", range,
          describe(table->type), "add `for_each: device`");
    return false;
  }
  if (!has("device") && has("thread") && !scope_.subject.has_rank()) {
    error("K207", std::string(function.name) + "() works on one timeline, and a run can have several ranks", range,
          describe(table->type), "add `for_each: rank`, `thread` or `device`");
    return false;
  }
  return true;
}

PlanPtr Checker::timeline(const Expr& expr, const Call& call, const FunctionInfo& function, const RowScope* row) {
  using F = FunctionId;
  const std::size_t tables_needed = function.id == F::exposed || function.id == F::overlap ? 2 : 1;
  const std::size_t needed = tables_needed + (function.id == F::consecutive ? 1 : 0);
  if (call.arguments.size() != needed)
    return wrong_arguments(call, function, expr.range,
                           "needs " + std::to_string(needed) + (needed == 1 ? " argument" : " arguments"));

  if (function.id == F::length) {
    const PlanPtr set = check(call.arguments[0], row);
    if (!set) return nullptr;
    if (!set->type.is(Kind::intervals))
      return wrong_arguments(call, function, call.arguments[0]->range,
                             "this is " + describe(set->type) + ", a set of intervals is needed");
    return call_plan(function.id, types::number(dimensions::time), expr.range, {set});
  }
  if (function.id == F::site) {
    const PlanPtr of = check(call.arguments[0], row);
    if (!of) return nullptr;
    if (!of->type.is(Kind::reference) && !(of->type.is(Kind::table) && !of->type.schema))
      return wrong_arguments(call, function, call.arguments[0]->range,
                             "this is " + describe(of->type) + ", a row is needed");
    return call_plan(function.id, types::reference(kdiag::table("frames")), expr.range, {of});
  }
  std::vector<PlanPtr> tables;
  const bool by_lane = function.id == F::outermost || function.id == F::consecutive;
  for (std::size_t i = 0; i < tables_needed; ++i) {
    PlanPtr table = table_argument(call, i, function, row);
    if (!table) return nullptr;
    const TextRange range = call.arguments[i]->range;
    if (!has_columns(table, {"start", "dur"}, function, range)) return nullptr;
    if (!by_lane && !one_timeline(table, function, range)) return nullptr;
    tables.push_back(std::move(table));
  }
  switch (function.id) {
    case F::spans:
    case F::gaps: return call_plan(function.id, types::intervals(), expr.range, tables);
    case F::concurrency: return call_plan(function.id, types::number(), expr.range, tables);
    case F::outermost: return call_plan(function.id, tables[0]->type, expr.range, tables);
    case F::consecutive: {
      const PlanPtr least = check(call.arguments[1], row);
      if (!least) return nullptr;
      if (!least->type.numeric() || !least->type.dimension.plain() || least->per_row)
        return wrong_arguments(call, function, call.arguments[1]->range, "how many rows make a run");
      return call_plan(function.id, tables[0]->type, expr.range, {tables[0], least});
    }
    default: return call_plan(function.id, types::number(dimensions::time), expr.range, tables);
  }
}

PlanPtr Checker::series_call(const Expr& expr, const Call& call, const FunctionInfo& function, const RowScope* row) {
  using F = FunctionId;
  if (function.id == F::series) {
    const auto* name = call.arguments.size() == 1 ? std::get_if<StringLiteral>(&call.arguments[0]->node) : nullptr;
    if (name == nullptr) return wrong_arguments(call, function, expr.range, "needs the name of a series in quotes");
    const SeriesInfo* known = find_series(name->value);
    if (known == nullptr) {
      std::vector<std::string_view> names;
      for (const SeriesInfo& series : catalogue_series) names.push_back(series.name);
      return error("K309", "unknown series '" + name->value + "'", call.arguments[0]->range,
                   did_you_mean(name->value, names));
    }
    if (!of_host(known->name) && !scope_.query && !scope_.subject.has_device())
      return error("K207", "series() belongs to one device", expr.range, {}, "add `for_each: device`");
    auto out = plan(PlanOp::call, types::series(dimension_of(known->unit)), expr.range);
    out->type.mask = name->value == "throttle_reasons";
    out->function = F::series;
    out->names = {name->value};
    return out;
  }
  std::vector<PlanPtr> args;
  for (const ExprPtr& argument : call.arguments) {
    PlanPtr arg = check(argument, row);
    if (!arg) return nullptr;
    args.push_back(std::move(arg));
  }
  if (args.empty() || !args[0]->type.is(Kind::series))
    return wrong_arguments(call, function, args.empty() ? expr.range : call.arguments[0]->range, "a series is needed");
  const Dimension dimension = args[0]->type.dimension;
  switch (function.id) {
    case F::time_avg:
    case F::time_median:
      if (args.size() != 1) return wrong_arguments(call, function, expr.range, "needs one series");
      return call_plan(function.id, types::number(dimension), expr.range, args);
    case F::time_where:
      if (args.size() != 3) return wrong_arguments(call, function, expr.range, "needs a series, a low and a high end");
      for (std::size_t i = 1; i < 3; ++i)
        if (!args[i]->type.numeric() || !(args[i]->type.dimension == dimension || is_zero(args[i])))
          return wrong_arguments(
              call, function, call.arguments[i]->range,
              "this is " + describe(args[i]->type) + ", the series is of " + dimension_name(dimension));
      return call_plan(function.id, types::intervals(), expr.range, args);
    default: {
      if (args.size() != 2 || args[1]->op != PlanOp::list || !args[0]->type.mask)
        return wrong_arguments(call, function, expr.range, "needs series(\"throttle_reasons\") and a list of flags");
      std::vector<std::string_view> flags;
      for (const ThrottleReason& reason : throttle_reason_table) flags.push_back(reason.name);
      for (const PlanPtr& flag : args[1]->args) {
        const auto* name = flag->constant.as<std::string>();
        if (name == nullptr) return wrong_arguments(call, function, flag->range, "a flag in quotes is needed");
        if (std::find(flags.begin(), flags.end(), *name) != flags.end()) continue;
        return error("K309", "unknown flag '" + *name + "'", flag->range, did_you_mean(*name, flags),
                     std::string(function.signature));
      }
      return call_plan(function.id, types::intervals(), expr.range, args);
    }
  }
}

PlanPtr Checker::scalar_call(const Expr& expr, const Call& call, const FunctionInfo& function, const RowScope* row) {
  using F = FunctionId;
  std::vector<PlanPtr> args;
  for (const ExprPtr& argument : call.arguments) {
    PlanPtr arg = check(argument, row);
    if (!arg) return nullptr;
    args.push_back(std::move(arg));
  }
  const auto count_is = [&](std::size_t n) { return args.size() == n; };
  switch (function.id) {
    case F::defined:
      if (!count_is(1)) return wrong_arguments(call, function, expr.range, "needs one argument");
      return call_plan(function.id, types::boolean(), expr.range, args);
    case F::coalesce:
    case F::default_value: {
      if (args.size() < 2 || (function.id == F::default_value && args.size() != 2))
        return wrong_arguments(call, function, expr.range, "needs at least two arguments");
      Type type = args[0]->type;
      PlanPtr typed = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) {
        auto common = common_type(typed, args[i]);
        if (!common && type.is(Kind::claim) && converts_to_claim(args[i]->type)) common = types::claim();
        if (!common) {
          error("K202", "the arguments of " + call.function + " must be of one type", call.arguments[i]->range,
                describe(args[i]->type));
          add_label(call.arguments[0]->range, describe(args[0]->type));
          return nullptr;
        }
        type = *common;
        auto as_common = std::make_shared<Plan>(*typed);
        as_common->type = type;
        typed = as_common;
      }
      return call_plan(function.id, type, expr.range, args);
    }
    case F::clamp: {
      if (!count_is(3)) return wrong_arguments(call, function, expr.range, "needs three numbers");
      for (std::size_t i = 0; i < 3; ++i)
        if (!args[i]->type.numeric() || !common_type(args[0], args[i]))
          return wrong_arguments(call, function, call.arguments[i]->range,
                                 "this is " + describe(args[i]->type) + ", the first is " + describe(args[0]->type));
      return call_plan(function.id, args[0]->type, expr.range, args);
    }
    default:  // mod
      if (!count_is(2) || (args[0]->type.numeric() && args[0]->type.dimension.is_instant()) ||
          !args[0]->type.numeric() || !args[1]->type.numeric() || !common_type(args[0], args[1]))
        return wrong_arguments(call, function, expr.range, "needs two numbers of one dimension");
      return call_plan(function.id, args[0]->type, expr.range, args);
  }
}

}  // namespace kdiag
