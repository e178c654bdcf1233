// SPDX-License-Identifier: Apache-2.0
// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kdiag {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0 at the end of the text
  bool valid = true;      ///< false: one byte that begins no well-formed sequence
};

/// The code point at a byte of the text. Overlong forms, surrogates and values above U+10FFFF are not valid.
CodePoint code_point_at(std::string_view text, std::size_t at);

/// The first byte that is not well-formed UTF-8; the text's size when all of it is.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace kdiag
