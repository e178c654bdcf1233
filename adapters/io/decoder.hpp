// SPDX-License-Identifier: Apache-2.0
// Compressed streams and UTF-16: one small decoder per format, and a byte source that runs it over another source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "adapters/io/byte_source.hpp"

namespace kdiag::adapters {

/// Turns compressed bytes into plain ones, or UTF-16 into UTF-8, piece by piece, in constant memory.
class Decoder {
 public:
  enum class State {
    running,    ///< in the middle of a stream
    complete,   ///< at the end of a stream; another one may follow
    trailing,   ///< what follows a complete stream is no further stream
    damaged,    ///< the stream is corrupt
    too_large,  ///< it wants more memory than is granted
  };
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    State state = State::running;
  };

  virtual ~Decoder() = default;
  virtual std::string_view format() const = 0;
  /// Help on a stream that is too_large.
  virtual std::string unpack_by_hand() const { return {}; }
  /// Decodes from `in` into `out`. `last` says that nothing follows `in`.
  virtual Step decode(std::span<const char> in, std::span<char> out, bool last) = 0;
};

std::unique_ptr<Decoder> gzip_decoder();
/// For streams inside of formats, which say what they are: no file begins like one.
std::unique_ptr<Decoder> zlib_decoder();
/// What zstd takes at most, as its command does unless it is asked: a header of some bytes could claim 2 GiB otherwise.
inline constexpr std::uint64_t most_zstd_window_bytes = 128ULL << 20U;
/// `memory`: bytes that the decoder may hold.
std::unique_ptr<Decoder> zstd_decoder(std::uint64_t memory = most_decoder_bytes);
std::unique_ptr<Decoder> xz_decoder(std::uint64_t memory = most_decoder_bytes);
/// To UTF-8, without the byte-order mark.
std::unique_ptr<Decoder> utf16_decoder(bool big_endian);

/// The decoder for a stream that starts like this, or nothing when it is not compressed. `memory` as above.
std::unique_ptr<Decoder> decoder_for(std::string_view start, std::uint64_t memory = most_decoder_bytes);

/// What a small stream in memory unpacks to; nothing when it is damaged or cut off, or is more than `limit` bytes.
std::optional<std::string> unpack(Decoder& decoder, std::string_view packed, std::size_t limit);

/// The decoded bytes of `source`, of which `start` was already read. What can be decoded is delivered; then errors
/// K601 (damaged or cut off), K608 (bytes after the end that belong to no stream), K766 (packed with too large a window
/// or dictionary), K707 (a bomb) or K765 (more than the call may unpack).
std::unique_ptr<ByteSource> decoded_source(std::unique_ptr<Decoder> decoder, std::unique_ptr<ByteSource> source,
                                           std::string start);

}  // namespace kdiag::adapters
