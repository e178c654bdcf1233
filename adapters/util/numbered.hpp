// SPDX-License-Identifier: Apache-2.0
// Numbers for texts that come again and again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kdiag::adapters {

/// Numbers texts in order of appearance.
class Numbered {
 public:
  std::uint32_t operator()(std::string_view text) {
    const auto [found, added] = ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (added) texts_.emplace_back(text);
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> texts_;
};

}  // namespace kdiag::adapters
