// SPDX-License-Identifier: Apache-2.0
#include "base/packed_text.hpp"

#include <cassert>
#include <memory>

#include <zstd.h>

namespace kdiag {

std::string pack_text(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, ZSTD_maxCLevel());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size());
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

bool is_whole_frame(std::string_view bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  std::string part(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer to{part.data(), part.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream.get(), &to, &from);
    if (ZSTD_isError(left)) return false;
    if (left == 0) return from.pos == from.size;
    if (from.pos == from.size && to.pos < to.size) return false;  // it goes on, and nothing is left
  }
}

}  // namespace kdiag
