// SPDX-License-Identifier: Apache-2.0
#include "base/names/contains_word.hpp"

#include "base/ascii.hpp"

namespace kdiag {

bool contains_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

}  // namespace kdiag
