// SPDX-License-Identifier: Apache-2.0
#include "adapters/json/json_records.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "adapters/io/input.hpp"
#include "adapters/io/input_window.hpp"
#include "adapters/json/json_envelope.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t window_bytes = 256 * 1024;
constexpr std::size_t max_value_bytes = 64 * 1024 * 1024;
constexpr std::size_t max_depth = 64;  // judgement: visitors go into what they know, which is a few levels deep
constexpr char no_more = '\0';

bool is_filler(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

class Reader {
 public:
  Reader(Input& input, FactSink& sink, RecordVisitor& visitor)
      : window_(input, window_bytes), sink_(sink), visitor_(visitor) {}

  void run() {
    while (!sink_.cancelled() && step()) {
    }
    if (!open_.empty() && broken_.empty()) sink_.note(note_id::input_cut, where());
    if (!broken_.empty()) sink_.note(note_id::unreadable_record, broken_);
    while (!open_.empty()) leave(false);
    note_read_errors(window_.errors(), window_.end(), sink_);
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
      window_.skip(1);
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
      window_.skip(1);
      sign = next_sign();
    }
    return enter_or_read(sign);
  }

  bool enter_or_read(char sign) {
    const bool container = sign == '{' || sign == '[';
    if (container && open_.size() < max_depth && visitor_.enters(path_)) {
      open_.push_back({sign == '[', path_.size()});
      window_.skip(1);
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
    do {
      const std::string_view rest = window_.rest();
      const auto sign = std::find_if_not(rest.begin(), rest.end(), is_filler);
      window_.skip(static_cast<std::size_t>(sign - rest.begin()));
      if (sign != rest.end()) return *sign;
    } while (window_.grow());
    return no_more;
  }

  /// Reads the value that begins here into `value_`. False when the input ends within it, or there is none.
  bool read_value() {
    ValueScan scan;
    value_ = {};
    too_large_ = false;
    std::size_t seen = 0;
    for (;;) {
      seen += scan.feed(window_.rest().substr(seen));
      if (scan.ended()) break;
      if (seen > max_value_bytes) {
        if (!std::exchange(too_large_, true)) sink_.note(note_id::record_too_large, where());
        window_.skip(std::exchange(seen, 0));
      }
      if (!window_.grow()) return false;
    }
    value_ = window_.rest().substr(0, seen);
    window_.skip(seen);
    return too_large_ || !value_.empty();
  }

  std::string where() const { return "byte " + std::to_string(window_.position()); }

  bool fail() {
    broken_ = where();
    return false;
  }
  bool cut_or_fail() {
    if (!window_.ended()) return fail();
    window_.skip_all();
    return false;
  }

  InputWindow window_;
  FactSink& sink_;
  RecordVisitor& visitor_;
  std::vector<Open> open_;
  std::string path_;
  std::string_view value_;  ///< of the window
  bool too_large_ = false;
  std::string broken_;  ///< where the input is no JSON
};

}  // namespace

void read_records(Input& input, FactSink& sink, RecordVisitor& visitor) { Reader(input, sink, visitor).run(); }

}  // namespace kdiag::adapters
