// SPDX-License-Identifier: Apache-2.0
// Parses the events of one chunk: an index of its structure, and a walk over that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "adapters/json/json.hpp"
#include "adapters/json/json_splitter.hpp"

namespace kdiag::adapters {

/// What a parser saw over all its chunks.
struct EventTally {
  std::uint64_t events = 0;            ///< delivered
  std::uint64_t repaired = 0;          ///< of these, with invalid UTF-8 or control characters in strings
  std::uint64_t too_large = 0;         ///< skipped
  std::uint64_t unreadable = 0;        ///< skipped
  std::uint64_t first_unreadable = 0;  ///< where

  void add_unreadable(std::uint64_t count, std::uint64_t first);
  void add(const EventTally& other);
};

/// Steps through chunks for an EventCursor; keeps its buffers from chunk to chunk. Not thread-safe.
class ChunkParser {
 public:
  explicit ChunkParser(std::size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

  /// Starts on a chunk, which must stay as it is while the cursor is used.
  EventCursor parse(const Chunk& chunk);
  bool next(EventCursor& event);
  const EventTally& tally() const { return tally_; }

 private:
  /// A part of the chunk and the index of its structure.
  struct Region {
    const char* text = nullptr;
    std::size_t size = 0;
    std::uint64_t offset = 0;                 ///< of the text in the input
    std::unique_ptr<std::uint32_t[]> places;  ///< of its quotes, brackets and commas, then of a zero byte behind it
    std::size_t capacity = 0;
    std::size_t count = 0;
    std::size_t at = 0;    ///< the next of the places to look at
    std::size_t seen = 0;  ///< text in front of this was looked at
    bool unusual = false;  ///< there may be text that needs repair
  };
  enum class Step { event, end, reread };

  void index(Region& region, const char* text, std::size_t size, std::uint64_t offset);
  Step step(Region& region, EventCursor& event);
  bool read_event(Region& region, EventCursor& event);
  bool skip_unreadable(Region& region);
  void pass_gap(Region& region, std::size_t end);
  void check_text(const EventCursor& event);

  std::size_t max_event_bytes_;
  std::string_view chunk_;
  Region whole_;  ///< the chunk
  Region inner_;  ///< a part of it that is read again because a broken event had swallowed it
  bool rereading_ = false;
  EventTally tally_;
};

}  // namespace kdiag::adapters
