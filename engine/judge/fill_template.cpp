// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/fill_template.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/names/function_name.hpp"
#include "base/text.hpp"
#include "engine/eval/render.hpp"

namespace kdiag {
namespace {

/// The name in the signature of a C++ function, whose template arguments and parameters can take hundreds of
/// characters: what a sentence needs of it; of a longer word its ends. Other texts stay as they are.
std::string name_in_sentence(std::string text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return text;
  const std::string plain = spoken_name(text);
  if (plain.empty() || contains(plain, " ")) return text;
  if (plain.size() <= longest) return plain;
  return plain.substr(0, longest * 2 / 3) + "..." + plain.substr(plain.size() - longest / 3);
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

const CheckedSentence* first_said(const std::vector<CheckedSentence>& alternatives, Evaluator& evaluator) {
  for (const CheckedSentence& alternative : alternatives)
    if (is_said(alternative.condition, evaluator)) return &alternative;
  return nullptr;
}

std::string fill_first(const std::vector<CheckedSentence>& alternatives, Evaluator& evaluator) {
  const CheckedSentence* const said = first_said(alternatives, evaluator);
  return said != nullptr ? fill_template(said->text, evaluator) : std::string();
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
