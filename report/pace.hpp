// SPDX-License-Identifier: Apache-2.0
// How who asks for a long text can stop its making.
#pragma once

#include <atomic>
#include <functional>
#include <string>

namespace kdiag::report {

/// Called for each row of a long text; what it throws ends the making. Empty: nobody asks.
using Pace = std::function<void()>;

inline void keep(const Pace& pace) {
  if (pace) pace();
}

/// Set by another thread where the text is not wanted any more. Null: nobody sets it.
using StopFlag = const std::atomic<bool>*;

/// Ends the making of such a text. Never leaves the functions that hosts call: see `unless_stopped`.
struct Stopped {};

inline void stop_if(StopFlag stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Stopped{};
}

/// The text that `make` makes; empty where it was stopped.
template <class Make>
std::string unless_stopped(Make make) {
  try {
    return make();
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace kdiag::report
