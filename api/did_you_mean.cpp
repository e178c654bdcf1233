// SPDX-License-Identifier: Apache-2.0
#include <kdiag/diagnostic.hpp>

#include "engine/edit_distance.hpp"

namespace kdiag {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto found = closest_match(word, candidates);
  return found ? "did you mean '" + std::string(*found) + "'?" : std::string();
}

}  // namespace kdiag
