// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/robustness/mutation/mutate.hpp"

namespace kdiag::mutation {
namespace {

enum class TokenKind : std::uint8_t { number, quoted, word, mark, space };

struct Token {
  TokenKind kind;
  std::size_t begin, size;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & '\x80') != 0; }

std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto belongs = [](char c) { return is_digit(c) || c == '.' || c == 'e' || c == 'E'; };
  ++at;
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}

std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    TokenKind kind = TokenKind::mark;
    if (is_digit(c) || (c == '-' && end < text.size() && is_digit(text[end]))) {
      kind = TokenKind::number;
      end = end_of_number(text, at);
    } else if (c == '"') {
      kind = TokenKind::quoted;
      end = end_of_quoted(text, at);
    } else if (is_letter(c)) {
      kind = TokenKind::word;
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      kind = TokenKind::space;
    }
    tokens.push_back({kind, at, end - at});
    at = end;
  }
  return tokens;
}

/// A token of a kind, or any where the text has none of it. Null in an empty text.
const Token* pick(std::span<const Token> tokens, TokenKind kind, Choices& choices) {
  if (tokens.empty()) return nullptr;
  for (int tries = 0; tries < 50; ++tries)
    if (const Token& token = tokens[choices.below(tokens.size())]; token.kind == kind) return &token;
  return &tokens[choices.below(tokens.size())];
}

void change_token(std::string& text, Choices& choices) {
  const std::vector<Token> tokens = tokens_of(text);
  constexpr TokenKind kinds[] = {TokenKind::number, TokenKind::number, TokenKind::quoted, TokenKind::word,
                                 TokenKind::mark};
  const TokenKind kind = choices.one_of(kinds);
  const Token* token = pick(tokens, kind, choices);
  const Token* other = pick(tokens, kind, choices);
  if (token == nullptr) return;
  const std::string others = text.substr(other->begin, other->size);
  const std::string quote = token->kind == TokenKind::quoted ? "\"" : "";
  switch (choices.below(6)) {
    case 0: text.replace(token->begin, token->size, extreme_number(choices)); break;
    case 1: text.replace(token->begin, token->size, quote + std::string(hostile_text(choices)) + quote); break;
    case 2: text.replace(token->begin, token->size, others); break;
    case 3: text.erase(token->begin, token->size); break;
    case 4: text.insert(token->begin, others); break;
    default: text.replace(token->begin, token->size, quote + std::string(1U << choices.below(17), 'x') + quote);
  }
}

struct Lines {
  std::vector<std::string> all;  ///< each with its newline

  explicit Lines(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      all.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  std::string joined() const {
    std::string text;
    for (const std::string& line : all) text += line;
    return text;
  }
};

void change_lines(std::string& text, Choices& choices) {
  Lines lines(text);
  std::vector<std::string>& all = lines.all;
  if (all.size() < 2) return change_token(text, choices);
  const std::size_t one = choices.below(all.size()), other = choices.below(all.size());
  switch (choices.below(6)) {
    case 0: std::swap(all[one], all[other]); break;
    case 1: all.erase(all.begin() + static_cast<std::ptrdiff_t>(one)); break;
    case 2:
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(one), 1 + choices.below(8), std::string(all[other]));
      break;
    case 3:
      std::reverse(all.begin() + static_cast<std::ptrdiff_t>(std::min(one, other)),
                   all.begin() + static_cast<std::ptrdiff_t>(std::max(one, other)));
      break;
    case 4:
      all[one].insert(all[one].find_last_not_of("\r\n") + 1,
                      all[other].substr(0, all[other].find_last_not_of("\r\n") + 1));
      break;
    default: all.insert(all.end(), all.begin() + static_cast<std::ptrdiff_t>(one), all.end());
  }
  text = lines.joined();
}

/// The piece between a bracket and its partner, as far as one sees without reading quotes.
void change_brackets(std::string& text, Choices& choices) {
  const std::size_t open = text.find_first_of("{[<(", choices.below(text.size()));
  if (open == std::string::npos) return change_token(text, choices);
  const char begins = text[open];
  const char ends = begins == '{' ? '}' : begins == '[' ? ']' : begins == '<' ? '>' : ')';
  std::size_t close = open;
  for (int depth = 0; close < text.size(); ++close) {
    depth += text[close] == begins ? 1 : text[close] == ends ? -1 : 0;
    if (depth == 0) break;
  }
  const std::size_t size = std::min(close + 1, text.size()) - open;
  const std::string piece = text.substr(open, size);
  switch (choices.below(5)) {
    case 0: text.erase(open, size); break;
    case 1: text.insert(open, piece + ','); break;
    case 2: text.erase(open, 1); break;
    case 3: text.replace(open, size, std::string(1U << choices.below(13), '[')); break;
    default: text.replace(open, size, std::string(3, begins) + piece + std::string(3, ends));
  }
}

}  // namespace

void mutate_text(std::string& text, Choices& choices) {
  if (text.empty()) return;
  switch (choices.below(8)) {
    case 0: change_lines(text, choices); break;
    case 1: change_brackets(text, choices); break;
    default: change_token(text, choices);
  }
}

void repeat_lines(std::string& text, std::size_t size, Choices& choices) {
  Lines lines(text);
  const std::size_t begin = choices.below(lines.all.size()), rest = lines.all.size() - begin;
  std::string block;
  for (std::size_t n = 1 + choices.below(rest), i = begin; n > 0; --n, ++i) block += lines.all[i];
  if (block.empty()) return;
  std::string grown;
  for (std::size_t i = 0; i < begin; ++i) grown += lines.all[i];
  while (grown.size() < size) grown += block;
  for (std::size_t i = begin; i < lines.all.size(); ++i) grown += lines.all[i];
  text = std::move(grown);
}

}  // namespace kdiag::mutation
