// SPDX-License-Identifier: Apache-2.0
#include "dsl/node_reader.hpp"

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "dsl/expect_kind.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "dsl/expressions/template.hpp"
#include "dsl/rule_file.hpp"

namespace kdiag {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

/// The byte behind the bracket that closes the one at `begin`; npos when there is none.
std::size_t closing_bracket(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[' || c == '{') ++depth;
    else if ((c == ']' || c == '}') && --depth == 0) return at + 1;
    else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c; ++at)
        if (c == '"' && text[at] == '\\') ++at;
    } else if (c == '#') {
      while (at + 1 < text.size() && text[at + 1] != '\n') ++at;
    }
  }
  return std::string_view::npos;
}

bool kebab(std::string_view part) {
  if (part.empty() || part.front() < 'a' || part.front() > 'z' || part.back() == '-' ||
      part.find("--") != std::string_view::npos)
    return false;
  return std::all_of(part.begin(), part.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

/// The first `#` of a text that is not in a string.
std::size_t comment_in(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#') return at;
    if (text[at] != '"') continue;
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

}  // namespace

bool is_rule_id(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && kebab(text.substr(0, dot)) && kebab(text.substr(dot + 1));
}

void NodeReader::error(std::string_view id, const Span& span, std::string title, std::string label, std::string help) {
  diagnostics_.push_back(make_error(id, span, std::move(title), std::move(label), std::move(help)));
}

void NodeReader::warning(std::string_view id, const Span& span, std::string title, std::string label,
                         std::string help) {
  diagnostics_.push_back(make_warning(id, span, std::move(title), std::move(label), std::move(help)));
}

void NodeReader::set_context(std::size_t first, const std::string& context) {
  for (std::size_t i = first; i < diagnostics_.size(); ++i)
    if (diagnostics_[i].context.empty()) diagnostics_[i].context = context;
}

// --- Kinds and keys -----------------------------------------------------------------------------------------------

bool NodeReader::mapping(const YamlNode& node, std::string_view what) {
  stop_if(cancel_);
  return expect_kind(node, YamlNode::Kind::mapping, what, diagnostics_);
}
bool NodeReader::sequence(const YamlNode& node, std::string_view what) {
  return expect_kind(node, YamlNode::Kind::sequence, what, diagnostics_);
}
bool NodeReader::scalar(const YamlNode& node, std::string_view what) {
  return expect_kind(node, YamlNode::Kind::scalar, what, diagnostics_);
}

namespace {

/// Keys as other rule languages call them (Falco, Prometheus, Semgrep, Sigma), and ours for the same.
constexpr std::pair<std::string_view, std::string_view> keys_elsewhere[] = {
    {"id", "rule"},        {"name", "rule"},         {"condition", "when"},
    {"expr", "when"},      {"desc", "summary"},      {"description", "summary"},
    {"output", "message"}, {"priority", "severity"}, {"level", "severity"}};

/// Which of `keys` somebody meant who wrote `key`; empty for none.
std::string_view meant_key(std::string_view key, const std::vector<std::string_view>& keys) {
  if (const std::string_view near = closest(key, keys); !near.empty()) return near;
  for (const auto& [elsewhere, ours] : keys_elsewhere)
    if (key == elsewhere && std::find(keys.begin(), keys.end(), ours) != keys.end()) return ours;
  return {};
}

}  // namespace

void NodeReader::only_keys(const YamlNode& mapping, std::string_view what, const KeyGroup& keys) {
  for (const YamlMember& member : mapping.members) {
    const std::string& key = member.key.text.text;
    const auto is_key = [&key](const FileKey& known) { return known.name == key; };
    if (key.starts_with("x-") || std::any_of(keys.keys.begin(), keys.keys.end(), is_key)) continue;
    const std::vector<std::string_view> known = names_of(keys);
    const std::string_view meant = meant_key(key, known);
    std::string help = meant.empty() ? "keys are" : "did you mean '" + std::string(meant) + "'?";
    if (meant.empty()) {
      for (std::size_t i = 0; i < known.size(); ++i) (help += i == 0 ? " " : ", ") += known[i];
    }
    error(error_id::unknown_key, member.key.span, "unknown key '" + key + "' in " + std::string(what), {},
          std::move(help));
  }
}

const YamlNode* NodeReader::required(const YamlNode& mapping, std::string_view key, std::string_view what,
                                     const Span& place, std::string help) {
  if (const YamlNode* node = mapping.find(key)) return node;
  // A key that is misspelt is told as such, by only_keys.
  const bool misspelt = std::any_of(mapping.members.begin(), mapping.members.end(), [key](const YamlMember& member) {
    return meant_key(member.key.text.text, {key}) == key;
  });
  if (!misspelt)
    error(error_id::missing_key, place, std::string(what) + " has no " + in_backticks(key), {}, std::move(help));
  return nullptr;
}

// --- Texts and words ------------------------------------------------------------------------------------------------

std::string NodeReader::text(const YamlNode& node, std::string_view what) {
  return scalar(node, what) ? trimmed(node.text.text) : std::string();
}

std::string NodeReader::text_of(const YamlNode& mapping, std::string_view key) {
  const YamlNode* node = mapping.find(key);
  return node != nullptr ? text(*node, key) : std::string();
}

std::vector<Reference> NodeReader::texts(const YamlNode& node, std::string_view what) {
  std::vector<Reference> out;
  if (node.is(YamlNode::Kind::scalar)) {
    out.push_back({trimmed(node.text.text), node.span});
  } else if (sequence(node, what)) {
    for (const YamlNode& item : node.items)
      if (scalar(item, what)) out.push_back({trimmed(item.text.text), item.span});
  }
  return out;
}

std::vector<Reference> NodeReader::texts_of(const YamlNode& mapping, std::string_view key) {
  const YamlNode* node = mapping.find(key);
  return node != nullptr ? texts(*node, key) : std::vector<Reference>();
}

std::string_view NodeReader::word(const YamlNode& node, std::string_view what,
                                  const std::vector<std::string_view>& words) {
  if (!scalar(node, what)) return {};
  const auto found = std::find(words.begin(), words.end(), node.text.text);
  if (found != words.end()) return *found;
  wrong_word(node, what, words);
  return {};
}

std::optional<bool> NodeReader::boolean(const YamlNode& node, std::string_view what) {
  return choice<bool>(node, what, {{"true", true}, {"false", false}});
}

void NodeReader::wrong_word(const YamlNode& node, std::string_view what, const std::vector<std::string_view>& words) {
  std::string list = "it is one of";
  for (std::size_t i = 0; i < words.size(); ++i) (list += i == 0 ? " " : ", ") += words[i];
  error(error_id::unknown_word, node.span, in_backticks(what) + " cannot be '" + node.text.text + "'",
        did_you_mean(node.text.text, words), list);
}

std::string NodeReader::name(const YamlNode& node, std::string_view what) {
  if (!scalar(node, what)) return {};
  const std::string& text = node.text.text;
  if (is_name(text)) return text;
  const auto& reserved = reserved_words();
  const bool taken = std::find(reserved.begin(), reserved.end(), text) != reserved.end();
  error(error_id::invalid_name, node.span, "'" + text + "' cannot be the name of " + std::string(what),
        taken ? "a word of the language" : "", "names consist of letters, digits and _, and begin with no digit");
  return {};
}

std::string NodeReader::rule_id(const YamlNode& node) {
  if (!scalar(node, "rule")) return {};
  const std::string& text = node.text.text;
  if (!is_rule_id(text))
    error(error_id::invalid_name, node.span, "'" + text + "' is no id of a rule", {},
          "ids are area.name in lower-case letters, digits and hyphens: clock.throttled");
  return text;
}

// --- Expressions ----------------------------------------------------------------------------------------------------

std::optional<SourceText> NodeReader::source_text(const YamlNode& node, std::string_view what) {
  if (node.is(YamlNode::Kind::scalar)) return node.text;
  if (node.is(YamlNode::Kind::sequence) && node.span.source && node.span.offset < node.span.source->text.size() &&
      node.span.source->text[node.span.offset] == '[') {
    const std::string& file = node.span.source->text;
    const std::size_t end = closing_bracket(file, node.span.offset);
    if (end != std::string::npos) {
      SourceText out;
      out.text = file.substr(node.span.offset, end - node.span.offset);
      out.source = node.span.source;
      out.whole = {node.span.source, node.span.offset, out.text.size()};
      out.origin = TextOrigin(node.span.offset, out.text.size() + 1);
      return out;
    }
  }
  refuse_kind(node, "an expression", what, diagnostics_);
  return {};
}

Expression NodeReader::expression(const YamlNode& node, std::string_view what) {
  const auto text = source_text(node, what);
  if (!text) return {};
  if (node.style == ScalarStyle::folded)
    if (const std::size_t comment = comment_in(text->text); comment != std::string::npos) {
      const auto at = static_cast<std::uint32_t>(comment);
      warning(error_id::swallowed_comment, text->span({at, at + 1}),
              "a comment in a folded block hides the lines behind it", "`>` joins the lines",
              "begin the block with `|`");
    }
  auto tree = parse_expression(*text);
  if (tree) return {*tree, *text};
  add(tree.error());
  return {nullptr, *text};
}

std::optional<Expression> NodeReader::expression_of(const YamlNode& mapping, std::string_view key) {
  const YamlNode* node = mapping.find(key);
  if (node == nullptr) return {};
  return expression(*node, key);
}

std::optional<std::pair<Expression, Expression>> NodeReader::range(const YamlNode& node, std::string_view what) {
  if (!sequence(node, what)) return {};
  if (node.items.size() != 2) {
    error(error_id::wrong_kind_of_value, node.span, shown(what) + " must be [low, high]",
          std::to_string(node.items.size()) + " items");
    return {};
  }
  return std::pair(expression(node.items[0], what), expression(node.items[1], what));
}

Template NodeReader::text_template(const YamlNode& node, std::string_view what) {
  return scalar(node, what) ? parse_template(node.text, diagnostics_) : Template();
}

}  // namespace kdiag
