// SPDX-License-Identifier: Apache-2.0
// Recognises compressed streams and UTF-16, and pulls bytes through their decoders.
#include "adapters/io/decoder.hpp"

#include <algorithm>
#include <utility>

#include <kdiag/note_ids.hpp>

namespace kdiag::adapters {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t piece_bytes = 256 * 1024;  // compressed bytes in hand; judgement: a small part of L2

class DecodedSource final : public ByteSource {
 public:
  DecodedSource(std::unique_ptr<Decoder> decoder, std::unique_ptr<ByteSource> source, std::string start)
      : decoder_(std::move(decoder)), source_(std::move(source)), piece_(std::move(start)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size() && !ended_) filled += step(buffer.subspan(filled));
    budget().unpack(filled);
    if (budget().exceeded()) {
      ended_ = true;
      failure_ = {budget().error()};
    }
    if (filled == 0 && !failure_.empty()) return failure_;
    return filled;
  }

  std::uint64_t taken() const override { return source_->taken(); }
  UnpackBudget& budget() override { return source_->budget(); }

 private:
  /// Decodes once, or learns that no more comes.
  std::size_t step(std::span<char> out) {
    if (at_ == piece_.size() && !source_ended_) refill();
    const Decoder::Step done = decoder_->decode(std::span<const char>(piece_).subspan(at_), out, source_ended_);
    at_ += done.consumed;
    const bool drained = at_ == piece_.size() && source_ended_ && done.produced == 0;
    const bool stalled = at_ < piece_.size() && done.consumed == 0 && done.produced == 0;
    if (done.state == Decoder::State::trailing)
      fail(note_id::bytes_after_end, "is followed by other bytes, which were ignored", "");
    else if (done.state == Decoder::State::too_large)
      fail(note_id::unpack_memory, "needs more memory to be unpacked than it is given", decoder_->unpack_by_hand());
    else if (done.state == Decoder::State::damaged || stalled)
      fail(note_id::stream_damaged, "is damaged", "Copy the file again and compare checksums.");
    else if (drained && done.state == Decoder::State::running)
      fail(note_id::stream_damaged, "is cut off",
           "Copy the file again, or wait until the profiler has finished writing.");
    ended_ = ended_ || drained;
    return done.produced;
  }

  void refill() {
    piece_.clear();
    at_ = 0;
    Status read = append_from(*source_, piece_, piece_bytes);
    source_ended_ = piece_.empty();
    if (!read) {
      failure_ = read.error();
      ended_ = true;
    }
  }

  void fail(std::string_view id, std::string_view what, std::string help) {
    ended_ = true;
    if (!failure_.empty()) return;  // the source's own failure says more
    failure_.push_back(
        input_error(id, "the " + std::string(decoder_->format()) + " stream " + std::string(what), std::move(help)));
  }

  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<ByteSource> source_;
  std::string piece_;
  std::size_t at_ = 0;
  bool source_ended_ = false;
  bool ended_ = false;
  Diagnostics failure_;
};

bool is_zstd(std::string_view start) {
  // RFC 8878: a frame, or a skippable frame 184D2A50..5F that often precedes one.
  return start.starts_with("\x28\xB5\x2F\xFD"sv) ||
         (start.size() >= 4 && (start[0] & 0xF0) == 0x50 && start.substr(1, 3) == "\x2A\x4D\x18"sv);
}

}  // namespace

std::unique_ptr<Decoder> decoder_for(std::string_view start, std::uint64_t memory) {
  if (start.starts_with("\x1F\x8B\x08"sv)) return gzip_decoder();
  if (is_zstd(start)) return zstd_decoder(memory);
  if (start.starts_with("\xFD\x37zXZ\0"sv)) return xz_decoder(memory);
  const bool utf32 = start.starts_with("\xFF\xFE\0\0"sv);
  if (start.starts_with("\xFF\xFE"sv) && !utf32) return utf16_decoder(false);
  if (start.starts_with("\xFE\xFF"sv)) return utf16_decoder(true);
  return nullptr;
}

std::optional<std::string> unpack(Decoder& decoder, std::string_view packed, std::size_t limit) {
  std::string plain;
  std::size_t filled = 0;
  Decoder::Step step;
  while (step.state != Decoder::State::complete || !packed.empty()) {
    if (filled == limit) return std::nullopt;
    if (filled == plain.size()) plain.resize(std::min(limit, plain.size() + 4 * packed.size() + 4096));
    step = decoder.decode(packed, std::span(plain).subspan(filled), true);
    packed.remove_prefix(step.consumed);
    filled += step.produced;
    const bool stalled = step.consumed == 0 && step.produced == 0;
    if (stalled || step.state == Decoder::State::damaged || step.state == Decoder::State::too_large)
      return std::nullopt;
  }
  plain.resize(filled);
  return plain;
}

std::unique_ptr<ByteSource> decoded_source(std::unique_ptr<Decoder> decoder, std::unique_ptr<ByteSource> source,
                                           std::string start) {
  return std::make_unique<DecodedSource>(std::move(decoder), std::move(source), std::move(start));
}

}  // namespace kdiag::adapters
