// SPDX-License-Identifier: Apache-2.0
// What defines the window of time that is judged: the words of `runs.wall_basis`.
#pragma once

#include <cstdint>
#include <string_view>

#include <kdiag/export.hpp>

namespace kdiag {

enum class WallBasis : std::uint8_t {
  none,  ///< no time is known
  steps,
  device,   ///< from the first to the last work of devices
  phases,   ///< the length of stated steps; when they were is not known
  host,     ///< from the first to the last event of the host
  samples,  ///< from the first to the last sample
};
/// Empty for `none`.
KDIAG_API std::string_view name_of(WallBasis basis);

}  // namespace kdiag
