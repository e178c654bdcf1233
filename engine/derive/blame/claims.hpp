// SPDX-License-Identifier: Apache-2.0
// Spans of the host in which its recorded events say plainly what an idle device waits for.
#pragma once

#include <cstdint>
#include <vector>

#include <kdiag/blame.hpp>

#include "base/interrupt.hpp"
#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// `culprit` is the id of a text, `call` a row of `api`; absent_index where there is none.
struct BlameClaim {
  Interval span;
  Blame blame = Blame::unrecorded;
  std::uint32_t culprit = absent_index;
  std::uint32_t call = absent_index;
};

/// By start, disjoint.
using BlameClaims = std::vector<BlameClaim>;

/// What the host of each rank does on whatever thread, by rank slot. Of several at an instant the first of:
///  1. capture: between the calls of a thread that begin and end a capture;
///  2. compile: in ranges, operators and Python functions of torch.compile, Triton and XLA (the innermost range or
///     operator is the culprit), and calls that compile or link;
///  3. first_use: in calls that load code;
///  4. gc: in ranges and operators that are named after collections, and calls of gc.collect.
std::vector<BlameClaims> claims_of_hosts(const FactStore& store, CancelFlag cancel);

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
