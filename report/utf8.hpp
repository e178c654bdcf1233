// SPDX-License-Identifier: Apache-2.0
// Reading UTF-8 that may be broken, one code point at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kdiag::report {

/// A code point of a text. An ill-formed byte is one invalid code point of length 1 whose value is the byte.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = true;
};

/// The code point at byte `at`, which must lie in the text. Overlong forms, surrogates and values above U+10FFFF
/// are ill-formed (RFC 3629).
CodePoint decode_utf8(std::string_view text, std::size_t at);

/// How many code points a text has; ill-formed bytes count one each.
std::size_t count_code_points(std::string_view text);

/// The first `count` code points of a text, or all of it.
std::string_view first_code_points(std::string_view text, std::size_t count);

}  // namespace kdiag::report
