// SPDX-License-Identifier: Apache-2.0
#include "dsl/yaml_scalar.hpp"

#include <algorithm>

namespace kdiag {
namespace {

bool is_white(char c) { return c == ' ' || c == '\t'; }

/// Walks a scalar in the file and its value side by side. Each function returns false when they do not agree.
class Walker {
 public:
  Walker(std::string_view file, std::size_t at, std::string_view value) : file_(file), at_(at), value_(value) {}

  bool plain() {
    while (!done())
      if (!fold() && !copy()) return false;
    return true;
  }

  bool single_quoted() {
    ++at_;
    while (!done()) {
      if (fold()) continue;
      if (here() == '\'') {
        if (next() != '\'' || value_[origin_.size()] != '\'') return false;
        emit();
        at_ += 2;
      } else if (!copy()) {
        return false;
      }
    }
    return closing('\'');
  }

  bool double_quoted() {
    ++at_;
    while (!done()) {
      if (here() == '\\') {
        if (!escape()) return false;
      } else if (!fold() && !copy()) {
        return false;
      }
    }
    while (here() == '\\' && continued_line()) {
    }
    return closing('"');
  }

  /// `|` and `>`: a header line, then lines that share an indentation.
  bool block(bool folded) {
    while (at_ < file_.size() && file_[at_] != '\n') ++at_;
    if (at_ < file_.size()) ++at_;
    indentation_ = block_indentation();
    bool line_start = true;
    while (!done()) {
      if (line_start) {
        for (std::size_t i = 0; i < indentation_ && here() == ' '; ++i) ++at_;
        line_start = false;
      }
      if (break_length() == 0) {
        if (!copy()) return false;
      } else {
        if (!(folded ? folded_breaks() : literal_break())) return false;
        line_start = true;
      }
    }
    return true;
  }

  ScalarMap finish() {
    origin_.push_back(at_);
    return {std::move(origin_), end_ > 0 ? end_ : at_, false};
  }
  bool unclosed() const { return unclosed_; }

 private:
  bool done() const { return origin_.size() == value_.size(); }
  char here() const { return at_ < file_.size() ? file_[at_] : '\0'; }
  char next() const { return at_ + 1 < file_.size() ? file_[at_ + 1] : '\0'; }
  /// Length of the line break at the current byte: 0, 1 or 2.
  std::size_t break_length() const { return break_length(at_); }
  std::size_t break_length(std::size_t at) const {
    if (at >= file_.size()) return 0;
    if (file_[at] == '\n') return 1;
    return file_[at] == '\r' && at + 1 < file_.size() && file_[at + 1] == '\n' ? 2 : 0;
  }
  void emit() { origin_.push_back(at_); }
  bool emit(char c) {
    if (done() || value_[origin_.size()] != c) return false;
    emit();
    return true;
  }
  bool copy() {
    if (at_ >= file_.size() || !emit(file_[at_])) return false;
    ++at_;
    return true;
  }
  bool closing(char quote) {
    unclosed_ = file_.find_first_not_of(" \t\r\n", at_) == std::string_view::npos;
    end_ = at_ + 1;
    return here() == quote;
  }

  /// Flow scalars: blanks and line breaks between two lines are one blank, or one break less than there are.
  bool fold() {
    if (at_ < inner_blanks_) return false;
    std::size_t at = at_;
    while (at < file_.size() && is_white(file_[at])) ++at;
    if (break_length(at) == 0) {
      inner_blanks_ = at;
      return false;
    }
    std::vector<std::size_t> breaks;
    while (at < file_.size() && (is_white(file_[at]) || break_length(at) > 0)) {
      if (const std::size_t length = break_length(at); length > 0) {
        breaks.push_back(at);
        at += length;
      } else {
        ++at;
      }
    }
    at_ = breaks.front();
    if (breaks.size() == 1) {
      if (!emit(' ')) return false;
    } else {
      for (std::size_t i = 1; i < breaks.size(); ++i) {
        at_ = breaks[i];
        if (!emit('\n')) return false;
      }
    }
    at_ = at;
    return true;
  }

  /// A backslash and a line break: nothing, and the blanks of the next line are dropped.
  bool continued_line() {
    const std::size_t length = break_length(at_ + 1);
    if (length == 0) return false;
    at_ += 1 + length;
    while (at_ < file_.size() && is_white(file_[at_])) ++at_;
    return true;
  }

