// SPDX-License-Identifier: Apache-2.0
// The part of two runs that a comparison looks at in detail: one device and its rank.
#pragma once

#include <cstdint>

#include <kdiag/report.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "engine/facts/match_runs.hpp"

namespace kdiag {

/// One run's half of the pair.
struct PairSide {
  const RunFacts* run = nullptr;
  std::uint32_t slot = 0;               ///< of the rank in FactStore::walls
  std::uint32_t device = absent_index;  ///< row; absent when no device matches
  const LedgerEntry* ledger = nullptr;  ///< of the device; null when there is none
  const FactStore& store() const { return *run->store; }
  const Wall& wall() const { return store().walls[slot]; }
};

struct ComparedPair {
  PairSide normal, abnormal;
  const RunMatch* match = nullptr;
};

/// The device whose rank has the longest wall, of those about as long the one with most work of its own, of all that
/// have a counterpart with a ledger of the same basis; of runs without any ledger, as tests of rules state them, the
/// first with a counterpart; else no device, and the rank whose walls are longest in both runs together. The others
/// wait for it or hide behind it: the longest wall is the run's (docs/time.md, "The window"). Both runs count alike,
/// each by its own longest wall, so that the same ranks are compared when the sides are swapped.
ComparedPair pair_of(const RunFacts& normal, const RunFacts& abnormal, const RunMatch& match);

}  // namespace kdiag
