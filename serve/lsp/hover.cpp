// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/hover.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include <kdiag/editing.hpp>
#include <kdiag/project.hpp>

#include "serve/lsp/names.hpp"
#include "serve/lsp/to_json.hpp"

namespace kdiag::serve {
namespace {

constexpr std::size_t most_subjects = 8;     // of a hover, which is looked at in passing (judgement)
constexpr std::size_t most_help_lines = 40;  // (judgement)

std::string_view word_at(const std::string& text, std::size_t offset) {
  std::size_t begin = offset, end = offset;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return std::string_view(text).substr(begin, end - begin);
}

/// The byte of an earlier text that stands where this one does; nothing where the texts differ.
std::optional<std::size_t> same_place(std::string_view now, std::string_view before, std::size_t offset) {
  const auto differ = std::mismatch(now.begin(), now.end(), before.begin(), before.end());
  if (offset <= static_cast<std::size_t>(differ.first - now.begin())) return offset;
  const auto from_end = std::mismatch(now.rbegin(), now.rend(), before.rbegin(), before.rend());
  const std::size_t behind = now.size() - offset;
  if (behind > static_cast<std::size_t>(from_end.first - now.rbegin()) || behind > before.size()) return std::nullopt;
  return before.size() - behind;
}

/// Texts of files and traces cannot end the block that they stand in.
std::string fenced(std::string text) {
  std::replace(text.begin(), text.end(), '`', '\'');
  while (text.ends_with('\n')) text.pop_back();
  return "```text\n" + text + "\n```\n";
}

std::string name_shown(Session& session, const Document& document, std::size_t offset, const std::atomic<bool>& stop) {
  const auto name = name_at(session, document, offset, stop);
  const auto declared = name ? declaration_of(session, document, *name, stop) : std::nullopt;
  if (!declared) return {};
  std::string out = declared->name;
  if (!declared->detail.empty()) out += ": " + declared->detail;
  if (!declared->doc.empty()) out += "\n" + declared->doc;
  return fenced(out);
}

std::string values_shown(const std::vector<ExpressionValue>& values, const std::string& path) {
  std::string out = "on " + shown_value(path);
  for (const ExpressionValue& value : values) {
    out += "\n";
    if (!value.run.empty()) out += shown_value(value.run) + ", ";
    out += shown_value(value.subject) + ": " + shown_value(value.value);
    for (const std::string& cause : value.unknown_because) out += "\n  " + shown_value(cause);
  }
  return fenced(out);
}

std::string expression_shown(Session& session, const Document& document, std::size_t offset,
                             const std::atomic<bool>& stop) {
  const auto good = session.good.find(document.uri);
  if (good == session.good.end()) return {};
  const auto place = same_place(document.text(), good->second.text, offset);
  const auto at = place ? expression_at(good->second.rules, document.path, *place) : std::nullopt;
  if (!at) return {};
  std::string out =
      fenced(at->text + "\n" + at->type + (at->unit.empty() || at->unit == at->type ? "" : ", in " + at->unit) +
             (at->of_rows ? ", for each row" : ""));
  load_bound(session.trace, stop);
  if (!session.trace.error.empty()) return out + fenced(session.trace.path + ": " + session.trace.error);
  if (!session.trace.facts) return out;
  const auto values = values_at(*session.trace.facts, good->second.rules, document.path, *place, most_subjects, &stop);
  if (values && !values->empty()) out += values_shown(*values, session.trace.path);
  return out;
}

/// What `kdiag help` says of a word; nothing where it knows none.
std::string help_shown(const RuleSet& rules, std::string_view word) {
  if (word.empty()) return {};
  std::string text = query_help(rules, word);
  if (text.starts_with("nothing is called")) return {};
  std::size_t end = 0;
  for (std::size_t line = 0; line < most_help_lines && end != std::string::npos; ++line) end = text.find('\n', end + 1);
  if (end != std::string::npos) text.resize(end);
  return fenced(text);
}

}  // namespace

Json hover(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const std::size_t offset = session.offset_in(document, params);
  std::string text = name_shown(session, document, offset, stop);
  const bool declared = !text.empty();
  text += expression_shown(session, document, offset, stop);
  const std::string_view word = word_at(document.text(), offset);
  if (!declared) text += help_shown(session.rules_of(document), word);
  if (text.empty()) return Json();
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

}  // namespace kdiag::serve
