// SPDX-License-Identifier: Apache-2.0
#include "adapters/util/json_records.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "adapters/util/input.hpp"
#include "adapters/util/json_envelope.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t read_bytes = 256 * 1024;
constexpr std::size_t max_value_bytes = 64 * 1024 * 1024;
constexpr std::size_t max_depth = 64;  // judgement: visitors go into what they know, which is a few levels deep
constexpr char no_more = '\0';

bool is_filler(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

class Reader {
 public:
  Reader(Input& input, FactSink& sink, RecordVisitor& visitor) : input_(input), sink_(sink), visitor_(visitor) {}

  void run() {
    while (!sink_.cancelled() && step()) {
    }
    if (!open_.empty() && broken_.empty()) sink_.note("K600", where());
    if (!broken_.empty()) sink_.note("K602", broken_);
    while (!open_.empty()) leave(false);
    note_read_errors(read_errors_, offset_ + window_.size(), sink_);
  }

 private:
  struct Open {
    bool is_array = false;
    std::size_t path_size = 0;  ///< of the path of the object or array itself
  };

  /// Reads the next member, element or end. False at the end of the input and where it is no JSON.
  bool step() {
    char sign = next_sign();
    if (sign == no_more) return false;
    if (open_.empty()) return sign == '{' || sign == '[' ? enter_or_read(sign) : fail();
    if (sign == '}' || sign == ']') {
      if ((sign == ']') != open_.back().is_array) return fail();
      ++at_;
      leave(true);
      return true;
    }
    if (open_.back().is_array) {
      path_ += "[]";
    } else {
      if (sign != '"' || !read_value()) return cut_or_fail();
      if (!path_.empty()) path_ += '.';
      path_ += key_of(value_);
      sign = next_sign();
      if (sign != ':') return cut_or_fail();
      ++at_;
      sign = next_sign();
    }
    return enter_or_read(sign);
  }

  bool enter_or_read(char sign) {
    const bool container = sign == '{' || sign == '[';
    if (container && open_.size() < max_depth && visitor_.enters(path_)) {
      open_.push_back({sign == '[', path_.size()});
      ++at_;
      return true;
    }
    if (!read_value()) return cut_or_fail();
    if (!too_large_) visitor_.value(path_, Token{value_});
    shorten_path();
    return true;
  }

  void leave(bool complete) {
    path_.resize(open_.back().path_size);
    visitor_.left(path_, complete);
    open_.pop_back();
    shorten_path();
  }

  void shorten_path() { path_.resize(open_.empty() ? 0 : open_.back().path_size); }

  static std::string_view key_of(std::string_view quoted) {
    return quoted.size() < 2 ? std::string_view{} : quoted.substr(1, quoted.size() - 2);
  }

  /// The next byte that is neither blank nor comma.
  char next_sign() {
    for (;;) {
      while (at_ < window_.size() && is_filler(window_[at_])) ++at_;
      if (at_ < window_.size()) return window_[at_];
      if (!grow()) return no_more;
    }
  }

  /// Reads the value that begins here into `value_`. False when the input ends within it, or there is none.
  bool read_value() {
    ValueScan scan;
    value_ = {};
    too_large_ = false;
    std::size_t seen = at_;  // of the window, up to here
    for (;;) {
      seen += scan.feed(std::string_view(window_).substr(seen));
      if (scan.ended()) break;
      if (seen - at_ > max_value_bytes) {
        if (!std::exchange(too_large_, true)) sink_.note("K607", where());
        at_ = seen;
      }
      const std::size_t length = seen - at_;
      if (!grow()) return false;
      seen = at_ + length;
    }
    value_ = std::string_view(window_).substr(at_, seen - at_);
    at_ = seen;
    return too_large_ || !value_.empty();
  }

  /// Drops what was used and reads on. False at the end of the input.
  bool grow() {
    if (ended_) return false;
    window_.erase(0, at_);
    offset_ += std::exchange(at_, 0);
    const std::size_t before = window_.size();
    const std::size_t wanted = std::max(read_bytes, before);
    window_.resize(before + wanted);
    Result<std::size_t> got = input_.read({window_.data() + before, wanted});
    window_.resize(before + (got ? *got : 0));
    if (!got) read_errors_ = std::move(got.error());
    ended_ = window_.size() == before;
    return !ended_;
  }

  std::string where() const { return "byte " + std::to_string(offset_ + at_); }

  bool fail() {
    broken_ = where();
    return false;
  }
  bool cut_or_fail() {
    if (!ended_) return fail();
    at_ = window_.size();
    return false;
  }

  Input& input_;
  FactSink& sink_;
  RecordVisitor& visitor_;
  std::vector<Open> open_;
  std::string path_;
  std::string window_;
  std::size_t at_ = 0;        ///< of the window: what is read next
  std::uint64_t offset_ = 0;  ///< of the window in the input
  std::string_view value_;    ///< of the window
  bool too_large_ = false;
  bool ended_ = false;
  std::string broken_;  ///< where the input is no JSON
  Diagnostics read_errors_;
};

}  // namespace

void read_records(Input& input, FactSink& sink, RecordVisitor& visitor) { Reader(input, sink, visitor).run(); }

}  // namespace kdiag::adapters
