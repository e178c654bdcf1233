// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/text_lines.hpp"

#include <algorithm>
#include <utility>

namespace kdiag::serve {
namespace {

/// How many units of UTF-16 the character takes that begins with a byte; none for the bytes behind its first.
std::size_t utf16_units(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  if ((value & 0xC0U) == 0x80U) return 0;
  return value >= 0xF0U ? 2 : 1;
}

bool continues(char byte) { return utf16_units(byte) == 0; }

}  // namespace

TextLines::TextLines(std::string text) : text_(std::move(text)), begins_{0} {
  for (std::size_t at = 0; at < text_.size(); ++at)
    if (text_[at] == '\n' || (text_[at] == '\r' && (at + 1 == text_.size() || text_[at + 1] != '\n')))
      begins_.push_back(at + 1);
}

std::string_view TextLines::line(std::size_t number) const {
  const std::size_t begin = begins_[number];
  std::size_t end = number + 1 < begins_.size() ? begins_[number + 1] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::size_t TextLines::offset_of(TextPosition position, Encoding encoding) const {
  if (position.line >= begins_.size()) return text_.size();
  const std::string_view line = this->line(position.line);
  std::size_t at = 0;
  if (encoding == Encoding::utf8) {
    at = std::min(position.character, line.size());
    while (at > 0 && at < line.size() && continues(line[at])) --at;
  } else {
    for (std::size_t units = 0; at < line.size(); ++at) {
      units += utf16_units(line[at]);
      if (units > position.character) break;
    }
  }
  return begins_[position.line] + at;
}

TextPosition TextLines::position_of(std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
  const auto number = static_cast<std::size_t>(after - begins_.begin()) - 1;
  const std::string_view before = std::string_view(text_).substr(begins_[number], offset - begins_[number]);
  if (encoding == Encoding::utf8) return {number, before.size()};
  std::size_t units = 0;
  for (const char byte : before) units += utf16_units(byte);
  return {number, units};
}

}  // namespace kdiag::serve
