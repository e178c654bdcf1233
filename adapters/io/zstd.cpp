// SPDX-License-Identifier: Apache-2.0
// Zstandard (RFC 8878), all frames.
#include "adapters/io/decoder.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <string>

#include <zstd.h>
#include <zstd_errors.h>

namespace kdiag::adapters {
namespace {

constexpr int max_window_log = std::bit_width(most_zstd_window_bytes) - 1;
constexpr int min_window_log = 10;  // of the format

class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(std::uint64_t memory) : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
    const int log = static_cast<int>(std::bit_width(memory)) - 1;
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, std::clamp(log, min_window_log, max_window_log));
  }

  std::string_view format() const override { return "zstd"; }
  std::string unpack_by_hand() const override {
    return "It was packed with a window of more than " + std::to_string(most_zstd_window_bytes >> 20U) +
           " MiB. Unpack it by hand, with `zstd -d --long=31`.";
  }

  Step decode(std::span<const char> in, std::span<char> out, bool /*last*/) override {
    if (in.empty() && between_frames_) return {0, 0, State::complete};
    const bool starts_frame = between_frames_;
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(stream_.get(), &to, &from);
    Step step{from.pos, to.pos, State::running};
    between_frames_ = result == 0;
    if (between_frames_) step.state = State::complete;
    else if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge) step.state = State::too_large;
    else if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    else if (ZSTD_isError(result) != 0) step.state = starts_frame && any_frame_ ? State::trailing : State::damaged;
    any_frame_ = any_frame_ || between_frames_;
    return step;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  bool between_frames_ = true;
  bool any_frame_ = false;
};

}  // namespace

std::unique_ptr<Decoder> zstd_decoder(std::uint64_t memory) { return std::make_unique<ZstdDecoder>(memory); }

}  // namespace kdiag::adapters
