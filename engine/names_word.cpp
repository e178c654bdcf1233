// SPDX-License-Identifier: Apache-2.0
#include "engine/names_word.hpp"

#include <cctype>

namespace kdiag {

bool names_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
  }
  return false;
}

}  // namespace kdiag
