// SPDX-License-Identifier: Apache-2.0
// What a Facts handle holds: the runs and the inputs they came from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

struct RunFacts {
  std::string id;     ///< "A", "B", ...: unique among the runs, in input order
  std::string label;  ///< worker, file or run number, for people
  std::shared_ptr<const FactStore> store;
  /// What inputs themselves state, each with the index of its input: facts files carry the notes of their trace.
  std::vector<std::pair<std::size_t, NoteEntry>> stated_notes;
  std::vector<std::size_t> inputs;  ///< indices into LoadedFacts::inputs
  std::vector<LedgerEntry> ledger;  ///< where the time went, by device
};

struct LoadedFacts {
  std::vector<InputEntry> inputs;
  std::vector<RunFacts> runs;
  double read_seconds = 0, derive_seconds = 0;  ///< what reading the inputs, and making runs of them, took
};

/// "A", "B", ..., "Z", "AA", ...
std::string run_id(std::size_t index);

}  // namespace kdiag
