// SPDX-License-Identifier: Apache-2.0
// Patterns in which `*` stands for any characters.
#pragma once

#include <string_view>

namespace kdiag {

/// Whether the pattern matches all of the text. No other character is special. Linear in the text for each `*`.
constexpr bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace kdiag
