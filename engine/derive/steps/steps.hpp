// SPDX-License-Identifier: Apache-2.0
// Steps: which rows belong to one, when it ends on the device, and whether it is typical.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Rows of `steps` that have a start and a duration, by rank slot, those of each by start. Steps that name no rank
/// belong to all that have none of their own. Made once for all ranks: looking for those of one takes as long.
class TimedSteps {
 public:
  explicit TimedSteps(const FactStore& store);
  std::span<const std::uint32_t> of(std::uint32_t slot) const {
    return slot < own_.size() && !own_[slot].empty() ? own_[slot] : shared_;
  }

 private:
  std::vector<std::vector<std::uint32_t>> own_;  ///< by slot
  std::vector<std::uint32_t> shared_;
};

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
