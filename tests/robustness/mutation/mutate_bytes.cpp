// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/robustness/mutation/mutate.hpp"

namespace kdiag::mutation {
namespace {

/// A run of bytes within the text.
struct Part {
  std::size_t begin = 0, size = 0;
};

Part any_part(const std::string& bytes, Choices& choices) {
  const std::size_t begin = choices.below(bytes.size() + 1);
  const std::size_t most = std::min<std::size_t>(bytes.size() - begin, choices.once_in(4) ? bytes.size() : 32);
  return {begin, choices.below(most + 1)};
}

}  // namespace

void mutate_bytes(std::string& bytes, Choices& choices) {
  constexpr char spoilers[] = {'\0', '\x01', '"', '{', '}', '[', ']', ',', ':',  '|',    '\n',   '\r',
                               ' ',  '-',    '9', 'e', 'N', '<', '>', '&', '\\', '\x7F', '\x80', '\xFF'};
  for (std::size_t n = 1 + choices.below(1 + bytes.size() / 200); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = choices.below(bytes.size());
    const Part part = any_part(bytes, choices);
    switch (choices.below(7)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << choices.below(8))); break;
      case 1: bytes[at] = choices.one_of(spoilers); break;
      case 2: bytes[at] = static_cast<char>(choices.below(256)); break;
      case 3: bytes.insert(at, 1 + choices.below(8), choices.one_of(spoilers)); break;
      case 4: bytes.erase(part.begin, part.size); break;
      case 5: bytes.insert(at, bytes.substr(part.begin, part.size)); break;
      default: {
        const std::string moved = bytes.substr(part.begin, part.size);
        bytes.erase(part.begin, part.size);
        bytes.insert(choices.below(bytes.size() + 1), moved);
      }
    }
  }
}

}  // namespace kdiag::mutation
