// SPDX-License-Identifier: Apache-2.0
// UTF-8 that may be broken, one code point at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace kdiag {

/// What some editors write at the head of a file (U+FEFF).
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// A code point of a text. An ill-formed byte is one invalid code point of length 1 whose value is the byte.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  ///< in bytes; 0 at the end of the text
  bool valid = true;
};

/// The code point at a byte of the text. Overlong forms, surrogates and values above U+10FFFF are ill-formed
/// (RFC 3629).
CodePoint code_point_at(std::string_view text, std::size_t at);

/// Whether a code point is a control, or one that reorders, joins or hides text or shows as nothing: Unicode 15,
/// general categories Cc, Cf, Zl and Zp as far as they steer, and Default_Ignorable_Code_Point.
bool is_hidden(char32_t value);

/// The first byte that is not well-formed UTF-8; the text's size when all of it is.
std::size_t first_invalid_utf8(std::string_view text);

/// How many code points a text has; ill-formed bytes count one each.
std::size_t count_code_points(std::string_view text);

/// The first `count` code points of a text, or all of it.
std::string_view first_code_points(std::string_view text, std::size_t count);

}  // namespace kdiag
