// SPDX-License-Identifier: Apache-2.0
// Whether a part of the cycle took longer, by more than it varies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/part_times.hpp"

namespace kdiag {

/// What a part of the cycle takes in each recording of the normal run, in ns, by name.
using PartsOfRuns = std::map<std::string, std::vector<double>>;

/// Gives each part of the cycle a verdict of its own, and those of a neutral difference no share of it.
///  - Where its times in the cycles are known, and these are enough to reach the level among so many parts: a
///    regression or an improvement when the rank test of its times says so (q) and they shifted by more than the least
///    noise floor of the cycle. Of cycles that go up and down together the test is that of pairs.
///  - Where several recordings of the normal run decide, by what the part takes in them: outside of the range in which
///    one more healthy run is expected, and moved by more than the least noise floor of the cycle.
///  - Else by the noise floor of the whole cycle, which its mean must exceed.
///  - inconclusive where the whole is.
/// Throws Interrupted.
void judge_parts(Comparison& comparison, const PartTimes& times = {}, const PartsOfRuns& healthy = {},
                 CancelFlag cancel = nullptr);

}  // namespace kdiag
