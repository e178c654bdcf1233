// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/fixes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "serve/lsp/check_document.hpp"
#include "serve/lsp/to_json.hpp"

namespace kdiag::serve {
namespace {

// Of one request (judgement): each is tried by a check of the whole file, and a menu has as many entries.
constexpr std::size_t most_fixes = 5;

/// `kernels` of "did you mean 'kernels'?"
std::optional<std::string> word_meant(std::string_view text) {
  constexpr std::string_view question = "did you mean '";
  const std::size_t begin = text.find(question);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(begin + question.size());
  const std::size_t end = rest.find('\'');
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  return std::string(rest.substr(0, end));
}

std::optional<std::string> word_meant(const Diagnostic& diagnostic) {
  if (auto word = word_meant(diagnostic.labels.front().text)) return word;
  return word_meant(diagnostic.help);
}

/// Of two texts the one with the lesser pair is better. Notes and warnings are often said only where there are no
/// errors.
std::pair<std::ptrdiff_t, std::size_t> badness(const Diagnostics& mistakes) {
  const auto is_error = [](const Diagnostic& mistake) { return mistake.level == Level::error; };
  return {std::count_if(mistakes.begin(), mistakes.end(), is_error), mistakes.size()};
}

bool is_better(const Session& session, const Document& document, const Diagnostics& before, std::string text,
               const std::atomic<bool>& stop) {
  Documents changed = session.documents;
  changed.replace(document.uri, document.version, std::move(text));
  const auto checked = check_document(*changed.find(document.uri), changed, stop);
  return checked && badness(checked->mistakes) < badness(before);
}

/// What the editor was told of the text, or what it is going to be told; nothing once `stop` was set.
std::optional<Diagnostics> mistakes_in(const Session& session, const Document& document,
                                       const std::atomic<bool>& stop) {
  const auto told = session.told.find(document.uri);
  if (told != session.told.end() && told->second.text == document.text()) return told->second.mistakes;
  auto checked = check_document(document, session.documents, stop);
  if (!checked) return std::nullopt;
  return std::move(checked->mistakes);
}

}  // namespace

Json list_fixes(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const Json& range = params.at("range");
  const std::size_t begin = document.lines.offset_of(position_in(range.at("start")), session.encoding);
  const std::size_t end = document.lines.offset_of(position_in(range.at("end")), session.encoding);
  Json out = Json::array();
  const auto mistakes = mistakes_in(session, document, stop);
  if (!mistakes) return out;
  std::size_t tried = 0;
  for (const Diagnostic& mistake : *mistakes) {
    if (mistake.labels.empty()) continue;
    const Span& span = mistake.labels.front().span;
    if (!span.source || span.source->name != document.path || span.offset > end || span.offset + span.length < begin)
      continue;
    const auto word = word_meant(mistake);
    if (!word) continue;
    if (++tried > most_fixes || stop) break;
    std::string text = document.text();
    text.replace(span.offset, span.length, *word);
    if (!is_better(session, document, *mistakes, std::move(text), stop)) continue;
    const Json edit = {{"range", range_of(document.lines, span.offset, span.length, session.encoding)},
                       {"newText", *word}};
    out.push_back({{"title", "Replace by '" + *word + "'"},
                   {"kind", "quickfix"},
                   {"isPreferred", true},
                   {"diagnostics", Json::array({to_json(mistake, document, session.encoding)})},
                   {"edit", {{"changes", {{document.uri, Json::array({edit})}}}}}});
  }
  return out;
}

}  // namespace kdiag::serve
