// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <algorithm>
#include <iterator>

namespace kdiag {

CodePoint code_point_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const auto byte = [text](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  const CodePoint broken{lead, 1, false};
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return broken;
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return broken;
    value = (value << 6U) | (byte(at + i) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return broken;
  return {value, length, true};
}

bool is_hidden(char32_t value) {
  if (value >= ' ' && value <= '~') return false;  // nearly all of any text
  struct Range {
    char32_t first, last;
  };
  constexpr Range ranges[] = {
      {0x00, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},
      {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
      {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
      {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
  };
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [value](Range range) { return value >= range.first && value <= range.last; });
}

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid) return at;
    at += point.length;
  }
  return text.size();
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).length) ++count;
  return count;
}

std::string_view first_code_points(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size() && count > 0; --count) at += code_point_at(text, at).length;
  return text.substr(0, at);
}

}  // namespace kdiag
