// SPDX-License-Identifier: Apache-2.0
// Reads values out of a YAML tree; everything that does not fit becomes a diagnostic, and reading goes on.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "dsl/file_keys.hpp"
#include "dsl/yaml_tree.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

class NodeReader {
 public:
  /// Throws Interrupted at the next mapping once `cancel` is set.
  explicit NodeReader(Diagnostics& diagnostics, CancelFlag cancel = nullptr)
      : diagnostics_(diagnostics), cancel_(cancel) {}

  void error(std::string_view id, const Span& span, std::string title, std::string label = {}, std::string help = {});
  void warning(std::string_view id, const Span& span, std::string title, std::string label = {}, std::string help = {});

  /// Whether the node is of the kind, else K110: "`rules` must be a list". Invalid nodes fail silently.
  bool mapping(const YamlNode& node, std::string_view what);
  bool sequence(const YamlNode& node, std::string_view what);
  bool scalar(const YamlNode& node, std::string_view what);

  /// K111 for every key of the mapping that is neither known nor begins with `x-`.
  void only_keys(const YamlNode& mapping, std::string_view what, const KeyGroup& keys);
  /// The value of a key; K112 at `place` when there is none, with `help` on what it is.
  const YamlNode* required(const YamlNode& mapping, std::string_view key, std::string_view what, const Span& place,
                           std::string help = {});

  /// A text without blanks at its ends.
  std::string text(const YamlNode& node, std::string_view what);
  std::string text_of(const YamlNode& mapping, std::string_view key);  ///< empty when there is no such key
  /// A list of texts, or a single one.
  std::vector<Reference> texts(const YamlNode& node, std::string_view what);
  std::vector<Reference> texts_of(const YamlNode& mapping, std::string_view key);
  /// `true` or `false`, spelt so.
  std::optional<bool> boolean(const YamlNode& node, std::string_view what);
  /// One of some words; empty, and K113, otherwise.
  std::string_view word(const YamlNode& node, std::string_view what, const std::vector<std::string_view>& words);
  /// The same of words that stand for values.
  template <class T>
  std::optional<T> choice(const YamlNode& node, std::string_view what,
                          const std::vector<std::pair<std::string_view, T>>& choices) {
    if (!scalar(node, what)) return {};
    std::vector<std::string_view> words;
    for (const auto& [word, value] : choices) {
      if (node.text.text == word) return value;
      words.push_back(word);
    }
    wrong_word(node, what, words);
    return {};
  }
  /// A name for expressions; K114 otherwise.
  std::string name(const YamlNode& node, std::string_view what);
  /// `area.name`, each part kebab-case; K114 otherwise.
  std::string rule_id(const YamlNode& node);

  /// An expression; without a tree when it has an error. A list in brackets is the list literal it looks like.
  Expression expression(const YamlNode& node, std::string_view what);
  std::optional<Expression> expression_of(const YamlNode& mapping, std::string_view key);
  /// `[low, high]`
  std::optional<std::pair<Expression, Expression>> range(const YamlNode& node, std::string_view what);
  Template text_template(const YamlNode& node, std::string_view what);

  /// The text of a scalar, or of a list in brackets as it stands in the file; nothing (K110) for all else.
  std::optional<SourceText> source_text(const YamlNode& node, std::string_view what);

  void add(const Diagnostics& more) { diagnostics_.insert(diagnostics_.end(), more.begin(), more.end()); }
  /// Names the rule or test in all diagnostics since the `first`.
  void set_context(std::size_t first, const std::string& context);
  std::size_t count() const { return diagnostics_.size(); }

 private:
  void wrong_word(const YamlNode& node, std::string_view what, const std::vector<std::string_view>& words);

  Diagnostics& diagnostics_;
  CancelFlag cancel_;
};

/// "`when`": how messages name a key.
inline std::string in_backticks(std::string_view key) { return '`' + std::string(key) + '`'; }

}  // namespace kdiag
