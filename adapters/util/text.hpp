// SPDX-License-Identifier: Apache-2.0
// Small questions about text, independent of any locale.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace kdiag::adapters {

/// What RFC 8259 allows between tokens.
constexpr std::string_view json_blanks = " \t\r\n";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// text.find(part, from), fast where the first character of `part` is frequent, as quotes are.
inline std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0) {
  if (from > text.size() || part.size() > text.size() - from) return std::string_view::npos;
  if (part.empty()) return from;  // memmem takes no null
  const void* const found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// std::string_view::contains() of C++23.
inline bool contains(std::string_view text, std::string_view part) {
  return find_part(text, part) != std::string_view::npos;
}

}  // namespace kdiag::adapters
