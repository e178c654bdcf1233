// SPDX-License-Identifier: Apache-2.0
// Numbers for texts that come again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_hash.hpp"

namespace kdiag::adapters {

/// Numbers texts in order of appearance.
class Numbered {
 public:
  std::uint32_t operator()(std::string_view text) {
    if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(texts_.size());
    ids_.emplace(text, id);
    texts_.emplace_back(text);
    bytes_ += 2 * text.size() + bytes_of_entry;
    return id;
  }
  /// About how much memory they take.
  std::size_t bytes() const { return bytes_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  static constexpr std::size_t bytes_of_entry = 96;  // two texts and a node of libstdc++

  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> ids_;
  std::size_t bytes_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace kdiag::adapters
