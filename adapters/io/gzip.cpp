// SPDX-License-Identifier: Apache-2.0
// gzip (RFC 1952), all members, and zlib (RFC 1950) through ISA-L: three times as fast as zlib in constant memory.
#include "adapters/io/decoder.hpp"

#include <cstdint>

#include <isa-l/igzip_lib.h>

namespace kdiag::adapters {
namespace {

/// Of gzip, whose members may stand one behind the other, or of zlib, which has one.
class InflateDecoder final : public Decoder {
 public:
  explicit InflateDecoder(bool gzip) : stream_(std::make_unique<inflate_state>()), gzip_(gzip) { begin(); }

  std::string_view format() const override { return gzip_ ? "gzip" : "zlib"; }

  Step decode(std::span<const char> in, std::span<char> out, bool /*last*/) override {
    Step step;
    if (between_members_ && !gzip_) return {0, 0, in.empty() ? State::complete : State::trailing};
    if (between_members_) {
      // Archivers may pad a file with zero bytes behind the last member.
      while (step.consumed < in.size() && in[step.consumed] == 0) ++step.consumed;
      if (step.consumed == in.size()) return {step.consumed, 0, State::complete};
      if (in[step.consumed] != '\x1F') return {step.consumed, 0, State::trailing};
      begin();
    }
    // The interface has no const input, although the library only reads it.
    stream_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(in.data() + step.consumed));
    stream_->avail_in = static_cast<std::uint32_t>(in.size() - step.consumed);
    stream_->next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_->avail_out = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), UINT32_MAX));
    const std::size_t room = stream_->avail_out;
    const int result = isal_inflate(stream_.get());
    step.consumed = in.size() - stream_->avail_in;
    step.produced = room - stream_->avail_out;
    between_members_ = stream_->block_state == ISAL_BLOCK_FINISH;
    if (result < 0 || result == ISAL_NEED_DICT) step.state = State::damaged;
    else if (between_members_) step.state = State::complete;
    return step;
  }

 private:
  void begin() {
    isal_inflate_init(stream_.get());
    stream_->crc_flag = gzip_ ? ISAL_GZIP : ISAL_ZLIB;  // read the header, check the sums of the trailer
    between_members_ = false;
  }

  std::unique_ptr<inflate_state> stream_;
  bool gzip_;
  bool between_members_ = false;
};

}  // namespace

std::unique_ptr<Decoder> gzip_decoder() { return std::make_unique<InflateDecoder>(true); }
std::unique_ptr<Decoder> zlib_decoder() { return std::make_unique<InflateDecoder>(false); }

}  // namespace kdiag::adapters
