// SPDX-License-Identifier: Apache-2.0
#include "base/packed_text.hpp"

#include <cassert>

#include <zstd.h>

namespace kdiag {

std::string pack_text(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), ZSTD_maxCLevel());
  assert(!ZSTD_isError(size));  // there is room for it
  frame.resize(size);
  return frame;
}

std::string unpack_text(std::string_view frame, std::size_t size) {
  std::string text(size, '\0');
  [[maybe_unused]] const std::size_t made = ZSTD_decompress(text.data(), size, frame.data(), frame.size());
  assert(made == size);
  return text;
}

}  // namespace kdiag
