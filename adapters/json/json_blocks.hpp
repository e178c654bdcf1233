// SPDX-License-Identifier: Apache-2.0
// The structure of JSON text, 64 bytes at a time: where its elements end, and where its quotes and brackets are.
//
// The technique is that of Langdale and Lemire, "Parsing gigabytes of JSON per second" (VLDB Journal 28, 2019):
// comparisons give one bit per byte, and the prefix XOR of the quotes' bits tells which bytes are inside strings.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kdiag::adapters {

/// The functions below read whole blocks: this many bytes behind the text must be readable.
inline constexpr std::size_t block_bytes = 64;

/// What the elements of an array look like, from a place between two of them.
struct ElementBounds {
  std::size_t end = 0;       ///< just behind the last object or array that is complete; the place of `]` when closed
  bool closed = false;       ///< the array itself ends
  std::size_t long_end = 0;  ///< just behind the next one, where that is longer than asked for; else 0
};

struct StructureIndex {
  std::size_t count = 0;
  bool unusual = false;  ///< there are bytes beyond ASCII, or control characters in strings
};

struct BlockKernels {
  /// Brackets are counted, strings are skipped, nothing else is looked at. Ends at an element that is longer than
  /// `longest` bytes with what stands in front of it.
  ElementBounds (*find_elements)(const char* text, std::size_t size, std::size_t longest);
  /// Writes the places of all quotes and, outside strings, of brackets and commas. `places` must have room for
  /// `size` + block_bytes of them. `text` starts outside a string.
  StructureIndex (*index)(const char* text, std::size_t size, std::uint32_t* places);
};

/// The fastest kernels that this machine can run.
const BlockKernels& block_kernels();

/// Kernels for any machine.
extern const BlockKernels portable_kernels;

/// Kernels for x86-64 with AVX2 and carry-less multiplication; null where the compiler does not build them or the
/// processor lacks them. (x86-64-v3 does not imply the latter, so this is decided at run time.)
const BlockKernels* avx2_kernels();

}  // namespace kdiag::adapters
