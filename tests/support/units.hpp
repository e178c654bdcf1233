// SPDX-License-Identifier: Apache-2.0
// Times of fixtures, in nanoseconds.
#pragma once

#include <cstdint>

namespace kdiag::tests {

inline constexpr std::int64_t us = 1'000;
inline constexpr std::int64_t ms = 1'000'000;
inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr std::int64_t noon = 1'750'075'200 * second;  ///< 2025-06-16 12:00 UTC, of the Unix clock

}  // namespace kdiag::tests
