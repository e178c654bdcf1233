// SPDX-License-Identifier: Apache-2.0
// Paths that the system would read as another one: it takes a NUL byte for their end.
#pragma once

#include <string_view>

namespace kdiag {

inline bool has_nul(std::string_view path) { return path.find('\0') != std::string_view::npos; }

// What errors say of such a path.
inline constexpr std::string_view nul_in_path = "its path holds a NUL byte";
inline constexpr std::string_view nul_in_path_help =
    "A path ends before its first NUL: look at how its length is counted.";

}  // namespace kdiag
