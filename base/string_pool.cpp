// SPDX-License-Identifier: Apache-2.0
#include "base/string_pool.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace kdiag {
namespace {

// Judgement: the first block and the first slots of a pool do for a batch of a small input.
constexpr std::size_t first_slots = 64;
constexpr std::size_t first_block = 1024;
constexpr std::size_t largest_block = 64 * 1024;

}  // namespace

std::uint32_t StringPool::hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

std::size_t StringPool::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t last = slots_.size() - 1;  // the number of slots is a power of two
  std::size_t slot = hash & last;
  while (slots_[slot] != absent_index) {
    const Entry& entry = entries_[slots_[slot]];
    if (entry.hash == hash && entry.text == text) break;
    slot = (slot + 1) & last;
  }
  return slot;
}

std::uint32_t StringPool::find(std::string_view text, std::uint32_t hash) const {
  if (!slots_.empty())
    if (const std::uint32_t place = slots_[slot_of(text, hash)]; place != absent_index) return base_size_ + place;
  return base_ ? base_->find(text, hash) : absent_index;
}

std::uint32_t StringPool::intern(std::string_view text, std::uint32_t hash) {
  if (const std::uint32_t known = find(text, hash); known != absent_index) return known;
  assert(!closed_);
  if (slots_.size() <= 2 * entries_.size()) grow();
  entries_.push_back({keep(text), hash});  // first: where memory ends, no slot names an entry that is not there
  const auto place = static_cast<std::uint32_t>(entries_.size() - 1);
  slots_[slot_of(text, hash)] = place;
  return base_size_ + place;
}

std::vector<std::uint32_t> StringPool::intern_all(const StringPool& other) {
  std::vector<std::uint32_t> ids;
  ids.reserve(other.size());
  if (other.base_) ids = intern_all(*other.base_);
  for (const Entry& entry : other.entries_) ids.push_back(intern(entry.text, entry.hash));
  return ids;
}

void StringPool::grow() {
  slots_.assign(std::max(first_slots, 2 * slots_.size()), absent_index);
  const std::size_t last = slots_.size() - 1;
  for (std::uint32_t place = 0; place < entries_.size(); ++place) {
    std::size_t slot = entries_[place].hash & last;
    while (slots_[slot] != absent_index) slot = (slot + 1) & last;
    slots_[slot] = place;
  }
}

std::string_view StringPool::keep(std::string_view text) {
  bytes_ += text.size();
  Block& block = block_for(text.size());
  char* const start = block.characters.get() + block.used;
  std::copy(text.begin(), text.end(), start);
  block.used += text.size();
  return {start, text.size()};
}

StringPool::Block& StringPool::block_for(std::size_t size) {
  if (!blocks_.empty() && blocks_.back().size - blocks_.back().used >= size) return blocks_.back();
  // A long text has a block to itself, and the last goes on being filled.
  const bool alone = size > largest_block / 4;
  const std::size_t next = blocks_.empty() ? first_block : std::min(2 * blocks_.back().size, largest_block);
  const std::size_t allocated = alone ? size : std::max(next, size);
  blocks_.push_back({std::make_unique_for_overwrite<char[]>(allocated), allocated, 0});
  if (!alone || blocks_.size() == 1) return blocks_.back();
  std::swap(blocks_.back(), *(blocks_.end() - 2));
  return *(blocks_.end() - 2);
}

}  // namespace kdiag
