// SPDX-License-Identifier: Apache-2.0
// Interned strings: equal texts have one id, ids count up in order of first appearance.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include <kdiag/fact.hpp>

namespace kdiag {

class StringPool {
 public:
  std::uint32_t intern(std::string_view text) {
    if (auto found = ids_.find(text); found != ids_.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(texts_.size());
    bytes_ += text.size();
    texts_.emplace_back(text);  // a deque never moves its elements: the views stay valid
    ids_.emplace(texts_.back(), id);
    return id;
  }
  /// absent_index when the text was never interned.
  std::uint32_t find(std::string_view text) const {
    auto found = ids_.find(text);
    return found == ids_.end() ? absent_index : found->second;
  }
  /// The text of an id; empty for absent_index.
  std::string_view operator[](std::uint32_t id) const { return id == absent_index ? std::string_view{} : texts_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }
  /// Of all texts together.
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace kdiag
