// SPDX-License-Identifier: Apache-2.0
// Sorts that end soon after the host asked to stop.
#pragma once

#include <cstdint>
#include <utility>

#include "base/interrupt.hpp"

namespace kdiag {

/// The comparison `less`, which throws Interrupted once in so many calls when `cancel` is true. For algorithms that may
/// be left in the middle: what they sort is then in any order, and dropped.
template <class Less>
auto stoppable(CancelFlag cancel, std::uint32_t& calls, Less less) {
  return [cancel, &calls, less = std::move(less)](const auto& a, const auto& b) {
    if ((++calls & 0xFFFFU) == 0) stop_if(cancel);  // of 65,536 about a millisecond
    return less(a, b);
  };
}

}  // namespace kdiag
