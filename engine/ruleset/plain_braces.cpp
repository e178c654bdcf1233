// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/plain_braces.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"

namespace kdiag {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view word_at(std::string_view text, std::size_t at) {
  const auto* const begin = text.data() + at;
  return {begin, static_cast<std::size_t>(std::find_if_not(begin, text.data() + text.size(), is_word) - begin)};
}

/// Whether an expression begins with what the rule has a name for. Of the subject alone a text may speak.
bool is_named(const Rule& rule, std::string_view expression) {
  const bool param = expression.starts_with('$');
  if (param) expression.remove_prefix(1);
  const std::string_view name = word_at(expression, 0);
  if (param) return has_param(rule, name);
  if (std::any_of(rule.let.begin(), rule.let.end(), [&](const NamedExpression& let) { return let.name == name; }))
    return true;
  return expression.substr(name.size()).starts_with('.') && (name == rule.for_each || name == "run");
}

void look(const Rule& rule, const Template& said, Diagnostics& warnings) {
  const std::string_view text = said.text.text;
  std::size_t hole = 0;  // where the last one ends: its braces are its own
  for (const Template::Piece& piece : said.pieces) {
    if (piece.hole) {
      const std::size_t at = text.find(piece.hole->text.text, hole);
      if (at != std::string_view::npos) hole = at + piece.hole->text.text.size() + 1;
      continue;
    }
    for (std::size_t open = piece.literal.find('{'); open != std::string::npos;
         open = piece.literal.find('{', open + 1)) {
      const std::size_t close = piece.literal.find('}', open);
      if (close == std::string::npos || (open > 0 && piece.literal[open - 1] == '$')) continue;  // `$${`: meant
      const std::string braces = piece.literal.substr(open, close + 1 - open);
      if (!is_named(rule, std::string_view(braces).substr(1, braces.size() - 2))) continue;
      const std::size_t at = text.find(braces, hole);
      const bool found = at != std::string_view::npos;
      const auto begin = static_cast<std::uint32_t>(found ? at : 0);
      const auto end = static_cast<std::uint32_t>(found ? at + braces.size() : text.size());
      warnings.push_back(make_warning(error_id::plain_braces, said.text.span({begin, end}),
                                      "these braces are printed as they are", {},
                                      "write $" + braces + " for what it is worth"));
      warnings.back().context = context_of(rule);
    }
    for (std::size_t dollar = piece.literal.find('$'); dollar != std::string::npos;
         dollar = piece.literal.find('$', dollar + 1)) {
      const std::string_view name = word_at(piece.literal, dollar + 1);
      const bool param = is_named(rule, "$" + std::string(name));
      if (!param && !is_named(rule, name)) continue;
      const std::size_t at = text.find("$" + std::string(name), hole);
      if (at == std::string_view::npos || (at > 0 && text[at - 1] == '$')) continue;  // `$$name`: meant
      warnings.push_back(make_warning(
          error_id::plain_braces,
          said.text.span({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1 + name.size())}),
          "this name is printed as it is", {},
          "write ${" + std::string(param ? "$" : "") + std::string(name) + "} for what it is worth"));
      warnings.back().context = context_of(rule);
    }
  }
}

}  // namespace

void lint_plain_braces(const Rule& rule, Diagnostics& warnings) {
  for (const auto* sentences : {&rule.title, &rule.message})
    for (const Sentence& sentence : *sentences) look(rule, sentence.text, warnings);
  for (const Recommendation& advice : rule.recommend) look(rule, advice.text, warnings);
}

}  // namespace kdiag
