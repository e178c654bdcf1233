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

inline bool begins_earlier(const BlameClaim& a, const BlameClaim& b) { return a.span.start < b.span.start; }

/// What the host of each rank does on whatever thread, by rank slot. Of several at an instant the first of:
///  1. capture: between the calls of a thread that begin and end a capture;
///  2. compile: in ranges, operators and Python functions of torch.compile, Triton and XLA, and calls that compile or
///     link;
///  3. first_use: in calls that load code;
///  4. gc: in ranges and operators that are named after collections, and calls of gc.collect.
/// Of one kind, ranges and operators come before Python functions, and these before calls; of ranges that nest the
/// innermost is the culprit.
std::vector<BlameClaims> claims_of_hosts(const FactStore& store, CancelFlag cancel);

}  // namespace kdiag
