// SPDX-License-Identifier: Apache-2.0
// Decides which fragments are one run: docs/inputs.md, "What is one run".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/report.hpp>

#include "ingest/capture.hpp"

namespace kdiag {

/// The fragments that are one run, ready to be built.
struct AssembledRun {
  std::string label;
  std::vector<Fragment> fragments;
  std::vector<std::size_t> origins;   ///< the input of each fragment
  std::vector<std::size_t> captures;  ///< of each fragment; those with the same number are views of one recording
  std::vector<std::size_t> inputs;    ///< ascending, without duplicates
  bool samples_aligned = true;
};

struct Assembly {
  std::vector<AssembledRun> runs;                        ///< in order of their first fragment
  std::vector<std::pair<std::size_t, NoteEntry>> notes;  ///< by input: why it is where it is
};

/// Runs of one input that are built and judged at a time: each costs as much as all rules, however small it is, and
/// nobody reads a report of more (judgement). Many files given are many runs by their user's will.
inline constexpr std::size_t most_runs = 1000;

/// Of all inputs together, archives of many members among them (judgement: half a minute and 1 GB where they are
/// empty).
inline constexpr std::size_t most_runs_together = 10'000;

/// K761 of inputs that hold more together, else of the input that holds most, where that is more; none where every
/// input holds at most `most_runs`.
std::optional<Diagnostic> too_many_runs(const Assembly& assembly);

/// Groups fragments (in input order) into runs. Files of one recording belong together (gather_captures); what they say
/// twice merge_views takes out. Another rank joins the first run that has not that rank yet and
/// whose times overlap or cannot be compared; anything else starts another run, with a note that says why.
/// Telemetry joins every run that it overlaps, copied when there are several; when its times cannot be compared it
/// joins the only run there is, marked as not aligned. Local times without a zone are moved to UTC if one offset
/// alone fits.
Assembly assemble(std::vector<SourceFragment> fragments);

}  // namespace kdiag
