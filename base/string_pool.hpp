// SPDX-License-Identifier: Apache-2.0
// Interned strings: equal texts have one id, ids count up in order of first appearance.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <kdiag/fact.hpp>

namespace kdiag {

class StringPool {
 public:
  StringPool() = default;
  /// A pool that begins with the texts of another, under their ids; that one must not change any more.
  explicit StringPool(std::shared_ptr<const StringPool> base) : base_size_(base->size()), base_(std::move(base)) {}
  // Not copied: the keys are views of the texts.
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;
  ~StringPool() = default;

  std::uint32_t intern(std::string_view text) {
    if (const std::uint32_t known = find(text); known != absent_index) return known;
    const std::uint32_t id = size();
    bytes_ += text.size();
    texts_.emplace_back(text);  // a deque never moves its elements: the views stay valid
    ids_.emplace(texts_.back(), id);
    return id;
  }
  /// absent_index when the text was never interned.
  std::uint32_t find(std::string_view text) const {
    if (auto found = ids_.find(text); found != ids_.end()) return found->second;
    return base_ ? base_->find(text) : absent_index;
  }
  /// The text of an id; empty for absent_index.
  std::string_view operator[](std::uint32_t id) const {
    if (id < base_size_) return (*base_)[id];
    return id == absent_index ? std::string_view{} : texts_[id - base_size_];
  }
  std::uint32_t size() const { return base_size_ + static_cast<std::uint32_t>(texts_.size()); }
  /// Of all texts together.
  std::size_t bytes() const { return bytes_ + (base_ ? base_->bytes() : 0); }

 private:
  std::uint32_t base_size_ = 0;
  std::shared_ptr<const StringPool> base_;
  std::size_t bytes_ = 0;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace kdiag
