// SPDX-License-Identifier: Apache-2.0
// What stands around the events of a trace: the top level of a document, read byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kdiag::adapters {

// Judgement: real members are far smaller, and a trace of nothing else must not fill the memory.
inline constexpr std::size_t most_member_bytes = 16 * 1024 * 1024;
inline constexpr std::size_t most_members_bytes = 64 * 1024 * 1024;  ///< of all together

/// Finds the end of one JSON value that arrives in pieces, looking at strings and brackets only.
class ValueScan {
 public:
  /// Consumes bytes of the value and returns how many belong to it: fewer than all only when `ended()`. A bracketed
  /// value ends with its bracket, a string with its quote, anything else in front of a comma, bracket or blank.
  std::size_t feed(std::string_view text);
  bool ended() const { return ended_; }

 private:
  std::size_t depth_ = 0;
  bool started_ = false;
  bool inside_string_ = false;
  bool escaped_ = false;
  bool ended_ = false;
};

/// Walks the members of a top-level object, or recognises a bare array, and stops at the array of events.
class EnvelopeScan {
 public:
  explicit EnvelopeScan(std::string_view array_key) : array_key_(array_key) {}

  enum class State {
    start,
    key,  ///< in front of a key or the object's end
    in_key,
    colon,
    value,  ///< in front of a value
    in_value,
    events,  ///< the next byte is the first of the array's content
    end,     ///< the document is over, or is no JSON from here on
  };

  /// Consumes bytes up to the array of events, the end of the document, or all of them. Returns how many.
  std::size_t feed(std::string_view text);
  /// The `]` of the events was consumed.
  void leave_events() { state_ = bare_ ? State::end : State::key; }

  State state() const { return state_; }
  bool found_events() const { return found_events_; }
  /// The array of events is the whole document.
  bool bare() const { return bare_; }

  std::vector<std::pair<std::string, std::string>> members;  ///< the others, raw
  std::vector<std::string> too_large;                        ///< keys of members over 16 MiB, which are dropped
  std::uint64_t too_many = 0;                                ///< members dropped when all together exceed 64 MiB

 private:
  std::size_t feed_sign(char sign);
  std::size_t feed_token(std::string_view text);
  void keep_member();
  void start_token(State state);

  std::string array_key_;
  State state_ = State::start;
  bool bare_ = false;
  bool found_events_ = false;
  std::string key_;
  std::string token_;  ///< the key or value being read, with its quotes
  bool token_too_large_ = false;
  ValueScan scan_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace kdiag::adapters
