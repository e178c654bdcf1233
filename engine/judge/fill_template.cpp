// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/fill_template.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "engine/eval/render.hpp"

namespace kdiag {
namespace {

/// The name in the signature of a C++ function, whose template arguments and parameters can take hundreds of
/// characters: what a sentence needs of it; of a longer word its ends. Other texts stay as they are.
std::string name_in_sentence(std::string text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return text;
  std::string_view name = text;
  if (name.starts_with("void ")) name.remove_prefix(5);
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  std::string plain;
  for (std::size_t at = name.find(anonymous); at != std::string_view::npos; at = name.find(anonymous)) {
    plain += name.substr(0, at);
    name.remove_prefix(at + anonymous.size());
  }
  plain += name;
  const std::size_t end = std::min(plain.find_first_of("<("), plain.size());
  if (end == 0 || plain.find(' ') < end) return text;
  if (end <= longest) return plain.substr(0, end);
  return plain.substr(0, longest * 2 / 3) + "..." + plain.substr(end - longest / 3, longest / 3);
}

std::string cut(std::string text) {
  constexpr std::size_t longest = 16 * 1024;  // language.md, limits
  if (text.size() <= longest) return text;
  text.resize(longest);
  return text += "...";
}

}  // namespace

std::string fill_template(const CheckedTemplate& source, Evaluator& evaluator) {
  std::string out;
  for (const auto& piece : source.pieces) {
    if (!piece.hole) {
      out += piece.literal;
      continue;
    }
    const Value value = evaluator.eval(*piece.hole);
    if (!value.known()) out += "unknown";
    else {
      std::string shown = render_value(value, piece.hole->type, evaluator.run());
      out += piece.hole->type.is(Kind::text) ? name_in_sentence(std::move(shown)) : shown;
    }
  }
  return cut(std::move(out));
}

bool is_said(const PlanPtr& condition, Evaluator& evaluator) {
  if (!condition) return true;
  const Value holds = evaluator.eval(*condition);
  const auto* yes = holds.as<bool>();
  return yes != nullptr && *yes;
}

std::string fill_first(const std::vector<CheckedSentence>& alternatives, Evaluator& evaluator) {
  for (const CheckedSentence& alternative : alternatives)
    if (is_said(alternative.condition, evaluator)) return fill_template(alternative.text, evaluator);
  return {};
}

std::string fill_all(const std::vector<CheckedSentence>& sentences, Evaluator& evaluator) {
  std::string out;
  for (const CheckedSentence& sentence : sentences) {
    if (!is_said(sentence.condition, evaluator)) continue;
    const std::string text = fill_template(sentence.text, evaluator);
    if (!out.empty() && !text.empty()) out += ' ';
    out += text;
  }
  return cut(std::move(out));
}

}  // namespace kdiag
