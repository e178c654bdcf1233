// SPDX-License-Identifier: Apache-2.0
// Which operator encloses which operator and call, from times alone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Slack for "encloses": traces in whole microseconds cut start and duration separately, so that the end of a child
/// may exceed its parent's by just under 2 us.
inline constexpr std::int64_t nesting_slack_ns = 2000;

/// Whether [start, end) of one row encloses that of another, within the slack.
constexpr bool encloses(std::int64_t outer_start, std::int64_t outer_end, std::int64_t start, std::int64_t end) {
  return outer_start <= start && end <= outer_end + nesting_slack_ns;
}

/// Fills ops.parent, ops.host_total, ops.host_self and api.op, thread by thread: the innermost operator that runs when
/// a row starts and encloses it. Of two operators that overlap in part, neither is the other's parent. Rows without
/// thread, start or duration stay as they are. host_self is the duration less the union of child operators and own
/// calls, so it is never negative.
///
/// Returns the operators that take part, every parent before its children. O(n log n) whatever the order and overlap.
/// Throws Interrupted once `cancel` is true.
std::vector<std::uint32_t> nest_host_rows(FactStore& store, CancelFlag cancel = nullptr);

}  // namespace kdiag
