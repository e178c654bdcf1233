// SPDX-License-Identifier: Apache-2.0
// A hash by which a map of std::string is asked for a view, which is not copied for it.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace kdiag {

/// For std::unordered_map<std::string, T, TextHash, std::equal_to<>>.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace kdiag
