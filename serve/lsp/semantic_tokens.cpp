// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/semantic_tokens.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

#include <kdiag/editing.hpp>

namespace kdiag::serve {
namespace {

/// By WordKind: kinds that every editor knows (Language Server Protocol 3.17, SemanticTokenTypes).
constexpr std::array<std::string_view, 12> kinds = {"keyword",  "function",  "class",  "property",
                                                    "variable", "parameter", "macro",  "parameter",
                                                    "number",   "string",    "regexp", "operator"};
static_assert(kinds.size() == static_cast<std::size_t>(WordKind::sign) + 1);

}  // namespace

Json token_legend() { return {{"tokenTypes", kinds}, {"tokenModifiers", Json::array()}}; }

Json list_tokens(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  Json data = Json::array();
  TextPosition last;
  for (const ExpressionWord& word : words_in(document.path, document.text(), &stop)) {
    const TextPosition begin = document.lines.position_of(word.span.offset, session.encoding);
    const TextPosition end = document.lines.position_of(word.span.offset + word.span.length, session.encoding);
    const bool again = begin.line == last.line && begin.character < last.character;
    if (begin.line != end.line || begin.character == end.character || again) continue;  // a text over several lines
    const std::size_t across = begin.line == last.line ? begin.character - last.character : begin.character;
    for (const std::size_t number : {begin.line - last.line, across, end.character - begin.character,
                                     static_cast<std::size_t>(word.kind), std::size_t{0}})
      data.push_back(number);
    last = begin;
  }
  return {{"data", std::move(data)}};
}

}  // namespace kdiag::serve
