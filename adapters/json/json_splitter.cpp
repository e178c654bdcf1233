// SPDX-License-Identifier: Apache-2.0
// Chunks end where the bracket depth comes back to the array's own level; what is behind that is carried over.
#include "adapters/json/json_splitter.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "adapters/json/json_blocks.hpp"
#include "adapters/json/json_recovery.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view separators = ", \t\r\n";
constexpr std::size_t least_piece = 1024;  // judgement: some events

std::string_view without_separators(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(separators), text.size()));
}

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

void Chunk::blank(std::size_t from, std::size_t count) { std::memset(bytes_.get() + begin_ + from, ' ', count); }

void Chunk::truncate(std::size_t count) {
  end_ = begin_ + count;
  std::memset(bytes_.get() + end_, 0, block_bytes);
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
  std::size_t size = next_size();
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

/// How much the next chunk should hold. It doubles: each new size costs a thread fresh memory for its bytes.
std::size_t EventSplitter::next_size() const {
  constexpr std::size_t chunks_at_least = 16;  // judgement: the last one is that part of the whole at most
  std::size_t size = options_.chunk_bytes;
  while (2 * size <= std::min<std::uint64_t>(bytes_read_ / chunks_at_least, options_.longest_chunk_bytes)) size *= 2;
  return size;
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
  chunk.skip(chunk.text().size() - without_separators(chunk.text()).size());
  const std::string_view text = chunk.text();
  const ElementBounds bounds = find_elements(chunk);
  if (bounds.closed) envelope_.leave_events();
  if (bounds.end != 0) {
    const std::size_t rest = bounds.end + (bounds.closed ? 1 : 0);
    carry_ = text.substr(rest);
    carry_offset_ = chunk.offset + rest;
    chunk.truncate(bounds.end);
    return Cut::chunk;
  }
  if (bounds.closed) {
    chunk.skip(1);
    return Cut::again;
  }
  // The element at the front is longer than what was read of it.
  if (text.size() > options_.max_event_bytes) {
    skip_large_event(chunk);
    return Cut::again;
  }
  return Cut::more;
}

/// The elements that are complete, as far as what was read tells. Those that never would be are blanked, so that a
/// broken one ends no chunk. What an element is does not depend on how much was read: one that is too long to be
/// believed is checked, whether it closes here or not.
ElementBounds EventSplitter::find_elements(Chunk& chunk) {
  const std::string_view text = chunk.text();
  ElementBounds found;
  std::size_t piece = text.size();  // behind a broken element the next one may be near: less is looked at
  for (;;) {
    const std::string_view rest = text.substr(found.end);
    const std::size_t ahead = std::min(piece, rest.size());
    const ElementBounds here = block_kernels().find_elements(rest.data(), ahead, long_element_bytes);
    found.end += here.end;
    found.closed = here.closed;
    if (found.closed) return found;
    const std::string_view element = without_separators(rest.substr(here.end));
    const std::size_t begin = text.size() - element.size();
    const bool is_long = here.long_end != 0;
    const std::size_t looked_at = found.end - here.end + (is_long ? here.long_end : ahead);
    const std::size_t size = looked_at - std::min(begin, looked_at);
    if (size > long_element_bytes || (input_ended_ && !is_long && looked_at == text.size() && size != 0)) {
      const std::size_t behind = behind_checked(chunk, begin, is_long ? looked_at : 0);
      if (behind == 0) return found;
      found.end = behind;
      piece = least_piece;
    } else if (is_long) {
      found.end = looked_at;
    } else if (looked_at == text.size()) {
      return found;
    } else {
      piece *= 2;
    }
  }
}

/// Looks at the element at `begin` by itself. Returns where reading goes on, 0 when what was read does not tell.
/// `closing`: where brackets say that it ends, if they do.
std::size_t EventSplitter::behind_checked(Chunk& chunk, std::size_t begin, std::size_t closing) {
  const std::string_view element = chunk.text().substr(begin);
  const ElementCheck check = check_element(element);
  if (check.state == ElementCheck::State::incomplete) return 0;
  if (check.state == ElementCheck::State::complete) return begin + check.at;
  const auto next = find_next_element(element, check.at);
  if (!next) return input_ended_ ? closing : 0;
  if (broken_events_++ == 0) first_broken_ = chunk.offset + begin;
  chunk.blank(begin, *next);
  return begin + *next;
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
}

/// Looks at what follows the document, or at what is missing of it. Returns that there is no further chunk.
bool EventSplitter::finish(Chunk& chunk) {
  finished_ = true;
  if (envelope_.state() == EnvelopeScan::State::end) {
    bool blank = true;
    for (fill(chunk, options_.chunk_bytes); !chunk.text().empty(); fill(chunk, options_.chunk_bytes)) {
      if (blank) chunk.skip(std::min(chunk.text().find_first_not_of(json_blanks), chunk.text().size()));
      if (blank) another_document_ = chunk.text().starts_with('{') || chunk.text().starts_with('[');
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
