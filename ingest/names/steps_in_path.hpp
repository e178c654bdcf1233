// SPDX-License-Identifier: Apache-2.0
// A part of an input as the user names it: `FILE@10..20` is steps 10 to 20 of FILE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace kdiag {

struct PathWithSteps {
  std::string path;
  std::optional<std::pair<std::int64_t, std::int64_t>> steps;  ///< first and last, both included, as they are written
};

/// `10..20`, `10..`, `..20` or `7` behind the last `@`. The text is the path where that is something else, or a file of
/// that very name exists.
PathWithSteps split_steps(const std::string& text);

}  // namespace kdiag
