// SPDX-License-Identifier: Apache-2.0
// Cuts a trace into chunks of whole events, without parsing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "adapters/json/json.hpp"
#include "adapters/json/json_blocks.hpp"
#include "adapters/json/json_envelope.hpp"

namespace kdiag::adapters {

/// Bytes that a splitter fills and a parser reads, used again from chunk to chunk: fresh memory costs more than
/// parsing it. Behind `text()` there are always block_bytes of zeros.
class Chunk {
 public:
  std::string_view text() const { return {bytes_.get() + begin_, end_ - begin_}; }
  std::size_t capacity() const { return capacity_; }
  std::uint64_t offset = 0;    ///< of the text in the input
  std::uint64_t sequence = 0;  ///< 0, 1, 2, ... in the order of the input

 private:
  friend class EventSplitter;
  void clear() { begin_ = end_ = 0; }
  void reserve(std::size_t size);
  void append(std::string_view text);
  /// Drops bytes at the front.
  void skip(std::size_t count);
  /// Puts blanks in the place of `count` bytes.
  void blank(std::size_t from, std::size_t count);
  /// Drops bytes behind the first `count` and restores the zeros.
  void truncate(std::size_t count);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Reads an input once and hands out its events in chunks. What a chunk holds depends on the chunk size, but which
/// events there are does not. Not thread-safe: workers take turns.
class EventSplitter {
 public:
  EventSplitter(Input& input, const EventOptions& options);

  /// Fills the chunk with the next events, between them commas and blanks. False when there are no more.
  bool next(Chunk& chunk);

  EnvelopeScan& envelope() { return envelope_; }
  /// The input ends inside the document. A bare array may lack its bracket (Trace Event Format, "JSON Array
  /// Format": the `]` at the end is optional), but not end inside an event.
  bool truncated() const { return truncated_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t broken_events() const { return broken_events_; }  ///< cut out here, where a quote is missing
  std::uint64_t first_broken() const { return first_broken_; }
  std::uint64_t too_large_events() const { return too_large_events_; }  ///< skipped here
  std::uint64_t trailing_bytes() const { return trailing_bytes_; }  ///< behind the document, with leading blanks cut
  std::uint64_t first_trailing() const { return bytes_read_ - trailing_bytes_; }
  bool another_document() const { return another_document_; }  ///< what follows begins like one
  const Diagnostics& read_errors() const { return read_errors_; }

 private:
  enum class Cut {
    chunk,  ///< the chunk holds whole events
    again,  ///< something was dropped: look again
    more,   ///< the event at the front is incomplete
  };

  std::size_t next_size() const;
  void fill(Chunk& chunk, std::size_t size);
  Cut cut(Chunk& chunk);
  ElementBounds find_elements(Chunk& chunk);
  std::size_t behind_checked(Chunk& chunk, std::size_t begin, std::size_t closing);
  void skip_large_event(Chunk& chunk);
  bool finish(Chunk& chunk);

  Input& input_;
  EventOptions options_;
  EnvelopeScan envelope_;
  std::string carry_;  ///< read, but behind the last chunk
  std::uint64_t carry_offset_ = 0;
  std::uint64_t next_sequence_ = 0;
  bool input_ended_ = false;
  bool finished_ = false;
  bool truncated_ = false;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t broken_events_ = 0;
  std::uint64_t first_broken_ = 0;
  std::uint64_t too_large_events_ = 0;
  std::uint64_t trailing_bytes_ = 0;
  bool another_document_ = false;
  Diagnostics read_errors_;
};

}  // namespace kdiag::adapters
