// SPDX-License-Identifier: Apache-2.0
// A host can cancel the making of a long text.
#pragma once

#include <functional>
#include <string>

#include "base/interrupt.hpp"

namespace kdiag::report {

/// Called for each row of a long text; what it throws ends the making. Empty: nobody asks.
using StopCheck = std::function<void()>;

inline void check_stop(const StopCheck& check) {
  if (check) check();
}

/// The text that `make` makes; empty where it was interrupted.
template <class Make>
std::string unless_interrupted(Make make) {
  try {
    return make();
  } catch (const Interrupted&) {
    return {};
  }
}

}  // namespace kdiag::report
