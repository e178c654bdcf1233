// SPDX-License-Identifier: Apache-2.0
// How long a job takes, and would take if some of its ranks worked for longer or shorter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/derive/fleet/barriers.hpp"

namespace kdiag::fleet {

/// Replays a run: ns from the first call to the end of the last rank's work.
///
///     arrival of a call = max(arrival of the rank's call before it, ends of its calls that had ended by then) + local
///     end of a barrier  = last arrival of its calls + transfer
///
/// With the local work (by call) and the transfers (by barrier) of `barriers` itself that is what was recorded, on one
/// clock. Nothing where calls wait for each other in a circle, as calls that are matched wrongly do. Linear in calls.
/// Source: the replay of J. Lin et al., "Understanding Stragglers in Large Model Training Using What-if Analysis",
/// arXiv:2505.05713, section 3, with calls in place of operators.
std::optional<std::int64_t> job_time(const Barriers& barriers, std::span<const std::int64_t> local,
                                     std::span<const std::int64_t> transfer);

}  // namespace kdiag::fleet
