// SPDX-License-Identifier: Apache-2.0
// The block kernels, written over a type `Block` that compares 64 bytes at once. Included by one file per
// instruction set, behind its own target pragma: hence no #include here, and everything has internal linkage.
//
// A Block is made from 64 bytes and has masks of them: equal(char), opening() and closing() brackets, separators()
// (brackets and commas), control() characters, bytes beyond_ascii(). There is prefix_xor(mask): bit i = parity of the
// bits 0..i.
#pragma once

namespace kdiag::adapters {
namespace {

/// Follows quotes and escapes from block to block.
template <class Block>
class StringScan {
 public:
  struct Masks {
    std::uint64_t quotes;  ///< that open or close a string
    std::uint64_t inside;  ///< opening quotes and what follows up to the closing quote, without that
  };

  Masks next(const Block& block) {
    std::uint64_t escaped = escaped_;
    escaped_ = 0;
    // One round per escape: traces have few, and runs of backslashes need no thought.
    for (std::uint64_t left = block.equal('\\') & ~escaped; left != 0;) {
      const std::uint64_t first = left & (~left + 1);
      escaped |= first << 1;
      escaped_ |= first >> 63;
      left &= ~(first | first << 1);
    }
    const std::uint64_t quotes = block.equal('"') & ~escaped;
    const std::uint64_t inside = prefix_xor(quotes) ^ inside_;
    inside_ = ~((inside >> 63) - 1);
    return {quotes, inside};
  }

 private:
  std::uint64_t escaped_ = 0;  ///< 1: the next block's first byte is escaped
  std::uint64_t inside_ = 0;   ///< all ones: the next block starts inside a string
};

/// The bits of a block that belong to the text, of which `left` bytes are left.
inline std::uint64_t valid_bits(std::size_t left) {
  return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

template <class Block>
ElementBounds find_elements(const char* text, std::size_t size, std::size_t longest) {
  StringScan<Block> strings;
  ElementBounds bounds;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < size; at += 64) {
    const Block block(text + at);
    const std::uint64_t outside = ~strings.next(block).inside & valid_bits(size - at);
    const std::uint64_t opens = block.opening() & outside;
    const std::uint64_t closes = block.closing() & outside;
    const auto open_count = static_cast<std::size_t>(std::popcount(opens));
    const auto close_count = static_cast<std::size_t>(std::popcount(closes));
    if (close_count < depth || closes == 0) {  // cannot come back to the array's own level
      depth += open_count - close_count;
      continue;
    }
    for (std::uint64_t brackets = opens | closes; brackets != 0; brackets &= brackets - 1) {
      const std::uint64_t first = brackets & (~brackets + 1);
      const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(first));
      if ((opens & first) != 0) {
        ++depth;
      } else if (depth == 0) {
        return {place, true, 0};
      } else if (--depth == 0) {
        if (place + 1 - bounds.end > longest) return {bounds.end, false, place + 1};
        bounds.end = place + 1;
      }
    }
  }
  return bounds;
}

template <class Block>
StructureIndex index_structure(const char* text, std::size_t size, std::uint32_t* places) {
  StringScan<Block> strings;
  std::uint32_t* next = places;
  std::uint64_t unusual = 0;
  for (std::size_t at = 0; at < size; at += 64) {
    const Block block(text + at);
    const auto [quotes, inside] = strings.next(block);
    const std::uint64_t valid = valid_bits(size - at);
    unusual |= (block.beyond_ascii() | (block.control() & inside)) & valid;
    std::uint64_t structure = ((block.separators() & ~inside) | quotes) & valid;
    const auto count = static_cast<std::size_t>(std::popcount(structure));
    // Four at a time without asking: what is too much is overwritten by the next block.
    for (std::size_t done = 0; done < count; done += 4) {
      for (std::size_t i = 0; i < 4; ++i) {
        next[done + i] = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(structure));
        structure &= structure - 1;
      }
    }
    next += count;
  }
  return {static_cast<std::size_t>(next - places), unusual != 0};
}

}  // namespace
}  // namespace kdiag::adapters
