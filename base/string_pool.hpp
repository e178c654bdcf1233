// SPDX-License-Identifier: Apache-2.0
// Interned strings: equal texts have one id, ids count up in order of first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

namespace kdiag {

/// Inputs have thousands of batches with hundreds of texts each, most of them the same: a text takes no memory of its
/// own, and its hash is kept for the pool into which it goes next.
class StringPool {
 public:
  StringPool() = default;
  /// A pool that begins with the texts of another, under their ids; that one must not change any more.
  explicit StringPool(std::shared_ptr<const StringPool> base) : base_size_(base->size()), base_(std::move(base)) {}
  // Not copied: entries point to the texts.
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;
  ~StringPool() = default;

  std::uint32_t intern(std::string_view text) { return intern(text, hash_of(text)); }
  /// Interns all texts of another pool: their ids here, by their ids there.
  std::vector<std::uint32_t> intern_all(const StringPool& other);
  /// absent_index when the text was never interned.
  std::uint32_t find(std::string_view text) const { return find(text, hash_of(text)); }
  /// The text of an id, which stays where it is as long as the pool lives; empty for absent_index.
  std::string_view operator[](std::uint32_t id) const {
    if (id < base_size_) return (*base_)[id];
    return id == absent_index ? std::string_view{} : entries_[id - base_size_].text;
  }
  std::uint32_t size() const { return base_size_ + static_cast<std::uint32_t>(entries_.size()); }
  /// Of all texts together.
  std::size_t bytes() const { return bytes_ + (base_ ? base_->bytes() : 0); }

  /// Closes a pool as long as it lives: threads may share the pool then, and intern texts that it has. A text that it
  /// has not is a mistake of the caller, which assertions find.
  class Closed {
   public:
    explicit Closed(StringPool& pool) : pool_(pool) { pool_.closed_ = true; }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;
    ~Closed() { pool_.closed_ = false; }

   private:
    StringPool& pool_;
  };

  /// What an interned text costs beside its characters: its entry, and its part of the slots.
  static constexpr std::size_t bytes_of_text = 56;

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t hash;
  };
  /// Characters of texts, one behind the other.
  struct Block {
    std::unique_ptr<char[]> characters;
    std::size_t size, used;
  };

  static std::uint32_t hash_of(std::string_view text);
  std::uint32_t intern(std::string_view text, std::uint32_t hash);
  std::uint32_t find(std::string_view text, std::uint32_t hash) const;
  /// Where the id of a text stands among the slots, or where it would.
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void grow();
  std::string_view keep(std::string_view text);
  Block& block_for(std::size_t size);

  std::uint32_t base_size_ = 0;
  std::shared_ptr<const StringPool> base_;
  std::size_t bytes_ = 0;
  bool closed_ = false;
  std::vector<Entry> entries_;        ///< by id, without those of the base
  std::vector<std::uint32_t> slots_;  ///< places of entries by hash, at most half of them taken; absent_index: free
  std::vector<Block> blocks_;
};

}  // namespace kdiag
