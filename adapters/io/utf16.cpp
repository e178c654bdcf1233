// SPDX-License-Identifier: Apache-2.0
// UTF-16 text (RFC 2781) with its byte-order mark, as PowerShell on Windows writes what a command prints with `>`. It
// becomes UTF-8; a surrogate without its other half becomes U+FFFD.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "adapters/io/decoder.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::uint32_t wide_mark = 0xFEFF;  // byte_order_mark as a code point
constexpr std::uint32_t replacement = 0xFFFD;

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Utf16Decoder final : public Decoder {
 public:
  explicit Utf16Decoder(bool big_endian) : big_endian_(big_endian) {}

  std::string_view format() const override { return "UTF-16"; }

  Step decode(std::span<const char> in, std::span<char> out, bool /*last*/) override {
    Step step;
    for (;;) {
      while (written_ < size_ && step.produced < out.size()) out[step.produced++] = utf8_[written_++];
      if (written_ < size_ || step.consumed == in.size()) break;
      take(static_cast<std::uint8_t>(in[step.consumed++]));
    }
    step.state = first_byte_ || high_ || written_ < size_ ? State::running : State::complete;
    return step;
  }

 private:
  void take(std::uint32_t byte) {
    if (!first_byte_) {
      first_byte_ = byte;
      return;
    }
    const std::uint32_t unit = big_endian_ ? *first_byte_ << 8U | byte : byte << 8U | *first_byte_;
    first_byte_.reset();
    size_ = written_ = 0;
    if (high_ && is_low_surrogate(unit)) {
      write(0x10000U + ((*high_ - 0xD800U) << 10U) + (unit - 0xDC00U));
      high_.reset();
      return;
    }
    if (high_) write(replacement);
    high_.reset();
    if (is_high_surrogate(unit)) high_ = unit;
    else if (unit != wide_mark) write(is_low_surrogate(unit) ? replacement : unit);
  }

  void write(std::uint32_t code) {
    const auto put = [this](std::uint32_t byte) { utf8_[size_++] = static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    const std::size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<std::uint32_t, 4> lead = {0, 0xC0, 0xE0, 0xF0};
    put(lead[more] | code >> 6U * more);
    for (std::size_t left = more; left-- > 0;) put(0x80U | (code >> 6U * left & 0x3FU));
  }

  bool big_endian_;
  std::optional<std::uint32_t> first_byte_;  ///< of a unit whose second is to come
  std::optional<std::uint32_t> high_;        ///< surrogate whose other half is to come
  std::array<char, 8> utf8_{};               ///< of the last unit: at most two characters
  std::size_t size_ = 0, written_ = 0;
};

}  // namespace

std::unique_ptr<Decoder> utf16_decoder(bool big_endian) { return std::make_unique<Utf16Decoder>(big_endian); }

}  // namespace kdiag::adapters
