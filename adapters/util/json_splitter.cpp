// SPDX-License-Identifier: Apache-2.0
// Chunks end where the bracket depth comes back to the array's own level; what is behind that is carried over.
#include "adapters/util/json_splitter.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "adapters/util/json_blocks.hpp"
#include "adapters/util/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view separators = ", \t\r\n";

/// How far to look for swallowed events, and how large an incomplete event must be to look for them before the
/// input ends. Judgement: far above real events, far below what would hurt to read twice.
constexpr std::size_t recovery_bytes = 1024 * 1024;

}  // namespace

void Chunk::reserve(std::size_t size) {
  const std::size_t used = end_ - begin_;
  if (size > capacity_) {
    std::unique_ptr<char[]> larger(new char[size + block_bytes]);  // not make_unique: no need to touch it all
    if (used != 0) std::memcpy(larger.get(), bytes_.get() + begin_, used);
    bytes_ = std::move(larger);
    capacity_ = size;
  } else if (begin_ + size > capacity_) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, used);
  } else {
    return;
  }
  begin_ = 0;
  end_ = used;
}

void Chunk::append(std::string_view text) {
  reserve(end_ - begin_ + text.size());
  if (!text.empty()) std::memcpy(bytes_.get() + end_, text.data(), text.size());
  end_ += text.size();
}

void Chunk::skip(std::size_t count) {
  begin_ += count;
  offset += count;
}

void Chunk::truncate(std::size_t count) {
  end_ = begin_ + count;
  std::memset(bytes_.get() + end_, 0, block_bytes);
}

std::optional<std::size_t> find_swallowed_event(std::string_view element) {
  element = element.substr(0, recovery_bytes);
  constexpr std::string_view boundary = "},{";
  std::size_t matched = 0;
  std::size_t brace = 0;
  bool inside = false;
  for (std::size_t at = 0; at < element.size(); ++at) {
    const char c = element[at];
    if (c == '"') {
      if (inside && matched == boundary.size()) return brace;
      inside = !inside;
      matched = 0;
    } else if (c == '\\') {
      ++at;
      matched = 0;
    } else if (inside && json_blanks.find(c) == std::string_view::npos) {
      if (matched < boundary.size() && c == boundary[matched]) ++matched;
      else matched = c == boundary[0] ? 1 : 0;
      if (matched == boundary.size()) brace = at;
    }
  }
  return std::nullopt;
}

EventSplitter::EventSplitter(Input& input, const EventOptions& options)
    : input_(input), options_(options), envelope_(options.array_key) {
  options_.chunk_bytes = std::max<std::size_t>(options_.chunk_bytes, 1);
}

bool EventSplitter::next(Chunk& chunk) {
  if (finished_) return false;
  chunk.clear();
  chunk.offset = carry_offset_;
  chunk.append(std::exchange(carry_, {}));
  std::size_t size = options_.chunk_bytes;
  for (;;) {
    fill(chunk, size);
    if (envelope_.state() != EnvelopeScan::State::events) {
      chunk.skip(envelope_.feed(chunk.text()));
      const bool over = envelope_.state() == EnvelopeScan::State::end || (input_ended_ && chunk.text().empty());
      if (over) return finish(chunk);
      continue;
    }
    switch (cut(chunk)) {
      case Cut::chunk: chunk.sequence = next_sequence_++; return true;
      case Cut::again: break;
      case Cut::more:
        if (input_ended_) return finish(chunk);
        size = std::max(size, 2 * chunk.text().size());
        break;
    }
  }
}

/// Reads until the chunk holds `size` bytes or the input ends.
void EventSplitter::fill(Chunk& chunk, std::size_t size) {
  chunk.reserve(std::max(size, chunk.text().size()));
  while (!input_ended_ && chunk.text().size() < size) {
    Result<std::size_t> got = input_.read({chunk.bytes_.get() + chunk.end_, size - chunk.text().size()});
    if (!got) read_errors_ = std::move(got.error());
    input_ended_ = !got || *got == 0;
    if (input_ended_) break;
    chunk.end_ += *got;
    bytes_read_ += *got;
  }
  chunk.truncate(chunk.text().size());
}

EventSplitter::Cut EventSplitter::cut(Chunk& chunk) {
  chunk.skip(std::min(chunk.text().find_first_not_of(separators), chunk.text().size()));
  const std::string_view text = chunk.text();
  const ElementBounds bounds = block_kernels().find_elements(text.data(), text.size());
  if (bounds.closed) envelope_.leave_events();
  if (bounds.end != 0) {
    const std::size_t rest = bounds.end + (bounds.closed ? 1 : 0);
    carry_ = text.substr(rest);
    carry_offset_ = chunk.offset + rest;
    searched_ = false;
    chunk.truncate(bounds.end);
    return Cut::chunk;
  }
  if (bounds.closed) {
    chunk.skip(1);
    return Cut::again;
  }
  if (text.empty()) return Cut::more;
  // The element at the front is longer than what was read of it.
  if (text.size() > options_.max_event_bytes) {
    skip_large_event(chunk);
    return Cut::again;
  }
  if (input_ended_ || (text.size() >= recovery_bytes && !searched_)) {
    searched_ = true;
    if (const std::optional<std::size_t> event = find_swallowed_event(text)) {
      drop_broken(chunk, *event);
      return Cut::again;
    }
  }
  return Cut::more;
}

void EventSplitter::drop_broken(Chunk& chunk, std::size_t size) {
  if (broken_events_++ == 0) first_broken_ = chunk.offset;
  chunk.skip(size);
  searched_ = false;
}

void EventSplitter::skip_large_event(Chunk& chunk) {
  ValueScan scan;
  for (;;) {
    chunk.skip(scan.feed(chunk.text()));
    if (scan.ended() || input_ended_) break;
    fill(chunk, options_.chunk_bytes);
  }
  if (scan.ended()) ++too_large_events_;
  else truncated_ = true;
  searched_ = false;
}

/// Looks at what follows the document, or at what is missing of it. Returns that there is no further chunk.
bool EventSplitter::finish(Chunk& chunk) {
  finished_ = true;
  if (envelope_.state() == EnvelopeScan::State::end) {
    bool blank = true;
    for (fill(chunk, options_.chunk_bytes); !chunk.text().empty(); fill(chunk, options_.chunk_bytes)) {
      if (blank) chunk.skip(std::min(chunk.text().find_first_not_of(json_blanks), chunk.text().size()));
      blank = chunk.text().empty();
      trailing_bytes_ += chunk.text().size();
      chunk.skip(chunk.text().size());
    }
  } else {
    const bool inside_event = !chunk.text().empty();
    const bool inside_events = envelope_.state() == EnvelopeScan::State::events;
    truncated_ = truncated_ || (envelope_.found_events() && (inside_event || !inside_events || !envelope_.bare()));
  }
  return false;
}

}  // namespace kdiag::adapters
