// SPDX-License-Identifier: Apache-2.0
// Calls that launch or copy and keep the host for far longer than queueing takes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/derive/blame/claims.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Launch and copy calls that take far longer than queueing does, by row of `threads`: first_use in launches that load
/// their kernel, slow_call in other slow launches, copy_call.
///
/// A slow launch is a first one when one of its kernels was not launched before on its device and is not slow to launch
/// again; where its kernels are not known, when no other slow launch of its rank has its name.
std::vector<BlameClaims> slow_launches(const FactStore& store, CancelFlag cancel);

/// A launch takes 5 to 20 us; one that takes longer than this does more than launch (nsys-ai: 1 ms).
inline constexpr std::int64_t slow_launch = 1'000'000;  // ns
/// Queueing a copy takes 5 to 20 us (judgement).
inline constexpr std::int64_t slow_copy = 100'000;  // ns

}  // namespace kdiag
