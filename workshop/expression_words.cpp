// SPDX-License-Identifier: Apache-2.0
// What kind of word each word in the expressions of a rule file is.
#include <kdiag/editing.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/interrupt.hpp"
#include "dsl/expressions/expr_tokens.hpp"
#include "dsl/pack_tree.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "engine/language/functions.hpp"
#include "engine/language/subject_spec.hpp"
#include "workshop/file_expressions.hpp"
#include "workshop/name_uses.hpp"

namespace kdiag {
namespace {

WordKind kind_of(NameKind kind) {
  switch (kind) {
    case NameKind::let: return WordKind::let;
    case NameKind::param: return WordKind::param;
    case NameKind::argument: return WordKind::argument;
    case NameKind::rule:
    case NameKind::define:
    case NameKind::ladder: break;
  }
  return WordKind::define;
}

/// Nothing of what is not coloured: brackets, commas, dots and comments.
std::optional<WordKind> kind_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword: return WordKind::keyword;
    case TokenKind::number: return WordKind::number;
    case TokenKind::text: return WordKind::text;
    case TokenKind::regex: return WordKind::regex;
    case TokenKind::param: return WordKind::param;
    case TokenKind::sign: return WordKind::sign;
    default: return std::nullopt;
  }
}

class WordCollector {
 public:
  WordCollector(const RuleFile& file, const SourcePtr& source) : source_(source) {
    for (const NameUse& name : names_of(file, source)) names_.emplace(name.span.offset, name.kind);
    for (const Expression* expression : expressions_of(file)) add(expression->text);
  }

  std::vector<ExpressionWord> take() && {
    const auto by_place = [](const ExpressionWord& a, const ExpressionWord& b) {
      return a.span.offset < b.span.offset;
    };
    std::stable_sort(words_.begin(), words_.end(), by_place);
    return std::move(words_);
  }

 private:
  void add(const SourceText& text) {
    const std::vector<Token> tokens = expr_tokens(text.text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      Span span = text.span(tokens[i].range);
      if (span.source != source_ || span.length == 0) continue;
      const bool called = i + 1 < tokens.size() && tokens[i + 1].kind == TokenKind::open;
      const auto kind = tokens[i].kind == TokenKind::word ? word_kind(text, tokens[i].range, span.offset, called)
                                                          : kind_of(tokens[i].kind);
      if (kind) words_.push_back({*kind, std::move(span)});
    }
  }

  WordKind word_kind(const SourceText& text, TextRange range, std::size_t offset, bool called) const {
    if (const auto name = names_.find(offset); name != names_.end()) return kind_of(name->second);
    const std::string_view word = std::string_view(text.text).substr(range.begin, range.end - range.begin);
    if (called && find_function(word) != nullptr) return WordKind::function;
    if (subject_kind(word)) return WordKind::keyword;  // run, device
    return find_table(word).valid() ? WordKind::table : WordKind::column;
  }

  const SourcePtr& source_;
  std::map<std::size_t, NameKind> names_;  ///< by the place of their first byte
  std::vector<ExpressionWord> words_;
};

}  // namespace

std::vector<ExpressionWord> words_in(std::string_view name, std::string_view text, const std::atomic<bool>* cancel) {
  if (purpose_of(text) == YamlPurpose::tests) return {};
  const auto source = std::make_shared<const Source>(Source{std::string(name), std::string(text)});
  Diagnostics diagnostics;
  try {
    return WordCollector(parse_rule_file(pack_of_text(source), diagnostics, {}, cancel), source).take();
  } catch (const Interrupted&) {
    return {};
  }
}

}  // namespace kdiag
