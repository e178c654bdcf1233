// SPDX-License-Identifier: Apache-2.0
#include "workshop/rule_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/ruleset/script.hpp"

namespace kdiag {
namespace {

/// Longer texts are named, not shown (judgement: both stand on one line).
constexpr std::size_t longest_shown_text = 40;

/// A part of a rule by the key that it stands under.
using Parts = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const std::optional<Expression>& expression) {
  return expression ? expression->text.text : std::string();
}

void add_sentences(Parts& parts, const std::string& key, const std::vector<Sentence>& sentences) {
  std::string text;
  for (const Sentence& sentence : sentences)
    text += sentence.text.text.text + "\n" + text_of(sentence.condition) + "\n";
  parts.emplace_back(key, std::move(text));
}

void add_params(Parts& parts, const std::vector<Param>& params) {
  for (const Param& param : params) {
    parts.emplace_back(param.name, text_of(param.default_value));
    parts.emplace_back(
        "range of " + param.name,
        param.range ? param.range->first.text.text + " to " + param.range->second.text.text : std::string());
  }
}

Parts parts_of(const Rule& rule) {
  Parts out;
  add_params(out, rule.params);
  for (const auto& [key, text] : {std::pair{"status", std::string(name_of(rule.status))},
                                  {"role", std::string(name_of(rule.role))},
                                  {"enabled", std::string(rule.enabled ? "true" : "false")},
                                  {"for_each", rule.for_each},
                                  {"applies", text_of(rule.applies)},
                                  {"when", text_of(rule.when)},
                                  {"script", rule.script ? rule.script->source()->text : std::string()}})
    out.emplace_back(key, text);
  for (const NamedExpression& let : rule.let) out.emplace_back("let " + let.name, let.value.text.text);
  std::string severity, except, advice;
  for (const SeverityTier& tier : rule.severity) {
    const std::string word = tier.ladder ? tier.ladder->rule : std::string(name_of(tier.severity));
    const std::string& condition = tier.condition.text.text;
    severity +=
        (severity.empty() ? "" : ", ") + word + (condition.empty() || condition == word ? "" : ": " + condition);
  }
  for (const Exception& exception : rule.except) except += exception.when.text.text + "\n";
  for (const Recommendation& entry : rule.recommend) advice += entry.text.text.text + text_of(entry.condition) + "\n";
  out.emplace_back("severity", severity);
  out.emplace_back("except", except);
  out.emplace_back("impact", text_of(rule.impact));
  out.emplace_back("gain", rule.no_gain ? "none" : text_of(rule.gain));
  out.emplace_back("confidence", text_of(rule.confidence));
  out.emplace_back("location", text_of(rule.location));
  out.emplace_back("recommend", advice);
  add_sentences(out, "title", rule.title);
  add_sentences(out, "message", rule.message);
  return out;
}

std::string* part_named(Parts& parts, const std::string& key) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.first == key; });
  return found == parts.end() ? nullptr : &found->second;
}

std::string shown_change(const std::string& key, const std::string& before, const std::string& after) {
  const auto fits = [](const std::string& text) {
    return text.size() <= longest_shown_text && text.find('\n') == std::string::npos;
  };
  if (!fits(before) || !fits(after)) return key;
  const auto shown = [](const std::string& text) { return text.empty() ? std::string("nothing") : text; };
  return key + ": " + shown(before) + " -> " + shown(after);
}

std::string text_of(const Define& define) {
  std::string out = define.type + "\n" + define.value.text.text;
  for (const Param& param : define.params) out += "\n" + param.name + " " + param.type;
  return out;
}

}  // namespace

std::vector<std::string> rule_changes(const Rule& before, const Rule& after) {
  Parts old_parts = parts_of(before), new_parts = parts_of(after);
  std::vector<std::string> out;
  for (const auto& [key, text] : old_parts) {
    const std::string* now = part_named(new_parts, key);
    if (const std::string after_text = now != nullptr ? *now : std::string(); after_text != text)
      out.push_back(shown_change(key, text, after_text));
  }
  for (const auto& [key, text] : new_parts)
    if (!text.empty() && part_named(old_parts, key) == nullptr) out.push_back(shown_change(key, {}, text));
  return out;
}

std::vector<std::string> changed_definitions(const std::vector<Define>& before, const std::vector<Define>& after) {
  std::vector<std::string> out;
  const auto add_unlike = [&](const std::vector<Define>& some, const std::vector<Define>& others) {
    for (const Define& define : some) {
      const auto other =
          std::find_if(others.begin(), others.end(), [&](const Define& one) { return one.name == define.name; });
      if (other != others.end() && text_of(*other) == text_of(define)) continue;
      if (std::find(out.begin(), out.end(), define.name) == out.end()) out.push_back(define.name);
    }
  };
  add_unlike(before, after);
  add_unlike(after, before);
  return out;
}

}  // namespace kdiag
