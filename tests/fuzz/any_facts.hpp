// SPDX-License-Identifier: Apache-2.0
// Facts of any values, made of a fuzzer's input: rows of every table, references to whatever row there is, times that
// are near each other and times that cannot be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <kdiag/kdiag.hpp>

#include "tests/fuzz/targets.hpp"

namespace kdiag::fuzz {

/// The input, byte by byte; zeros behind its end.
class Bytes {
 public:
  explicit Bytes(Input input) : input_(input) {}
  bool ended() const { return at_ == input_.size(); }
  std::uint8_t byte() { return ended() ? 0 : input_[at_++]; }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8U | byte();
    return value;
  }
  /// The bytes up to the next zero.
  std::string_view text() {
    const std::size_t begin = at_;
    std::size_t length = 0;
    while (!ended() && byte() != 0) ++length;
    return text_of(input_).substr(begin, length);
  }

 private:
  Input input_;
  std::size_t at_ = 0;
};

/// One run with up to 2,000 rows.
Result<Facts> any_facts(Bytes& bytes);

}  // namespace kdiag::fuzz
