// SPDX-License-Identifier: Apache-2.0
// The block kernels for any little-endian machine: eight bytes in one integer.
#include "adapters/json/json_blocks.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kdiag::adapters {
namespace {

static_assert(std::endian::native == std::endian::little, "bit i of a mask is byte i of the text");

constexpr std::uint64_t every_byte(std::uint64_t value) { return value * 0x0101010101010101U; }

/// Bit i = top bit of byte i.
constexpr std::uint64_t top_bits(std::uint64_t word) {
  return (((word >> 7) & every_byte(1)) * 0x0102040810204080U) >> 56;
}

/// Sets the top bit of exactly those bytes that are zero.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
  return ~(((word & every_byte(0x7F)) + every_byte(0x7F)) | word | every_byte(0x7F));
}

std::uint64_t equal_bytes(std::uint64_t word, char c) {
  return zero_bytes(word ^ every_byte(static_cast<unsigned char>(c)));
}
/// With bit 0x20 set, '[' is '{' and ']' is '}'.
std::uint64_t folded(std::uint64_t word) { return word | every_byte(0x20); }

class Block {
 public:
  explicit Block(const char* text) { std::memcpy(words_.data(), text, sizeof words_); }

  std::uint64_t equal(char c) const {
    return mask([c](std::uint64_t word) { return equal_bytes(word, c); });
  }
  std::uint64_t opening() const {
    return mask([](std::uint64_t word) { return equal_bytes(folded(word), '{'); });
  }
  std::uint64_t closing() const {
    return mask([](std::uint64_t word) { return equal_bytes(folded(word), '}'); });
  }
  std::uint64_t separators() const {
    return mask([](std::uint64_t word) {
      return equal_bytes(folded(word), '{') | equal_bytes(folded(word), '}') | equal_bytes(word, ',');
    });
  }
  std::uint64_t control() const {
    return mask([](std::uint64_t word) { return zero_bytes(word & every_byte(0xE0)); });
  }
  std::uint64_t beyond_ascii() const {
    return mask([](std::uint64_t word) { return word; });
  }

 private:
  template <class Test>
  std::uint64_t mask(Test test) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) bits |= top_bits(test(words_[i])) << (8 * i);
    return bits;
  }

  std::array<std::uint64_t, 8> words_;
};

std::uint64_t prefix_xor(std::uint64_t bits) {
  for (int distance = 1; distance < 64; distance *= 2) bits ^= bits << distance;
  return bits;
}

}  // namespace
}  // namespace kdiag::adapters

#include "adapters/json/json_block_kernels.hpp"

namespace kdiag::adapters {

const BlockKernels portable_kernels{find_elements<Block>, index_structure<Block>};

const BlockKernels& block_kernels() {
  static const BlockKernels& best = avx2_kernels() != nullptr ? *avx2_kernels() : portable_kernels;
  return best;
}

}  // namespace kdiag::adapters
