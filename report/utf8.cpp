// SPDX-License-Identifier: Apache-2.0
#include "report/utf8.hpp"

namespace kdiag::report {

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};

  const CodePoint broken{lead, 1, false};
  std::size_t length = 0;
  char32_t value = 0;
  if ((lead & 0xE0) == 0xC0) length = 2, value = lead & 0x1FU;
  else if ((lead & 0xF0) == 0xE0) length = 3, value = lead & 0x0FU;
  else if ((lead & 0xF8) == 0xF0) length = 4, value = lead & 0x07U;
  if (length == 0 || text.size() - at < length) return broken;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return broken;
    value = (value << 6) | (byte(at + i) & 0x3FU);
  }

  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < smallest[length] || surrogate || value > 0x10FFFF) return broken;
  return {value, length, true};
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) ++count;
  return count;
}

std::string_view first_code_points(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size() && count > 0; --count) at += decode_utf8(text, at).length;
  return text.substr(0, at);
}

}  // namespace kdiag::report
