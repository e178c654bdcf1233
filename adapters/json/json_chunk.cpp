// SPDX-License-Identifier: Apache-2.0
// The walk over a chunk's structure: events, their members, and what to do with those that are broken.
#include "adapters/json/json_chunk.hpp"

#include <algorithm>
#include <cstring>

#include "adapters/json/json_blocks.hpp"
#include "adapters/json/json_recovery.hpp"
#include "adapters/json/json_text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t look_ahead = 8;  // a walk reads fewer places than this behind the last one

/// JSON's blanks, and for speed all control characters; but not the zero byte behind the text.
bool is_blank(char c) { return static_cast<unsigned char>(c - 1) < ' '; }

/// The first byte from `begin` that is no blank.
std::size_t pass_blanks(const char* text, std::size_t begin) {
  while (is_blank(text[begin])) ++begin;
  return begin;
}

/// Whether there is nothing but blanks. Up to eight are looked at in one go: their number varies from gap to gap, and
/// a loop over them would be mispredicted at every other one.
bool is_blank_gap(const char* text, std::size_t begin, std::size_t end) {
  const std::size_t size = end - begin;
  if (size > 8) return pass_blanks(text, begin) == end;
  std::uint64_t word;  // little-endian: the bytes behind the gap are shifted out at the top
  std::memcpy(&word, text + begin, sizeof word);
  word <<= 8 * (8 - size);
  constexpr std::uint64_t ones = 0x0101010101010101U;
  return ((word | (word + (0x7F - ' ') * ones)) & (0x80 * ones)) == 0;
}

/// The same; between most places there is nothing at all.
inline bool is_blank(const char* text, std::size_t begin, std::size_t end) {
  return begin >= end || is_blank_gap(text, begin, end);
}

/// The walk over one region's structure. `at` counts places, everything else bytes.
class Walk {
 public:
  Walk(const char* text, const std::uint32_t* places, std::size_t count)
      : text_(text), places_(places), count_(count) {}

  /// The place in the index of the bracket that closes the one at `at`, or npos.
  std::size_t closing(std::size_t at) const {
    std::size_t depth = 0;
    for (; at < count_; ++at) {
      const char folded = static_cast<char>(text_[places_[at]] | 0x20);
      if (folded == '{') ++depth;
      if (folded == '}' && --depth == 0) return at;
    }
    return npos;
  }

  /// Reads the members of the object that opens at `at`; those of a member "args" go to `args` if given. Returns
  /// the place of the closing brace, or npos when this is no object.
  std::size_t members(std::size_t at, MemberList& into, MemberList* args) const {
    into.clear();
    for (;;) {
      // Inside a string nothing is indexed: the next places are the two quotes of the key.
      const std::size_t key_begin = places_[at + 1];
      if (!is_blank(text_, places_[at] + 1, key_begin)) return npos;
      if (text_[key_begin] == '}') return at + 1;  // an empty object, or a trailing comma
      if (text_[key_begin] != '"') return npos;
      const std::size_t key_end = places_[at + 2];
      const std::string_view key(text_ + key_begin + 1, key_end - key_begin - 1);

      const std::size_t colon = pass_blanks(text_, key_end + 1);
      if (text_[colon] != ':') return npos;
      const std::size_t begin = pass_blanks(text_, colon + 1);
      const std::size_t value = at + 3;
      std::size_t end = 0;
      const char first = text_[begin];
      const bool nests = args != nullptr && first == '{' && key == "args";
      if (first == '"') {
        end = places_[value + 1] + 1;
        at = value + 2;
      } else if (nests) {
        at = members(value, *args, nullptr);
        if (at == npos) return npos;
        end = places_[at] + 1;
        ++at;
      } else if (first == '{' || first == '[') {
        at = closing(value);
        if (at == npos || text_[places_[at]] != first + 2) return npos;  // '{' + 2 = '}', '[' + 2 = ']'
        end = places_[at] + 1;
        ++at;
      } else {
        end = places_[value];
        while (end > begin && is_blank(text_[end - 1])) --end;
        if (end <= begin) return npos;
        at = value;
      }
      const std::size_t after = places_[at];
      if (!is_blank(text_, end, after)) return npos;
      if (!nests) into.add(key, {text_ + begin, end - begin});
      if (text_[after] == '}') return at;
      if (text_[after] != ',') return npos;
    }
  }

 private:
  const char* text_;
  const std::uint32_t* places_;
  std::size_t count_;
};

bool is_damaged(const Member& member) {
  const Controls controls = member.value.is_string() ? Controls::damage : Controls::allowed;
  return needs_repair(member.key, Controls::damage) || needs_repair(member.value.text, controls);
}

}  // namespace

