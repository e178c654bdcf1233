// SPDX-License-Identifier: Apache-2.0
// Parts of texts, and letters of either case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "base/ascii.hpp"

namespace kdiag {

/// What RFC 8259 allows between tokens.
constexpr std::string_view json_blanks = " \t\r\n";

/// text.find(part, from), fast where the first character of `part` is frequent, as quotes are.
inline std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0) {
  if (from > text.size() || part.size() > text.size() - from) return std::string_view::npos;
  if (part.empty()) return from;  // memmem takes no null
  const void* const found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// A text with its ASCII letters in lower case.
inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

/// A text with its ASCII letters in upper case.
inline std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = upper(c);
  return out;
}

inline bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// The last part of a path.
constexpr std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// std::string_view::contains() of C++23.
inline bool contains(std::string_view text, std::string_view part) {
  return find_part(text, part) != std::string_view::npos;
}

/// Whether a text has one of the parts in it.
template <std::size_t n>
bool contains_any(std::string_view text, const std::string_view (&parts)[n]) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [text](std::string_view part) { return contains(text, part); });
}

}  // namespace kdiag
