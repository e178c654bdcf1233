// SPDX-License-Identifier: Apache-2.0
#include "dsl/read_rule.hpp"

#include <kdiag/error_ids.hpp>

#include "base/ascii.hpp"
#include "dsl/param_value.hpp"
#include "dsl/read_test.hpp"

namespace kdiag {
namespace {

/// Words with their values.
template <class T>
std::vector<std::pair<std::string_view, T>> named(std::initializer_list<T> values) {
  std::vector<std::pair<std::string_view, T>> words;
  for (const T value : values) words.emplace_back(name_of(value), value);
  return words;
}

std::vector<std::string> strings(const std::vector<Reference>& references) {
  std::vector<std::string> out;
  for (const Reference& reference : references) out.push_back(reference.rule);
  return out;
}

/// `let:`, `evidence:`: name: expression.
std::vector<NamedExpression> read_named(const YamlNode& node, std::string_view key, std::string_view what,
                                        NodeReader& reader) {
  std::vector<NamedExpression> out;
  if (!reader.mapping(node, key)) return out;
  for (const YamlMember& member : node.members) {
    std::string name = reader.name(member.key, what);
    Expression value = reader.expression(member.value, member.key.text.text);
    if (!name.empty()) out.push_back({std::move(name), member.key.span, std::move(value)});
  }
  return out;
}

Param read_param(const YamlMember& member, const KeyGroup& keys, NodeReader& reader) {
  Param param;
  param.name = reader.name(member.key, "a parameter");
  param.name_span = member.key.span;
  const YamlNode* type = &member.value;  // `limit: time` is short for `limit: {type: time}`
  if (!member.value.is(YamlNode::Kind::scalar)) {
    if (!reader.mapping(member.value, member.key.text.text)) return param;
    reader.only_keys(member.value, "a parameter", keys);
    type = reader.required(member.value, "type", "parameter '" + member.key.text.text + "'", member.key.span);
  }
  const std::string& word = type == nullptr ? param.name : type->text.text;
  if (type == &member.value && !word.empty() && is_digit(word.front()))
    reader.error(error_id::unknown_word, type->span, "a parameter needs a type", "this is a value",
                 "write {type: " + std::string(word.back() == '%' ? "ratio" : "...") + ", default: " + word + "}");
  else if (type != nullptr) param.type = reader.word(*type, "type", keys.keys.front().words());
  if (const YamlNode* value = member.value.find("default"))
    if (const auto text = reader.source_text(*value, "default")) {
      auto parsed = parse_param_value(param.type, *text);
      if (!parsed) reader.add(parsed.error());
      param.default_value = parsed ? std::move(*parsed) : Expression{nullptr, *text};
    }
  if (const YamlNode* range = member.value.find("range")) param.range = reader.range(*range, "range");
  param.doc = reader.text_of(member.value, "doc");
  return param;
}

/// `title:`, `message:`: a text, or a list of texts and of `{text, if}`.
std::vector<Sentence> read_sentences(const YamlNode& node, std::string_view key, NodeReader& reader) {
  std::vector<Sentence> out;
  if (!node.is(YamlNode::Kind::sequence)) {
    out.push_back({reader.text_template(node, key), {}});
    return out;
  }
  if (node.items.empty()) reader.error(error_id::missing_key, node.span, in_backticks(key) + " has no text");
  for (const YamlNode& item : node.items) {
    if (item.is(YamlNode::Kind::scalar)) {
      out.push_back({reader.text_template(item, key), {}});
    } else if (reader.mapping(item, key)) {
      reader.only_keys(item, "a sentence of " + in_backticks(key), file_keys::sentence);
      const YamlNode* text = reader.required(item, "text", "this sentence", item.span);
      if (text != nullptr) out.push_back({reader.text_template(*text, "text"), reader.expression_of(item, "if")});
    }
  }
  return out;
}

void read_texts(const YamlNode& node, Rule& rule, NodeReader& reader) {
  if (const YamlNode* title = reader.required(node, "title", "this rule", rule.span)) {
    rule.title = read_sentences(*title, "title", reader);
    if (!rule.title.empty() && rule.title.back().condition)
      reader.error(error_id::missing_key, title->items.back().span, "the last of several titles has an `if`",
                   "where it does not hold",
                   "of several titles the first that holds is said: the last one holds always");
  }
  if (const YamlNode* message = node.find("message")) rule.message = read_sentences(*message, "message", reader);
  rule.summary = reader.text_of(node, "summary");
  rule.why = reader.text_of(node, "why");
  rule.how = reader.text_of(node, "how");
  rule.false_positives = reader.text_of(node, "false_positives");
  rule.references = strings(reader.texts_of(node, "references"));
  rule.tags = strings(reader.texts_of(node, "tags"));
}

/// What a rule is, whatever it decides: what an outline of it has (dsl/yaml_image.hpp).
void read_outline(const YamlNode& node, Rule& rule, NodeReader& reader) {
  if (const YamlNode* role = node.find("role"))
    rule.role = reader.choice<RuleRole>(*role, "role", role_words()).value_or(rule.role);
  if (const YamlNode* status = node.find("status"))
    rule.status = reader.choice<RuleStatus>(*status, "status", status_words()).value_or(rule.status);
  if (const YamlNode* enabled = node.find("enabled"))
    rule.enabled = reader.boolean(*enabled, "enabled").value_or(rule.enabled);
  if (const YamlNode* subject = node.find("for_each")) {
    rule.for_each = reader.text(*subject, "for_each");
    rule.for_each_span = subject->span;
    if (rule.for_each.find_first_of(" (") != rule.for_each.npos)
      rule.for_each_groups = reader.expression(*subject, "for_each");
  }
  rule.explains = reader.texts_of(node, "explains");
  rule.symptom_of = reader.texts_of(node, "symptom_of");
  rule.replaces = reader.texts_of(node, "replaces");
  if (const YamlNode* params = node.find("params")) rule.params = read_params(*params, reader);
  if (const YamlNode* script = node.find("script")) rule.script_path = {reader.text(*script, "script"), script->span};
}

std::optional<OneOff> read_one_off(const YamlNode& node, const Span& place, NodeReader& reader) {
  if (!reader.mapping(node, "one_off")) return {};
  reader.only_keys(node, "`one_off`", file_keys::one_off);
  const YamlNode* what = reader.required(node, "what", "`one_off`", place);
  const YamlNode* time = reader.required(node, "time", "`one_off`", place);
  if (what == nullptr || time == nullptr) return {};
  return OneOff{reader.text(*what, "what"), reader.expression(*time, "time")};
}

/// What decides whether a rule fires.
void read_decision(const YamlNode& node, Rule& rule, NodeReader& reader) {
  rule.applies = reader.expression_of(node, "applies");
  rule.needs = reader.texts_of(node, "requires");
  if (const YamlNode* let = node.find("let")) rule.let = read_named(*let, "let", "a `let`", reader);
  if (rule.script_path) {
    if (node.find("when") != nullptr)
      reader.error(error_id::script_unusable, rule.script_path->span, "a rule has `when` or `script`, not both", {},
                   "a script can ask for the value of an expression: kd.eval");
  } else if (const YamlNode* when = reader.required(node, "when", "this rule", rule.span)) {
    rule.when = reader.expression(*when, "when");
  }
}

/// What it says where it fires.
void read_finding(const YamlNode& node, Rule& rule, NodeReader& reader) {
  if (const YamlNode* severity = node.find("severity")) rule.severity = read_severity(*severity, reader);
  rule.impact = reader.expression_of(node, "impact");
  const YamlNode* const gain = node.find("gain");
  rule.no_gain = gain != nullptr && gain->text.text == "none";
  if (!rule.no_gain) rule.gain = reader.expression_of(node, "gain");
  rule.confidence = reader.expression_of(node, "confidence");
  rule.location = reader.expression_of(node, "location");
  if (const YamlNode* one_off = node.find("one_off")) rule.one_off = read_one_off(*one_off, rule.span, reader);
  if (const YamlNode* evidence = node.find("evidence"))
    rule.evidence = read_named(*evidence, "evidence", "evidence", reader);
  if (const YamlNode* recommend = node.find("recommend")) rule.recommend = read_recommend(*recommend, reader);
  rule.verify = reader.expression_of(node, "verify");
  if (const YamlNode* except = node.find("except")) rule.except = read_except(*except, reader);
  rule.doubts = reader.texts_of(node, "doubts");
  if (const YamlNode* caps = node.find("caps")) {
    rule.caps = reader.choice<Severity>(*caps, "caps", severity_words());
    rule.caps_span = caps->span;
  }
}

}  // namespace

std::vector<Recommendation> read_recommend(const YamlNode& node, NodeReader& reader) {
  std::vector<Recommendation> out;
  if (!reader.sequence(node, "recommend")) return out;
  for (const YamlNode& item : node.items) {
    Recommendation advice;
    if (item.is(YamlNode::Kind::scalar)) {
      advice.text = reader.text_template(item, "recommend");
    } else {
      if (!reader.mapping(item, "recommend")) continue;
      reader.only_keys(item, "`recommend`", file_keys::recommend);
      if (const YamlNode* text = reader.required(item, "text", "this recommendation", item.span))
        advice.text = reader.text_template(*text, "text");
      advice.condition = reader.expression_of(item, "if");
      advice.unless = reader.texts_of(item, "unless");
      advice.where = reader.text_of(item, "where");
      advice.risk = reader.text_of(item, "risk");
      advice.verify = reader.expression_of(item, "verify");
      advice.url = reader.text_of(item, "url");
    }
    out.push_back(std::move(advice));
  }
  return out;
}

std::vector<Exception> read_except(const YamlNode& node, NodeReader& reader) {
  std::vector<Exception> out;
  if (!reader.sequence(node, "except")) return out;
  for (const YamlNode& item : node.items) {
    if (!reader.mapping(item, "except")) continue;
    reader.only_keys(item, "`except`", file_keys::except);
    const YamlNode* when = reader.required(item, "when", "this exception", item.span);
    if (when != nullptr) out.push_back({reader.expression(*when, "when"), reader.text_of(item, "reason")});
  }
  return out;
}

std::vector<std::pair<std::string_view, Severity>> severity_words() {
  return named({Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info});
}
std::vector<std::pair<std::string_view, RuleRole>> role_words() {
  return named({RuleRole::cause, RuleRole::symptom, RuleRole::health});
}
std::vector<std::pair<std::string_view, RuleStatus>> status_words() {
  return named({RuleStatus::stable, RuleStatus::incubating, RuleStatus::deprecated});
}
std::vector<std::pair<std::string_view, Outcome>> outcome_words() {
  return named({Outcome::fired, Outcome::inconclusive, Outcome::clear, Outcome::not_applicable, Outcome::failed});
}

std::vector<Param> read_params(const YamlNode& node, NodeReader& reader, const KeyGroup& keys) {
  std::vector<Param> out;
  if (!reader.mapping(node, "params")) return out;
  for (const YamlMember& member : node.members) {
    Param param = read_param(member, keys, reader);
    if (!param.name.empty()) out.push_back(std::move(param));
  }
  return out;
}

Rule read_rule(const YamlNode& node, NodeReader& reader) {
  Rule rule;
  const std::size_t first = reader.count();
  rule.span = node.span;
  rule.block = node.span;
  if (const YamlNode* id = reader.required(node, "rule", "this rule", node.span,
                                           "a rule begins with its id, such as `rule: training.loss-reads`")) {
    rule.id = reader.rule_id(*id);
    rule.span = id->span;
  }
  reader.only_keys(node, "a rule", file_keys::rule);
  read_outline(node, rule, reader);
  rule.parts = node.parts;
  const bool whole = rule.parts == RuleParts::whole;
  if (whole) read_texts(node, rule, reader);
  if (whole || rule.parts == RuleParts::decision) read_decision(node, rule, reader);
  if (!whole) return rule;
  read_finding(node, rule, reader);
  if (const YamlNode* tests = node.find("tests"); tests != nullptr && reader.sequence(*tests, "tests"))
    for (std::size_t i = 0; i < tests->items.size(); ++i)
      rule.tests.push_back(read_test(tests->items[i], i + 1, {rule.id, rule.span}, reader));
  reader.set_context(first, context_of(rule));
  return rule;
}

}  // namespace kdiag
