// SPDX-License-Identifier: Apache-2.0
// Turns the batches of one or several inputs into the FactStore of one run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// What one input says of one run: the unit from which runs are assembled.
struct Fragment {
  RunInfo info;
  std::string adapter;                                   ///< provider of its columns
  std::string input;                                     ///< name of the input
  std::vector<std::pair<std::uint64_t, Batch>> batches;  ///< in any order; built in order of the number
  std::int64_t time_shift = 0;                           ///< added to every instant: alignment of clocks
};

/// Whether free pages of the heap are given back to the system meanwhile, for which the whole process waits.
enum class HeapPages : std::uint8_t { keep, release };

/// How the facts of a run are built, which does not change what they are.
struct BuildOptions {
  CancelFlag cancel = nullptr;  ///< once it is true, Interrupted is thrown
  HeapPages pages = HeapPages::keep;
  unsigned threads = 1;  ///< 0: as parallel_for
};

/// Concatenates the fragments in their order; entities are merged by key, and belong to their fragment's rank
/// unless the adapter named another. Consumes the batches column by column, so that the peak stays near the
/// size of the result.
FactStore build_facts(std::vector<Fragment> fragments, const BuildOptions& options = {});

}  // namespace kdiag
