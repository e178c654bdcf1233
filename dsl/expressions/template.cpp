// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/template.hpp"

#include <iterator>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/expressions/parse_expr.hpp"

namespace kdiag {
namespace {

/// The byte behind a literal that `quote` closes; the text's end when nothing does.
std::size_t skip_literal(std::string_view text, std::size_t at, char quote) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') ++at;
    else if (text[at] == quote) return at + 1;
  }
  return text.size();
}

/// The closing brace of a hole whose expression begins at a byte; npos when there is none. Braces in strings and
/// regular expressions do not count.
std::size_t hole_end(std::string_view text, std::size_t at) {
  bool regex_next = false;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '}') return at;
    if (text.substr(at).starts_with("${")) return std::string_view::npos;  // the next hole
    if (c == '"' || (c == '/' && regex_next)) {
      at = skip_literal(text, at, c);
      regex_next = false;
      continue;
    }
    if (c == '~') regex_next = true;
    else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') regex_next = false;
    ++at;
  }
  return std::string_view::npos;
}

}  // namespace

Template parse_template(const SourceText& source, Diagnostics& diagnostics) {
  Template out;
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return out;
  out.text = source.part(first, source.text.find_last_not_of(" \t\r\n") + 1);
  const std::string& text = out.text.text;
  std::string literal;
  const auto flush = [&] {
    if (!literal.empty()) out.pieces.push_back({std::exchange(literal, {}), std::nullopt});
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$' || at + 1 == text.size() || (text[at + 1] != '$' && text[at + 1] != '{')) {
      literal += text[at++];
    } else if (text[at + 1] == '$') {
      literal += '$';
      at += 2;
    } else {
      const std::size_t end = hole_end(text, at + 2);
      if (end == std::string::npos) {
        const auto begin = static_cast<std::uint32_t>(at);
        diagnostics.push_back(make_error(error_id::open_hole, out.text.span({begin, begin + 2}),
                                         "this hole is not closed", "needs a '}'",
                                         "a dollar sign before a brace is written $$"));
        break;
      }
      flush();
      Expression hole{nullptr, out.text.part(at + 2, end)};
      auto tree = parse_expression(hole.text);
      if (tree) hole.tree = *tree;
      else diagnostics.insert(diagnostics.end(), tree.error().begin(), tree.error().end());
      out.pieces.push_back({{}, std::move(hole)});
      at = end + 1;
    }
  }
  flush();
  return out;
}

}  // namespace kdiag
