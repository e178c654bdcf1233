// SPDX-License-Identifier: Apache-2.0
// One run beside another, measured: its cycles, its work, and whether both may be compared.
#pragma once

#include <string_view>

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/comparability.hpp"
#include "engine/compare/cycles/cycle_scope.hpp"
#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/cycles/pair.hpp"
#include "engine/compare/equal_cycles.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/compare/work.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/facts/match_runs.hpp"

namespace kdiag {

/// Refers to both runs, which must outlive it.
struct SideBySide {
  /// Throws Interrupted.
  SideBySide(const RunFacts& before, const RunFacts& after, const CycleRequest& request, CancelFlag cancel)
      : match(*after.store, *before.store, cancel),
        pair(pair_of(before, after, match)),
        equal(equal_cycles(pair, request, cancel)),
        counts(counts_of(equal.cycles)),
        scope(pair, equal.cycles, cancel),
        work(work_of(scope.pair(), equal.cycles, cancel)),
        cycle(compare_cycles(equal.cycles, cancel)),
        comparability(comparability_of(scope.pair(), work, counts, cancel)) {}

  bool same_program() const { return !equal.obstacle && comparability.score > least_comparability; }

  RunMatch match;
  ComparedPair pair;
  EqualCycles equal;
  CycleCounts counts;
  CycleScope scope;
  Work work;
  CycleEntry cycle;
  ComparabilityEntry comparability;
};

}  // namespace kdiag
