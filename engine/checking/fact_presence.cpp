// SPDX-License-Identifier: Apache-2.0
#include "engine/checking/fact_presence.hpp"

#include <algorithm>

#include <kdiag/catalogue.hpp>
#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "engine/checking/check.hpp"

namespace kdiag {
namespace {

ExprPtr name_of_fact(std::string_view name, TextRange range) { return make_expr(NameRef{std::string(name)}, range); }
ExprPtr call_of(const char* function, std::vector<ExprPtr> arguments, TextRange range) {
  return make_expr(Call{function, range, std::move(arguments)}, range);
}

}  // namespace

ExprPtr presence_of(const Reference& fact, TextRange range, const std::string& context, Diagnostics& diagnostics) {
  const auto unknown = [&](std::string_view id, const char* kind, const std::vector<std::string_view>& known,
                           std::string_view word, std::string help = {}) {
    Diagnostic error = make_error(id, fact.span, std::string("unknown ") + kind + " '" + fact.rule + "'",
                                  did_you_mean(word, known), std::move(help));
    error.context = context;
    diagnostics.push_back(std::move(error));
    return nullptr;
  };
  constexpr std::string_view series = "samples:";
  const std::string_view name = fact.rule;
  if (name.starts_with(series)) {
    const std::string_view word = name.substr(series.size());
    std::vector<std::string_view> known;
    for (const SeriesInfo& info : catalogue_series) known.push_back(info.name);
    if (find_series(word) == nullptr) return unknown(error_id::unknown_series, "series", known, word);
    return call_of("defined", {call_of("series", {make_expr(StringLiteral{std::string(word)}, range)}, range)}, range);
  }
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string_view table_name = name.substr(0, dot);
  const TableId id = find_table(table_name);
  if (!id.valid()) {
    std::vector<std::string_view> known;
    for (const TableInfo& info : catalogue_tables) known.push_back(info.name);
    return unknown(error_id::unknown_name, "table", known, table_name, "a table, table.column or samples:series");
  }
  const ExprPtr table = name_of_fact(table_name, range);
  const ExprPtr recorded = call_of("defined", {table}, range);
  if (dot == name.size()) return recorded;
  const std::string_view column = name.substr(dot + 1);
  const ColumnId found = find_column(table_name, column);
  if (!found.valid() || info(found).traits.transient)
    return unknown(error_id::unknown_column, "column", column_names(types::table(id)), column);
  const ExprPtr some = call_of("any", {table, call_of("defined", {name_of_fact(column, range)}, range)}, range);
  const ExprPtr none = make_expr(Not{call_of("exists", {table}, range)}, range);
  return make_expr(And{{recorded, make_expr(Or{{none, some}}, range)}}, range);
}

}  // namespace kdiag
