// SPDX-License-Identifier: Apache-2.0
// xz, all streams, through liblzma.
#include "adapters/util/decoder.hpp"

#include <cstdint>

#include <lzma.h>

namespace kdiag::adapters {
namespace {

constexpr std::uint64_t max_memory = 1ULL << 30;  // judgement: `xz -9` needs 65 MiB, a hostile header asks for 4 GiB

class XzDecoder final : public Decoder {
 public:
  XzDecoder() : ready_(lzma_stream_decoder(&stream_, max_memory, LZMA_CONCATENATED) == LZMA_OK) {}
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  std::string_view format() const override { return "xz"; }

  Step decode(std::span<const char> in, std::span<char> out, bool last) override {
    if (!ready_) return {0, 0, State::damaged};
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret result = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    Step step{in.size() - stream_.avail_in, out.size() - stream_.avail_out, State::running};
    if (result == LZMA_STREAM_END) step.state = State::complete;
    else if (result != LZMA_OK && result != LZMA_BUF_ERROR) step.state = State::damaged;
    return step;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_;
};

}  // namespace

std::unique_ptr<Decoder> xz_decoder() { return std::make_unique<XzDecoder>(); }

}  // namespace kdiag::adapters
