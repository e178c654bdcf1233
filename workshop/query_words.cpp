// SPDX-License-Identifier: Apache-2.0
// What can be written in a query: completion and help, from the tables that also check expressions.
#include <kdiag/tools.hpp>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/ascii.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "engine/language/dimension.hpp"
#include "engine/language/functions.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {
namespace {

/// The word that ends at a byte.
std::string_view word_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::vector<std::string_view> columns_named(TableId id) {
  std::vector<std::string_view> out;
  const ColumnRange range = columns_of(id);
  for (const ColumnInfo& column : catalogue_columns.subspan(range.first, range.count))
    if (!column.traits.transient) out.push_back(column.name);
  if (std::find(out.begin(), out.end(), "start") != out.end() && std::find(out.begin(), out.end(), "dur") != out.end())
    out.push_back("end");
  return out;
}

bool is_table(TableId id) { return id.valid(); }

/// What a name before a dot leads to: a table for its columns, a subject (`device`), or a column that refers to rows.
std::vector<TableId> tables_behind(std::string_view name) {
  std::vector<TableId> out;
  for (const std::string& candidate : {std::string(name), std::string(name) + "s"})
    if (const TableId id = find_table(candidate); is_table(id)) out.push_back(id);
  for (const ColumnInfo& column : catalogue_columns)
    if (column.name == name && !column.target.empty()) out.push_back(find_table(column.target));
  return out;
}

/// Columns of all tables that the text names: those of the rows it may be about.
void add_columns_of_named(std::string_view text, std::set<std::string>& words) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (const TableId id = find_table(text.substr(at, end - at)); end > at && is_table(id))
      for (const std::string_view column : columns_named(id)) words.emplace(column);
    at = std::max(end, at + 1);
  }
}

}  // namespace

QueryCompletion complete_query(const RuleSet& rules, std::string_view text, std::size_t cursor) {
  QueryCompletion out;
  cursor = std::min(cursor, text.size());
  const std::string_view word = word_before(text, cursor);
  out.begin = cursor - word.size();
  std::set<std::string> words;
  const char before = out.begin > 0 ? text[out.begin - 1] : ' ';
  if (before == '.') {
    const std::string_view object = word_before(text, out.begin - 1);
    if (object == "all")
      for (const TableInfo& known : catalogue_tables) words.emplace(known.name);
    for (const TableId id : tables_behind(object))
      for (const std::string_view column : columns_named(id)) words.emplace(column);
    if (object == "run") words.insert("wall");
  } else if (before == '"') {
    for (const SeriesInfo& series : catalogue_series) words.emplace(series.name);
  } else if (before != '$') {
    for (const TableInfo& known : catalogue_tables) words.emplace(known.name);
    for (const Function& function : function_table()) words.insert(std::string(function.name) + "(");
    const DefineNames& defines = *rules.loaded().comparing().defines;
    for (const auto& [name, binding] : defines.values) words.insert(name);
    for (const auto& [name, formula] : defines.formulas) words.insert(name + "(");
    for (const auto& [name, function] : defines.host_functions) words.insert(name + "(");
    for (const std::string_view reserved : reserved_words()) words.emplace(reserved);
    for (const std::string_view more : {"group", "by", "device", "run", "all"}) words.emplace(more);
    add_columns_of_named(text, words);
  }
  std::copy_if(words.begin(), words.end(), std::back_inserter(out.words),
               [word](const std::string& candidate) { return candidate.starts_with(word); });
  return out;
}

namespace {

/// "tables: a b c", wrapped.
std::string listed(std::string_view what, const std::vector<std::string_view>& names) {
  constexpr std::size_t width = 100;
  std::string out(what);
  std::size_t column = out.size();
  for (const std::string_view name : names) {
    const bool wrap = column + 1 + name.size() > width;
    out += wrap ? "\n  " : " ";
    column = wrap ? 2 : column + 1;
    out += name;
    column += name.size();
  }
  return out + "\n";
}

std::string overview(const RuleSet& rules) {
  std::string out =
      "Ask an expression of the rule language; Tab completes. For example:\n"
      "  count(kernels)\n"
      "  busy(kernels) / run.wall\n"
      "  top(kernel_stats, 5, total)\n"
      "  idle group by (cause) select (total = sum(dur), n = count())\n\n"
      "`help NAME` says what a table, a column, a function or a define is. `quit` or Ctrl-D ends.\n\n";
  std::vector<std::string_view> tables;
  std::vector<std::string_view> functions;
  std::vector<std::string_view> defines;
  for (const TableInfo& known : catalogue_tables) tables.push_back(known.name);
  for (const Function& function : function_table()) functions.push_back(function.name);
  const DefineNames& defined = *rules.loaded().comparing().defines;
  for (const auto& [name, function] : defined.host_functions) functions.push_back(name);
  for (const auto& [name, binding] : defined.values) defines.push_back(name);
  for (const auto& [name, formula] : defined.formulas) defines.push_back(name);
  return out + listed("tables:", tables) + listed("functions:", functions) + listed("defines:", defines);
}

std::string about_table(const TableInfo& table_info) {
  std::string out = "table " + std::string(table_info.name) + ": " + std::string(table_info.doc) + "\n";
  const ColumnRange range = columns_of(find_table(table_info.name));
  for (const ColumnInfo& column : catalogue_columns.subspan(range.first, range.count)) {
    if (column.traits.transient) continue;
    std::string name(column.name);
    name.resize(std::max<std::size_t>(name.size(), 16), ' ');
    out += "  " + name + "  " + std::string(column.doc) + "\n";
  }
  return out;
}

std::string about_define(const Define& define) {
  const std::string& text = define.value.text.text;
  std::string params;
  for (const Param& param : define.params) params += (params.empty() ? "(" : ", ") + param.name + ": " + param.type;
  if (!params.empty()) params += ")";
  return "define " + define.name + params + (define.type.empty() ? "" : " (" + define.type + ")") + ": " + define.doc +
         "\n  " + text.substr(0, text.find_last_not_of(" \n") + 1) + "\n";
}

}  // namespace

std::string query_help(const RuleSet& rules, std::string_view topic) {
  if (topic.empty()) return overview(rules);
  const std::string_view name = topic.substr(topic.rfind('.') == std::string_view::npos ? 0 : topic.rfind('.') + 1);
  std::string out;
  for (const TableInfo& known : catalogue_tables)
    if (known.name == name) out += about_table(known);
  if (const Function* function = find_function(name))
    out += std::string(function->signature) + "\n  " + std::string(function->doc) +
           "\n  for example: " + std::string(function->example) + "\n";
  for (const auto& file : rules.loaded().comparing().files)
    for (const Define& define : file->defines)
      if (define.name == name) out += about_define(define);
  for (const ColumnInfo& column : catalogue_columns)
    if (column.name == name && !column.traits.transient)
      out += std::string(column.table) + "." + std::string(column.name) + ": " + std::string(column.doc) + "\n";
  for (const SeriesInfo& series : catalogue_series)
    if (series.name == name) out += "series(\"" + std::string(series.name) + "\"): " + std::string(series.doc) + "\n";
  if (!out.empty()) return out;
  const QueryCompletion all = complete_query(rules, "", 0);
  const std::string meant = did_you_mean(name, {all.words.begin(), all.words.end()});
  return "nothing is called '" + std::string(name) + "'" + (meant.empty() ? "" : ": " + meant) + "\n";
}

}  // namespace kdiag