void EventTally::add_unreadable(std::uint64_t count, std::uint64_t first) {
  if (count == 0) return;
  first_unreadable = unreadable == 0 ? first : std::min(first_unreadable, first);
  unreadable += count;
}

void EventTally::add(const EventTally& other) {
  events += other.events;
  repaired += other.repaired;
  too_large += other.too_large;
  add_unreadable(other.unreadable, other.first_unreadable);
}

bool EventCursor::next() { return parser_->next(*this); }

EventCursor ChunkParser::parse(const Chunk& chunk) {
  chunk_ = chunk.text();
  rereading_ = false;
  index(whole_, chunk_.data(), chunk_.size(), chunk.offset);
  return EventCursor(*this);
}

bool ChunkParser::next(EventCursor& event) {
  for (;;) {
    switch (step(rereading_ ? inner_ : whole_, event)) {
      case Step::event: return true;
      case Step::reread: rereading_ = true; break;
      case Step::end:
        if (!rereading_) return false;
        rereading_ = false;
        break;
    }
  }
}

void ChunkParser::index(Region& region, const char* text, std::size_t size, std::uint64_t offset) {
  if (region.capacity < size + block_bytes) {
    region.capacity = size + block_bytes;
    region.places.reset(new std::uint32_t[region.capacity]);  // not make_unique: no need to touch it all
  }
  const StructureIndex found = block_kernels().index(text, size, region.places.get());
  const auto zero = static_cast<std::uint32_t>(chunk_.data() + chunk_.size() - text);
  std::fill_n(region.places.get() + found.count, look_ahead, zero);
  region.text = text;
  region.size = size;
  region.offset = offset;
  region.count = found.count;
  region.at = 0;
  region.seen = 0;
  region.unusual = found.unusual;
}

ChunkParser::Step ChunkParser::step(Region& region, EventCursor& event) {
  while (region.at < region.count) {
    const std::size_t place = region.places[region.at];
    pass_gap(region, place);
    const char sign = region.text[place];
    if (sign == ',') {
      ++region.at;
      region.seen = place + 1;
    } else if (sign == '{' && read_event(region, event)) {
      const std::size_t size = region.seen - place;
      if (size > max_event_bytes_) {
        ++tally_.too_large;
        continue;
      }
      event.offset_ = region.offset + place;
      ++tally_.events;
      if (region.unusual) check_text(event);
      return Step::event;
    } else if (skip_unreadable(region)) {
      return Step::reread;
    }
  }
  pass_gap(region, region.size);
  return Step::end;
}

bool ChunkParser::read_event(Region& region, EventCursor& event) {
  event.args_.clear();
  const Walk walk(region.text, region.places.get(), region.count);
  const std::size_t close = walk.members(region.at, event.members_, &event.args_);
  if (close == npos) return false;
  region.at = close + 1;
  region.seen = region.places[close] + 1;
  return true;
}

/// Passes the element at the front, which is no object that can be read. True when a missing quote made it swallow its
/// neighbours: they are now the inner region.
bool ChunkParser::skip_unreadable(Region& region) {
  const std::size_t begin = region.places[region.at];
  const char sign = region.text[begin];
  std::size_t last = region.at;  // a stray bracket
  if (sign == '"') last = region.at + 1;
  if (sign == '{' || sign == '[') last = Walk(region.text, region.places.get(), region.count).closing(region.at);
  region.at = std::min(last, region.count) + 1;
  region.seen = last < region.count ? region.places[last] + 1 : region.size;
  if (region.seen - begin > max_event_bytes_) {
    ++tally_.too_large;
    return false;
  }
  tally_.add_unreadable(1, region.offset + begin);
  const auto swallowed = find_swallowed_element({region.text + begin, region.seen - begin});
  if (!swallowed) return false;
  // The whole chunk goes on behind the element; a part that is read again already is simply read once more.
  const std::size_t end = &region == &whole_ ? region.seen : region.size;
  index(inner_, region.text + begin + *swallowed, end - begin - *swallowed, region.offset + begin + *swallowed);
  return true;
}

/// Passes what stands in front of the next element or separator: blanks, or something that is no object.
void ChunkParser::pass_gap(Region& region, std::size_t end) {
  const std::size_t begin = pass_blanks(region.text, region.seen);
  if (begin < end) tally_.add_unreadable(1, region.offset + begin);
  region.seen = std::max(region.seen, end);
}

void ChunkParser::check_text(const EventCursor& event) {
  const auto damaged = [](std::span<const Member> members) {
    return std::any_of(members.begin(), members.end(), is_damaged);
  };
  if (damaged(event.members()) || damaged(event.args())) ++tally_.repaired;
}

}  // namespace kdiag::adapters
