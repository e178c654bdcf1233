// SPDX-License-Identifier: Apache-2.0
// Reasons of unknown values that others than who states them must know.
#pragma once

#include <string_view>

namespace kdiag {

/// Of `if c then x`: x is asked for where c does not hold. What else misses decides whether it does.
inline constexpr std::string_view condition_fails = "its condition does not hold";

}  // namespace kdiag