  bool escape() {
    if (continued_line()) return true;
    std::size_t digits = 0;
    if (next() == 'x') digits = 2;
    else if (next() == 'u') digits = 4;
    else if (next() == 'U') digits = 8;
    const std::size_t length = digits > 0                       ? utf8_length(digits)
                               : next() == 'N' || next() == '_' ? 2
                               : next() == 'L' || next() == 'P' ? 3
                                                                : 1;
    if (origin_.size() + length > value_.size()) return false;
    for (std::size_t i = 0; i < length; ++i) emit();
    at_ += 2 + digits;
    return at_ <= file_.size();
  }
  /// Bytes that the code point of an escape takes.
  std::size_t utf8_length(std::size_t digits) const {
    std::uint32_t code = 0;
    for (const char c : file_.substr(std::min(at_ + 2, file_.size()), digits)) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : 0;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }

  /// Blanks that every line of the block begins with: those of its first line with text, less those that are kept.
  std::size_t block_indentation() const {
    std::size_t begin = at_;
    std::size_t text = begin;
    while (text < file_.size() && (file_[text] == ' ' || break_length(text) > 0)) {
      const std::size_t length = break_length(text);
      text += std::max<std::size_t>(length, 1);
      if (length > 0) begin = text;
    }
    const std::size_t first = std::min(value_.find_first_not_of(" \n"), value_.size());
    const std::size_t line = first == 0 ? std::string_view::npos : value_.rfind('\n', first - 1);
    const std::size_t kept = first - (line == std::string_view::npos ? 0 : line + 1);
    return text - begin >= kept ? text - begin - kept : 0;
  }

  bool literal_break() {
    if (!emit('\n')) return false;
    at_ += break_length();
    return true;
  }

  /// Folded blocks: a break is a blank, several are one less; around lines that are indented more all are kept.
  bool folded_breaks() {
    std::vector<std::size_t> breaks;
    std::size_t line = at_;
    for (std::size_t at = at_; at < file_.size() && (file_[at] == ' ' || break_length(at) > 0);) {
      const std::size_t length = break_length(at);
      if (length > 0) breaks.push_back(at);
      at += std::max<std::size_t>(length, 1);
      if (length > 0) line = at;
    }
    const std::size_t at_value = origin_.size();
    std::size_t wanted = 0;
    while (at_value + wanted < value_.size() && value_[at_value + wanted] == '\n') ++wanted;
    if (wanted == 0) {
      if (breaks.size() != 1 || !emit(' ')) return false;
    } else {
      const bool last = at_value + wanted == value_.size();
      const std::size_t skipped = last || breaks.size() == wanted ? 0 : breaks.size() == wanted + 1 ? 1 : breaks.size();
      if (skipped + wanted > breaks.size()) return false;
      for (std::size_t i = 0; i < wanted; ++i) {
        at_ = breaks[skipped + i];
        emit();
      }
      if (last) line = breaks[wanted - 1] + break_length(breaks[wanted - 1]);
    }
    at_ = line;
    return true;
  }

  std::string_view file_;
  std::size_t at_;
  std::string_view value_;
  TextOrigin origin_;
  std::size_t indentation_ = 0;
  std::size_t inner_blanks_ = 0;  ///< blanks up to here are inside a line: not looked at again
  std::size_t end_ = 0;
  bool unclosed_ = false;
};

}  // namespace

ScalarStyle scalar_style(std::string_view file, std::size_t begin) {
  switch (begin < file.size() ? file[begin] : ' ') {
    case '\'': return ScalarStyle::single_quoted;
    case '"': return ScalarStyle::double_quoted;
    case '|': return ScalarStyle::literal;
    case '>': return ScalarStyle::folded;
    default: return ScalarStyle::plain;
  }
}

ScalarMap map_scalar(std::string_view file, std::size_t begin, std::string_view value) {
  Walker walker(file, begin, value);
  bool found = false;
  switch (scalar_style(file, begin)) {
    case ScalarStyle::plain: found = walker.plain(); break;
    case ScalarStyle::single_quoted: found = walker.single_quoted(); break;
    case ScalarStyle::double_quoted: found = walker.double_quoted(); break;
    case ScalarStyle::literal: found = walker.block(false); break;
    case ScalarStyle::folded: found = walker.block(true); break;
  }
  if (found) return walker.finish();
  std::size_t end = std::min(file.find_first_of("\r\n", begin), file.size());
  while (end > begin + 1 && is_white(file[end - 1])) --end;
  return {{}, end, walker.unclosed()};
}

}  // namespace kdiag
