// SPDX-License-Identifier: Apache-2.0
// Small questions about text, independent of any locale.
#pragma once

#include <string_view>

namespace kdiag::adapters {

/// What RFC 8259 allows between tokens.
constexpr std::string_view json_blanks = " \t\r\n";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// std::string_view::contains() of C++23.
constexpr bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace kdiag::adapters
