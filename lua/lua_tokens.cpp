// SPDX-License-Identifier: Apache-2.0
#include "lua/lua_tokens.hpp"

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"

namespace kdiag::lua {
namespace {

TextRange range_of(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

class Lexer {
 public:
  explicit Lexer(std::string_view script) : script_(script) {
    if (script_.starts_with('#')) to_end_of_line();
  }

  std::vector<LuaToken> run() {
    while (pass_over_blanks()) next();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < script_.size() ? script_[at_ + ahead] : '\0'; }
  void to_end_of_line() { at_ = std::min(script_.find('\n', at_), script_.size()); }

  /// Comments are blanks. False at the end.
  bool pass_over_blanks() {
    while (at_ < script_.size()) {
      if (is_blank(peek()) || peek() == '\f' || peek() == '\v') {
        ++at_;
      } else if (peek() == '-' && peek(1) == '-') {
        at_ += 2;
        if (!long_text()) to_end_of_line();
      } else {
        return true;
      }
    }
    return false;
  }

  void next() {
    const std::size_t begin = at_;
    LuaToken token;
    if (is_letter(peek()) || peek() == '_') {
      token.kind = LuaToken::Kind::name;
      while (is_word(peek())) ++at_;
    } else if (is_digit(peek())) {
      while (is_word(peek()) || (peek() == '.' && peek(1) != '.')) ++at_;
    } else if (peek() == '"' || peek() == '\'') {
      token.kind = LuaToken::Kind::text;
      token.content = quoted();
    } else if (const auto content = long_text()) {
      token.kind = LuaToken::Kind::text;
      token.content = content;
    } else {
      constexpr std::string_view two[] = {"==", "~=", "<=", ">=", "..", "::", "//", "<<", ">>"};
      at_ += std::find(std::begin(two), std::end(two), script_.substr(at_, 2)) != std::end(two) ? 2 : 1;
    }
    token.range = range_of(begin, at_);
    out_.push_back(token);
  }

  /// What stands between quotes; nothing where a part of it is an escape.
  std::optional<TextRange> quoted() {
    const char quote = peek();
    const std::size_t begin = ++at_;
    bool escapes = false;
    for (; at_ < script_.size() && peek() != quote && peek() != '\n'; ++at_)
      if (peek() == '\\') {
        escapes = true;
        ++at_;
      }
    const std::size_t end = std::min(at_, script_.size());
    at_ = std::min(end + 1, script_.size());
    return escapes ? std::nullopt : std::optional(range_of(begin, end));
  }

  /// What stands between `[[` and `]]`, or `[=[` and `]=]`; nothing, and nothing is read, where no such text begins.
  std::optional<TextRange> long_text() {
    std::size_t level = 0;
    while (peek(1 + level) == '=') ++level;
    if (peek() != '[' || peek(1 + level) != '[') return {};
    std::size_t begin = at_ + level + 2;
    if (begin < script_.size() && script_[begin] == '\n') ++begin;
    const std::size_t end = script_.find("]" + std::string(level, '=') + "]", begin);
    at_ = end == std::string_view::npos ? script_.size() : end + level + 2;
    return range_of(std::min(begin, script_.size()), std::min(end, script_.size()));
  }

  std::string_view script_;
  std::size_t at_ = 0;
  std::vector<LuaToken> out_;
};

}  // namespace

std::vector<LuaToken> lua_tokens(std::string_view script) { return Lexer(script).run(); }

}  // namespace kdiag::lua
