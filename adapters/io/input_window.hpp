// SPDX-License-Identifier: Apache-2.0
// What comes next in an input, as one text that grows ahead and drops what was used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

/// Memory: what is not used yet, and at most as much again.
class InputWindow {
 public:
  /// Each reading asks for as much as there is, and for `least_read` bytes at least.
  InputWindow(Input& input, std::size_t least_read) : input_(input), least_read_(least_read) {}

  /// What was read and not used. Valid until grow().
  std::string_view rest() const { return std::string_view(text_).substr(used_); }
  void skip(std::size_t bytes) { used_ += bytes; }
  void skip_all() { used_ = text_.size(); }

  /// Reads on, behind rest(). False at the end of the input.
  bool grow() {
    if (ended_) return false;
    text_.erase(0, used_);
    offset_ += std::exchange(used_, 0);
    const std::size_t before = text_.size();
    const std::size_t wanted = std::max(least_read_, before);
    text_.resize(before + wanted);
    Result<std::size_t> got = input_.read({text_.data() + before, wanted});
    text_.resize(before + (got ? *got : 0));
    if (!got) errors_ = std::move(got.error());
    ended_ = text_.size() == before;
    return !ended_;
  }

  /// Where rest() begins and ends in the input, in bytes.
  std::uint64_t position() const { return offset_ + used_; }
  std::uint64_t end() const { return offset_ + text_.size(); }
  /// Whether grow() met the end.
  bool ended() const { return ended_; }
  /// Why reading failed, if it did.
  const Diagnostics& errors() const { return errors_; }

 private:
  Input& input_;
  std::size_t least_read_;
  std::string text_;
  std::size_t used_ = 0;
  std::uint64_t offset_ = 0;  ///< of text_ in the input
  bool ended_ = false;
  Diagnostics errors_;
};

}  // namespace kdiag::adapters
