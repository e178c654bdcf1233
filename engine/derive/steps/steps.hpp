// SPDX-License-Identifier: Apache-2.0
// Steps: which rows belong to one, when it ends on the device, and whether it is typical.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Rows of `steps` of a rank slot that have a start and a duration, by start. Steps that name no rank belong to all.
std::vector<std::uint32_t> timed_steps(const FactStore& store, std::uint32_t slot);

/// Completes the timed steps, by the rules of the PyTorch profiler's TensorBoard plugin (docs/time.md):
///  - `step` of kernels, copies, memsets: the step in whose host span their launching call starts (without launch
///    link: they start); of api, ops, annotations: in whose host span they start;
///  - steps.dur: extended to the end of the last device activity launched in it; the next step starts no earlier;
///  - steps.kind: partial for a last step with fewer than 80 % of the device activities of the step before, and for
///    those behind it without any; warmup for leading steps longer than 3x the median of the rest, when there are at
///    least 5; else steady.
void derive_steps(FactStore& store);

/// How many steps begin in the window; of several ranks, those of the one whose window is the longest. Steps without
/// times all count. Needs derive_walls.
std::int64_t count_judged_steps(const FactStore& store);

}  // namespace kdiag
