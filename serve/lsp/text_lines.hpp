// SPDX-License-Identifier: Apache-2.0
// A text by lines, as editors count: lines and characters from 0, characters in UTF-16 units or in bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::serve {

/// Of names in expressions.
constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

enum class Encoding { utf8, utf16 };

struct TextPosition {
  std::size_t line = 0, character = 0;
};

class TextLines {
 public:
  explicit TextLines(std::string text);

  const std::string& text() const { return text_; }
  /// The byte at a position; the end of the line, or of the text, where there is no such position.
  std::size_t offset_of(TextPosition position, Encoding encoding) const;
  TextPosition position_of(std::size_t offset, Encoding encoding) const;
  /// The line without its end.
  std::string_view line(std::size_t number) const;
  std::size_t line_begin(std::size_t number) const { return begins_[number]; }
  std::size_t size() const { return begins_.size(); }

 private:
  std::string text_;
  std::vector<std::size_t> begins_;  ///< of the lines; of an empty text one
};

}  // namespace kdiag::serve
