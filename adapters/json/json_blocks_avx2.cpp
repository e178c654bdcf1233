// SPDX-License-Identifier: Apache-2.0
// The block kernels for x86-64 with AVX2 and PCLMULQDQ.
#include "adapters/json/json_blocks.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)

#include <immintrin.h>

// Only what is defined from here on may use these instructions, hence all standard headers above.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,pclmul,popcnt,bmi"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,pclmul,popcnt,bmi")
#endif

namespace kdiag::adapters {
namespace {

__m256i equal_bytes(__m256i bytes, char c) { return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)); }
/// With bit 0x20 set, '[' is '{' and ']' is '}'.
__m256i folded(__m256i bytes) { return _mm256_or_si256(bytes, _mm256_set1_epi8(0x20)); }
__m256i separator_bytes(__m256i bytes) {
  const __m256i brackets = _mm256_or_si256(equal_bytes(folded(bytes), '{'), equal_bytes(folded(bytes), '}'));
  return _mm256_or_si256(brackets, equal_bytes(bytes, ','));
}
__m256i control_bytes(__m256i bytes) {
  return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes);
}

class Block {
 public:
  explicit Block(const char* text)
      : low_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text))),
        high_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32))) {}

  std::uint64_t equal(char c) const { return mask(equal_bytes(low_, c), equal_bytes(high_, c)); }
  std::uint64_t opening() const { return mask(equal_bytes(folded(low_), '{'), equal_bytes(folded(high_), '{')); }
  std::uint64_t closing() const { return mask(equal_bytes(folded(low_), '}'), equal_bytes(folded(high_), '}')); }
  std::uint64_t separators() const { return mask(separator_bytes(low_), separator_bytes(high_)); }
  std::uint64_t control() const { return mask(control_bytes(low_), control_bytes(high_)); }
  std::uint64_t beyond_ascii() const { return mask(low_, high_); }

 private:
  static std::uint64_t mask(__m256i low, __m256i high) {
    const auto low_bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
    const auto high_bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
    return low_bits | static_cast<std::uint64_t>(high_bits) << 32;
  }

  __m256i low_;
  __m256i high_;
};

/// A carry-less product with all ones is the prefix XOR.
inline std::uint64_t prefix_xor(std::uint64_t bits) {
  const __m128i factor = _mm_cvtsi64_si128(static_cast<long long>(bits));
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_clmulepi64_si128(factor, _mm_set1_epi8(-1), 0)));
}

}  // namespace
}  // namespace kdiag::adapters

#include "adapters/json/json_block_kernels.hpp"

namespace kdiag::adapters {
namespace {

constexpr BlockKernels kernels{find_elements<Block>, index_structure<Block>};

}  // namespace
}  // namespace kdiag::adapters

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace kdiag::adapters {

const BlockKernels* avx2_kernels() {
  const bool can = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
                   __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
  return can ? &kernels : nullptr;
}

}  // namespace kdiag::adapters

#else

namespace kdiag::adapters {

const BlockKernels* avx2_kernels() { return nullptr; }

}  // namespace kdiag::adapters

#endif
