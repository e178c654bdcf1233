// SPDX-License-Identifier: Apache-2.0
// Whether a device ran the same program in both runs, and how much more of it: devices.comparable, devices.more_work.
#pragma once

#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// As far as kernels and operators tell: a third of the calls of its kernels are of kernels that the baseline run has,
/// or a twentieth, and half of the calls of operators are of such as run about as often there, within one and a half
/// times (judgement; docs/comparing.md). So where neither is known. `changes`: of all devices and ranks.
bool is_same_program(const std::vector<Change>& changes, const ComparedPlace& place);

/// By how much longer the devices of a rank worked than for as much work in the baseline run, in ns, at least 0: what
/// a blocking call waits for. Kernels and copies of all of them together, or the kernels of the one that grew most,
/// beside which the others may work. Throws Interrupted.
double more_work(const ComparedRuns& runs, const std::vector<Change>& changes, const ComparedPlace& place);

}  // namespace kdiag
