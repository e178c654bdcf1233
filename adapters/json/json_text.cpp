// SPDX-License-Identifier: Apache-2.0
// Scans text eight bytes at a time while it is plain ASCII, else character by character.
#include "adapters/json/json_text.hpp"

#include <cstdint>
#include <cstring>

namespace kdiag::adapters {
namespace {

/// Whether each of eight bytes is ASCII, no backslash and no control character. May say no for bytes that are plain
/// (a borrow crosses bytes), never yes for others.
bool eight_plain(const char* text) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t tops = 0x80 * ones;
  std::uint64_t word;
  std::memcpy(&word, text, sizeof word);
  const std::uint64_t backslashes = word ^ ('\\' * ones);
  return ((word | (word - 0x20 * ones) | ((backslashes - ones) & ~backslashes)) & tops) == 0;
}

/// The length of the UTF-8 sequence at the front, which starts with a byte beyond ASCII; 0 when it is invalid.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool too_high = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || too_high ? 0 : length;
}

}  // namespace

std::size_t plain_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 && eight_plain(text.data() + at)) {
      at += 8;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x80) {
      const std::size_t length = sequence_length(text.substr(at));
      if (length == 0) break;
      at += length;
    } else if (byte == '\\' || (byte < 0x20 && byte != '\t')) {
      break;
    } else {
      ++at;
    }
  }
  return at;
}

bool needs_repair(std::string_view text, Controls controls) {
  for (;;) {
    text.remove_prefix(plain_length(text));
    if (text.empty()) return false;
    const bool control = static_cast<unsigned char>(text.front()) < 0x20;
    const bool fine = text.front() == '\\' || (control && controls == Controls::allowed);
    if (!fine) return true;
    text.remove_prefix(1);
  }
}

}  // namespace kdiag::adapters
