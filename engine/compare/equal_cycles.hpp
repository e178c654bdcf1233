// SPDX-License-Identifier: Apache-2.0
// Whether one cycle of a run and one of the other are the same work, so that their times may be compared.
#pragma once

#include <string>
#include <string_view>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/cycles/pair.hpp"

namespace kdiag {

/// Why the cycles of two runs say nothing about each other's speed.
struct Obstacle {
  std::string reason;  ///< in words that follow "the runs cannot be compared:"; empty: there is none
  std::string record;  ///< what to do, so that they can be
  explicit operator bool() const { return !reason.empty(); }
};

/// How whoever compares the runs wants their cycles.
struct CycleRequest {
  std::string_view anchor = {};          ///< as find_cycles has it
  const SamplesPerCycle* per = nullptr;  ///< what a cycle of each run does, where something repeats; null: not said
};

struct EqualCycles {
  Cycles cycles;
  Obstacle obstacle;
};

/// The cycles of find_cycles, and the first of these that forbids to compare them:
///  - they are calls of different functions, unless the functions of the devices agree by how much more a call of one
///    does (common_call_ratio), or the request says it: then both are scaled to the smaller one;
///  - nothing repeats, and one run is measured by its steps and the other is not;
///  - other numbers of devices work, where no ranks tell them apart;
///  - operators that both runs have work on inputs of other sizes (of_other_sizes), and the request does not say by how
///    much; where their shapes do not tell, kernels that devices of one maker launch with other grids.
/// Throws Interrupted.
EqualCycles equal_cycles(const ComparedPair& pair, const CycleRequest& request, CancelFlag cancel = nullptr);

/// By how many calls of each function of a device a cycle of the abnormal run has over one of the normal run, where
/// both inputs state them by cycle: the median, if nine of ten of the functions that both have are within a tenth of
/// it, and they are three or more (judgement). Nothing where they do not agree. Throws Interrupted.
std::optional<double> common_call_ratio(const ComparedPair& pair, CancelFlag cancel = nullptr);

}  // namespace kdiag
