// SPDX-License-Identifier: Apache-2.0
// Times of the page: ns since an instant of the run.
#pragma once

#include <cstdint>
#include <optional>

namespace kdiag::report {

/// Nothing where a browser, whose numbers are doubles, could not tell it from its neighbours: 104 days away.
inline std::optional<std::int64_t> page_time(std::int64_t instant, std::int64_t origin) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  std::int64_t since = 0;
  if (__builtin_sub_overflow(instant, origin, &since) || since > most || since < -most) return std::nullopt;
  return since;
}

}  // namespace kdiag::report
