// SPDX-License-Identifier: Apache-2.0
// Which numbers can be times.
#pragma once

#include <cstdint>
#include <optional>

namespace kdiag::adapters {

/// Times beyond 95 years are malformed: a base time, a start and a duration below it add up within 64 bits.
constexpr std::optional<std::int64_t> in_range(std::optional<std::int64_t> ns) {
  constexpr std::int64_t limit = 3'000'000'000'000'000'000;
  return ns && *ns >= -limit && *ns <= limit ? ns : std::nullopt;
}

}  // namespace kdiag::adapters
