// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/expr_tokens.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/ascii.hpp"
#include "dsl/expressions/parse_expr.hpp"

namespace kdiag {
namespace {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (true) {
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (at_ == text_.size()) return std::move(out_);
      const std::size_t begin = at_;
      const TokenKind kind = next();
      out_.push_back({kind, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)}});
      regex_next_ = kind == TokenKind::sign && at_ - begin == 2 && text_[at_ - 1] == '~';
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void words() {
    while (is_word(peek())) ++at_;
  }

  TokenKind next() {
    const char c = peek();
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      while (is_blank(text_[at_ - 1])) --at_;
      return TokenKind::comment;
    }
    if (c == '"') return literal('"', TokenKind::text);
    if (c == '/' && regex_next_) {
      literal('/', TokenKind::regex);
      words();
      return TokenKind::regex;
    }
    if (is_digit(c)) return number();
    if (is_letter(c) || c == '_') {
      const std::size_t begin = at_;
      words();
      const auto& reserved = reserved_words();
      const bool keyword =
          std::find(reserved.begin(), reserved.end(), text_.substr(begin, at_ - begin)) != reserved.end();
      return keyword ? TokenKind::keyword : TokenKind::word;
    }
    if (c == '$') {
      ++at_;
      words();
      return TokenKind::param;
    }
    ++at_;
    switch (c) {
      case '(':
      case '[': return TokenKind::open;
      case ')':
      case ']': return TokenKind::close;
      case ',': return TokenKind::comma;
      case '.': return TokenKind::dot;
      default: break;
    }
    constexpr std::string_view two[] = {"==", "!=", "<=", ">=", "=~", "!~"};
    if (std::find(std::begin(two), std::end(two), text_.substr(at_ - 1, 2)) != std::end(two)) ++at_;
    return TokenKind::sign;
  }

  TokenKind literal(char close, TokenKind kind) {
    for (++at_; at_ < text_.size() && peek() != close; ++at_)
      if (peek() == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
    return kind;
  }

  TokenKind number() {
    while (is_digit(peek())) ++at_;
    if (peek() == '.' && is_digit(peek(1)))
      for (++at_; is_digit(peek());) ++at_;
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign)))
      for (at_ += sign; is_digit(peek());) ++at_;
    const std::size_t unit = at_;
    if (peek() == '%') ++at_;
    else words();
    const std::string_view name = text_.substr(unit, at_ - unit);
    if ((name.ends_with('B') || name.ends_with("FLOP")) && peek() == '/' && peek(1) == 's' && !is_word(peek(2)))
      at_ += 2;  // GB/s is one unit
    return TokenKind::number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool regex_next_ = false;
  std::vector<Token> out_;
};

/// Whether a `-` at `index` is the sign of what follows: nothing that it could be subtracted from stands before it.
bool negates(std::string_view text, const std::vector<Token>& tokens, std::size_t index) {
  if (tokens[index].kind != TokenKind::sign || text[tokens[index].range.begin] != '-') return false;
  while (index > 0 && tokens[index - 1].kind == TokenKind::comment) --index;
  if (index == 0) return true;
  switch (tokens[index - 1].kind) {
    case TokenKind::keyword: {
      const TextRange range = tokens[index - 1].range;
      const std::string_view word = text.substr(range.begin, range.end - range.begin);
      return word != "true" && word != "false";
    }
    case TokenKind::sign:
    case TokenKind::open:
    case TokenKind::comma: return true;
    default: return false;
  }
}

/// Whether the word at `index` is called when a bracket follows: all but `by` of `group by (...)`.
bool called(std::string_view text, const std::vector<Token>& tokens, std::size_t index) {
  const auto is = [&](std::size_t i, std::string_view word) {
    const TextRange range = tokens[i].range;
    return text.substr(range.begin, range.end - range.begin) == word;
  };
  return tokens[index].kind == TokenKind::word && !(index > 0 && is(index, "by") && is(index - 1, "group"));
}

}  // namespace

std::vector<Token> expr_tokens(std::string_view text) { return Lexer(text).run(); }

std::size_t blanks_before(std::string_view text, const std::vector<Token>& tokens, std::size_t index) {
  const Token& left = tokens[index - 1];
  const Token& right = tokens[index];
  if (left.kind == TokenKind::open || left.kind == TokenKind::dot) return 0;
  if (right.kind == TokenKind::close || right.kind == TokenKind::comma || right.kind == TokenKind::dot) return 0;
  if (right.kind == TokenKind::open && text[right.range.begin] == '(' && called(text, tokens, index - 1)) return 0;
  return negates(text, tokens, index - 1) ? 0 : 1;
}

}  // namespace kdiag
