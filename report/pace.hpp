// SPDX-License-Identifier: Apache-2.0
// How who asks for a long text can stop its making.
#pragma once

#include <functional>

namespace kdiag::report {

/// Called for each row of a long text; what it throws ends the making. Empty: nobody asks.
using Pace = std::function<void()>;

inline void keep(const Pace& pace) {
  if (pace) pace();
}

}  // namespace kdiag::report
