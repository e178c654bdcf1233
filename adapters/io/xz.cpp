// SPDX-License-Identifier: Apache-2.0
// xz, all streams, through liblzma.
#include "adapters/io/decoder.hpp"

#include <cstdint>
#include <new>

#include <lzma.h>

namespace kdiag::adapters {
namespace {

class XzDecoder final : public Decoder {
 public:
  explicit XzDecoder(std::uint64_t memory) : memory_(memory) {
    if (lzma_stream_decoder(&stream_, memory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  std::string_view format() const override { return "xz"; }
  std::string unpack_by_hand() const override {
    return "It was packed with a large dictionary, and a decoder may hold " + std::to_string(memory_ >> 20U) +
           " MiB here (--max-memory). Unpack it by hand, with `xz -d`.";
  }

  Step decode(std::span<const char> in, std::span<char> out, bool last) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret result = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    Step step{in.size() - stream_.avail_in, out.size() - stream_.avail_out, State::running};
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result == LZMA_MEMLIMIT_ERROR) step.state = State::too_large;
    else if (result == LZMA_STREAM_END) step.state = State::complete;
    else if (result != LZMA_OK && result != LZMA_BUF_ERROR) step.state = State::damaged;
    return step;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::uint64_t memory_;
};

}  // namespace

std::unique_ptr<Decoder> xz_decoder(std::uint64_t memory) { return std::make_unique<XzDecoder>(memory); }

}  // namespace kdiag::adapters
