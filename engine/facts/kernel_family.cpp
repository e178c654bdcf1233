// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/kernel_family.hpp"

#include <array>

namespace kdiag {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The length of a size word at the start of `rest`; 0 when there is none.
std::size_t size_word(std::string_view rest) {
  static constexpr std::array<std::string_view, 3> words{"small", "medium", "large"};
  for (const std::string_view word : words)
    if (rest.starts_with(word) && (rest.size() == word.size() || rest[word.size()] == '_')) return word.size();
  return 0;
}

}  // namespace

std::string kernel_family(std::string_view name) {
  const bool numbered = name.starts_with("nvkernel_") || name.starts_with("__omp_offloading_");
  std::string out;
  out.reserve(name.size());
  for (std::size_t at = 0; at < name.size();) {
    const char before = at > 0 ? name[at - 1] : ' ';
    const bool in_tile = before == 'x' && at > 1 && digit(name[at - 2]);
    std::size_t end = at;
    if (digit(name[at])) {
      while (end < name.size() && digit(name[end])) ++end;
      if (letter(before) && !in_tile && !numbered) out += name.substr(at, end - at);
      else out += '#';
    } else if (before == '_' && (end += size_word(name.substr(at))) > at) {
      out += '#';
    } else {
      out += name[at];
      end = at + 1;
    }
    at = end;
  }
  return out;
}

}  // namespace kdiag
