// SPDX-License-Identifier: Apache-2.0
#include "workshop/file_expressions.hpp"

#include <optional>

namespace kdiag {
namespace {

void collect(const Expression& expression, std::vector<const Expression*>& out) {
  if (expression.tree && !expression.text.origin.empty()) out.push_back(&expression);
}
void collect(const std::optional<Expression>& expression, std::vector<const Expression*>& out) {
  if (expression) collect(*expression, out);
}
void collect(const Template& text, std::vector<const Expression*>& out) {
  for (const Template::Piece& piece : text.pieces) collect(piece.hole, out);
}

void collect(const std::vector<Sentence>& sentences, std::vector<const Expression*>& out) {
  for (const Sentence& sentence : sentences) {
    collect(sentence.text, out);
    collect(sentence.condition, out);
  }
}
void collect(const std::vector<SeverityTier>& severity, std::vector<const Expression*>& out) {
  for (const SeverityTier& tier : severity) collect(tier.condition, out);
}
void collect(const std::vector<Recommendation>& recommend, std::vector<const Expression*>& out) {
  for (const Recommendation& advice : recommend) {
    collect(advice.text, out);
    collect(advice.condition, out);
    collect(advice.verify, out);
  }
}
void collect(const std::vector<Exception>& except, std::vector<const Expression*>& out) {
  for (const Exception& exception : except) collect(exception.when, out);
}

void collect(const Rule& rule, std::vector<const Expression*>& out) {
  collect(rule.title, out);
  collect(rule.message, out);
  for (const Param& param : rule.params)
    if (param.type != "string" && param.type != "regex") collect(param.default_value, out);  // no expressions
  for (const auto* list : {&rule.let, &rule.evidence})
    for (const NamedExpression& named : *list) collect(named.value, out);
  for (const auto* one : {&rule.applies, &rule.when, &rule.impact, &rule.gain, &rule.confidence, &rule.location})
    collect(*one, out);
  if (rule.one_off) collect(rule.one_off->time, out);
  collect(rule.severity, out);
  collect(rule.recommend, out);
  collect(rule.verify, out);
  collect(rule.except, out);
}

void collect(const Override& change, std::vector<const Expression*>& out) {
  if (change.severity) collect(*change.severity, out);
  collect(change.recommend, out);
  collect(change.except, out);
}

}  // namespace

std::vector<const Expression*> expressions_of(const Rule& rule) {
  std::vector<const Expression*> out;
  collect(rule, out);
  return out;
}

std::vector<const Expression*> expressions_of(const Override& change) {
  std::vector<const Expression*> out;
  collect(change, out);
  return out;
}

std::vector<const Expression*> expressions_of(const RuleFile& file) {
  std::vector<const Expression*> out;
  for (const Define& define : file.defines) collect(define.value, out);
  for (const SeverityLadder& ladder : file.ladders)
    for (const SeverityLadder::Step& step : ladder.steps) collect(step.bound, out);
  for (const Rule& rule : file.rules) collect(rule, out);
  for (const Override& change : file.overrides) collect(change, out);
  return out;
}

}  // namespace kdiag
