// SPDX-License-Identifier: Apache-2.0
#include "engine/language/type.hpp"

namespace kdiag {

Type type_of(const ColumnInfo& column) {
  if (is_instant(column)) {
    Dimension instant = dimensions::instant;
    if (column.traits.telemetry_clock) instant.clock = Clock::telemetry;
    return types::number(instant);
  }
  switch (column.type) {
    case ColumnType::integer:
    case ColumnType::small_integer:
    case ColumnType::real: return types::number(dimension_of(column.unit));
    case ColumnType::boolean: return types::boolean();
    case ColumnType::string: return types::text();
    case ColumnType::reference: return types::reference(find_table(column.target));
  }
  return {};
}

std::optional<Type> param_type(std::string_view name) {
  if (name == "string") return types::text();
  if (name == "regex") return types::regex();
  if (name == "bool") return types::boolean();
  if (name == "list") return types::list();
  if (const auto dimension = dimension_named(name)) return types::number(*dimension);
  return {};
}

std::string describe(const Type& type) {
  switch (type.kind) {
    case Kind::nothing: return "nothing";
    case Kind::boolean: return "bool";
    case Kind::text: return "text";
    case Kind::regex: return "a regular expression";
    case Kind::number: return dimension_name(type.dimension);
    case Kind::list: return "a list";
    case Kind::table: return type.schema ? "a derived table" : "a table of " + std::string(info(type.table).name);
    case Kind::reference: return "a row of " + std::string(info(type.table).name);
    case Kind::series: return "a series of " + dimension_name(type.dimension);
    case Kind::intervals: return "a set of intervals";
    case Kind::claim: return "a duration, [low, high] or a set of intervals";
  }
  return {};
}

}  // namespace kdiag
