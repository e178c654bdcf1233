// SPDX-License-Identifier: Apache-2.0
// JSON for adapters: traces event by event in chunks on several threads, small documents as a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>

#include "base/ascii.hpp"

namespace kdiag::adapters {

// --- Values as they stand in the text ---------------------------------------------------------------------------

/// A JSON value's own text: `"abc"`, `12.5`, `[1, 2]`, `null`. Views a chunk; valid while its cursor stands.
struct Token {
  std::string_view text;
  bool is_string() const { return !text.empty() && text.front() == '"'; }
  bool is_object() const { return !text.empty() && text.front() == '{'; }
  bool is_array() const { return !text.empty() && text.front() == '['; }
  /// Absent, null, NaN, Infinity, "", "N/A", "nan", "inf", "None", "-" and their like: missing, not zero.
  bool is_missing() const {
    if (text.empty()) return true;
    // Numbers, and arrays of anything but words, are known by one character, and are most of what is asked about.
    if (is_digit(text.front()) || (is_array() && text.size() > 1 && !is_letter(text[1]))) return false;
    return is_missing_word();
  }

 private:
  bool is_missing_word() const;
};

struct Member {
  std::string_view key;  ///< without quotes, escapes not decoded
  Token value;
};

/// The decoded text of a string token (of any other token: its text). Uses `scratch` only when there are escapes.
/// Invalid UTF-8 is replaced by U+FFFD.
std::string_view decode(Token token, std::string& scratch);
/// A number, or a string that holds one (blanks around it allowed).
std::optional<std::int64_t> to_integer(Token token);
std::optional<double> to_real(Token token);
/// A decimal number of `unit_ns` nanoseconds (1 .. 10^9) as exact ns, never through a double: "1712195495406752.8" us
/// is 1712195495406752800. Digits below 1 ns are rounded half up. Exponents are understood. Nothing on overflow.
std::optional<std::int64_t> to_ns(Token token, std::int64_t unit_ns);

// --- Traces: one large array of objects -------------------------------------------------------------------------

/// Members of one object after the other, in memory that is kept. For EventCursor.
class MemberList {
 public:
  void clear() { count_ = 0; }
  void add(std::string_view key, std::string_view value) {
    if (count_ == slots_.size()) slots_.resize(2 * count_ + 16);
    slots_[count_++] = {key, {value}};
  }
  std::span<const Member> members() const { return {slots_.data(), count_}; }

 private:
  std::vector<Member> slots_;
  std::size_t count_ = 0;
};

/// Walks the objects of one chunk. Not thread-safe; a handler owns it during its call.
class EventCursor {
 public:
  /// Steps to the next object; false at the chunk's end. Unreadable objects are skipped and counted.
  bool next();
  /// Members of the object, without `args` (unless that is no object).
  std::span<const Member> members() const { return members_.members(); }
  /// Members of its `args` object; nested values are whole tokens.
  std::span<const Member> args() const { return args_.members(); }
  /// Position of the object in the unwrapped input.
  std::uint64_t offset() const { return offset_; }

 private:
  friend class ChunkParser;
  explicit EventCursor(class ChunkParser& parser) : parser_(&parser) {}
  class ChunkParser* parser_;
  MemberList members_;
  MemberList args_;
  std::uint64_t offset_ = 0;
};

struct EventOptions {
  std::string_view array_key = "traceEvents";  ///< member of the top-level object that holds the events
  /// Of the first chunks; later ones are up to four times as long. Each chunk learns the names of its events anew, so
  /// that long ones cost less; behind the last one, threads wait for each other, so that a short input wants short
  /// ones.
  std::size_t chunk_bytes = 512 * 1024;
  std::size_t longest_chunk_bytes = 2 * 1024 * 1024;
  std::size_t max_event_bytes = 64 * 1024 * 1024;  ///< larger ones are skipped and noted (K607)
};

/// What stands around the events.
struct EventDocument {
  /// Top-level members other than the event array, in order, as raw text; those over 16 MiB, and more than
  /// 64 MiB in all, are dropped and noted (K607).
  std::vector<std::pair<std::string, std::string>> members;
  std::uint64_t events = 0;
  bool truncated = false;
};

/// Reads `{..., "traceEvents": [...], ...}` or a bare array. `handler` is called once per chunk, from up to
/// sink.threads() threads at a time, with the chunk's sequence number (0, 1, 2, ... in file order); it usually
/// fills one Batch and submits it under that number. Which events there are, their order and the notes do not depend
/// on chunk size or thread count. Counts the delivered events (FactSink::count_events).
/// Notes K600 truncated, K601 and K618 reading failed, K602 unreadable events, K605 events with text that `decode`
/// repairs, K607 too large, K608 bytes after the end, K629 another document there. An error (K620) only when the input
/// holds no such array at all.
Result<EventDocument> read_events(Input& input, FactSink& sink, const EventOptions& options,
                                  const std::function<void(EventCursor&, std::uint64_t sequence)>& handler);

// --- Small documents ----------------------------------------------------------------------------------------------

struct JsonMember;

/// Levels of a document: as simdjson; far above real ones, far below the end of the stack.
inline constexpr std::size_t deepest_value = 1024;
inline constexpr std::size_t most_document_bytes = 256 * 1024 * 1024;  ///< of one document; judgement

/// A parsed JSON value. Numbers keep their text, so that no digit is lost.
struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;  ///< of numbers and strings, decoded
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  /// A member of an object; a null value when there is none.
  const JsonValue& operator[](std::string_view key) const;
  std::optional<std::int64_t> integer() const;  ///< numbers and strings that hold one
  std::optional<double> real() const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

/// Parses one value. Tolerates NaN, Infinity, control characters and a trailing comma. Nothing when it is no JSON.
std::optional<JsonValue> parse_json(std::string_view text);

/// Reads an input that holds one or more JSON documents (objects or arrays) one after the other (white space between
/// them). Calls `document` for each with its position. What cannot be parsed is noted (K602) and skipped up to the next
/// line that starts with a bracket; a document that is cut off by the end is noted (K600), one over 256 MiB skipped
/// (K607). Returns how many were read.
Result<std::uint64_t> read_documents(Input& input, FactSink& sink,
                                     const std::function<void(JsonValue, std::uint64_t offset)>& document);

}  // namespace kdiag::adapters
