// SPDX-License-Identifier: Apache-2.0
// Kinds of ASCII characters, independent of any locale.
#pragma once

namespace kdiag {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
/// A character of a name of the rule language: letters, digits, underscores.
constexpr bool is_word(char c) { return is_letter(c) || c == '_' || is_digit(c); }
/// A space, tab or end of a line. Most characters are above all of them.
constexpr bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
}

}  // namespace kdiag
