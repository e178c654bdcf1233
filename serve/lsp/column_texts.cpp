// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/column_texts.hpp"

#include <algorithm>
#include <set>

#include <kdiag/catalogue.hpp>
#include <kdiag/project.hpp>
#include <kdiag/rule_values.hpp>

#include <nlohmann/json.hpp>

#include "serve/lsp/text_lines.hpp"
#include "serve/rpc/json.hpp"

namespace kdiag::serve {
namespace {

constexpr std::size_t most_texts = 30;     // of a list that is looked at (judgement)
constexpr std::size_t longest_text = 200;  // bytes; longer names are written as patterns (judgement)

std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view without_blanks_behind(std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

/// The text before a sign that compares, or before `in [` and the texts of its list; empty: it ends in none.
std::string_view before_comparison(std::string_view text) {
  text = without_blanks_behind(text);
  for (const std::string_view sign : {"==", "!="})
    if (text.ends_with(sign)) return text.substr(0, text.size() - sign.size());
  const std::size_t list = text.rfind('[');
  if (list == std::string_view::npos || text.find(']', list) != std::string_view::npos) return {};
  text = without_blanks_behind(text.substr(0, list));
  if (!text.ends_with(" in")) return {};
  text = without_blanks_behind(text.substr(0, text.size() - 3));
  return text.ends_with(" not") ? text.substr(0, text.size() - 4) : text;
}

const ColumnInfo* find_column(std::string_view table, std::string_view name) {
  const auto found = std::find_if(catalogue_columns.begin(), catalogue_columns.end(), [&](const ColumnInfo& column) {
    return column.table == table && column.name == name && column.type == ColumnType::string;
  });
  return found == catalogue_columns.end() ? nullptr : &*found;
}

/// The tables that a column at the end of a text can be one of: that of the object before its dot (`op.name`), else the
/// last one that the text names, else all that have such a column.
std::vector<std::string> tables_with(std::string_view text, std::string_view name) {
  text.remove_suffix(name.size());
  if (text.ends_with('.')) {
    const std::string object(last_word(text.substr(0, text.size() - 1)));
    for (const std::string& table : {object, object + "s"})
      if (find_column(table, name) != nullptr) return {table};
  }
  while (!text.empty()) {
    const std::string_view word = last_word(text);
    if (find_column(word, name) != nullptr) return {std::string(word)};
    text.remove_suffix(std::max<std::size_t>(word.size(), 1));
  }
  std::vector<std::string> out;
  for (const TableInfo& table : catalogue_tables)
    if (find_column(table.name, name) != nullptr) out.emplace_back(table.name);
  return out;
}

}  // namespace

std::optional<ComparedColumn> compared_column(std::string_view before) {
  std::size_t quotes = 0;
  for (std::size_t at = before.find('"'); at != std::string_view::npos; at = before.find('"', at + 1)) ++quotes;
  if (quotes % 2 == 0) return std::nullopt;
  const std::string_view compared = without_blanks_behind(before_comparison(before.substr(0, before.rfind('"'))));
  const std::string_view name = last_word(compared);
  if (name.empty()) return std::nullopt;
  ComparedColumn out{std::string(name), tables_with(compared, name)};
  if (out.tables.empty()) return std::nullopt;
  return out;
}

std::vector<std::string> words_of(const ComparedColumn& column) {
  std::set<std::string> out;
  for (const std::string& table : column.tables)
    for (const std::string_view word : find_column(table, column.name)->traits.words) out.emplace(word);
  return {out.begin(), out.end()};
}

std::vector<std::string> texts_of(const Facts& facts, const ComparedColumn& column, const std::atomic<bool>& stop) {
  std::vector<std::string> out;
  const Result<RuleSet> rules = builtin_rules();
  if (!rules || column.tables.size() != 1) return out;
  const std::string expression = "top(" + column.tables.front() + " group by (" + column.name +
                                 ") select (text = " + column.name + ", n = count()), " + std::to_string(most_texts) +
                                 ", n)";
  const Result<PlaceAnswers> found = query_places(facts, *rules, {}, expression, {.first = 0, .most = most_texts},
                                                  {.first = 0, .most = 1}, {.cancel = &stop});
  if (!found) return out;
  for (const PlaceAnswer& place : found->places) {
    const Json answer = Json::parse(place.json);
    for (const Json& row : answer.at("value")) {
      if (!row.is_object() || !row.contains("text") || !row.at("text").is_string()) continue;
      auto text = row.at("text").get<std::string>();
      const bool plain = text.size() <= longest_text && text.find_first_of("\"\\") == std::string::npos;
      if (plain && shown_value(text) == text) out.push_back(std::move(text));
    }
  }
  return out;
}

}  // namespace kdiag::serve
