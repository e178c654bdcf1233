// SPDX-License-Identifier: Apache-2.0
// Many ranks judged as one: a summary of each rank's trace, and the run that summaries are together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

/// What the judgement of many ranks needs of traces, as the bytes of a file that is an input like any other: a facts
/// file of steps, collectives, activities, totals by name and identity, packed by Zstandard with a checksum
/// (docs/fleet.md). About ten bytes a collective, however long the trace is. Whole traces: a scope of the options does
/// not apply. Errors: as those of load_traces; K695 where no step, collective, kernel or copy was read, which would
/// pass for a rank of which all is well.
///
/// Example:
///     const std::string trace[] = {"rank0.json.gz"};
///     auto file = kdiag::summarize(trace);  // to be written: load_traces() of it has the same steps and collectives
KDIAG_API Result<std::string> summarize(std::span<const std::string> paths, const LoadOptions& options = {});

/// How a fleet is loaded.
struct FleetOptions {
  LoadOptions load;
  unsigned jobs = 0;  ///< traces that are summarised at a time; 0: as many as the machine has cores, at most 8
};

/// The facts of a fleet, and which files had no part in them.
struct Fleet {
  Facts facts;
  std::vector<std::string> copies;      ///< summaries of the same bytes as one before them: each counts once
  std::vector<std::string> unreadable;  ///< traces that could not be summarised, and why: "rank7.json: ..."
};

/// Loads the ranks of a job: files, or folders of them, each the recording of one rank or a summary. Files whose names
/// end in .kds are summaries and taken as they are; all others are summarised first, so that memory holds as many
/// traces as there are jobs. A folder's folders are recordings of several files. The result does not depend on the
/// order of the files, nor on how many jobs there are.
/// Errors: as those of load_traces.
///
/// Example:
///     const std::string folder[] = {"summaries/"};
///     auto fleet = kdiag::load_fleet(folder);
///     if (fleet) std::cout << kdiag::to_text(kdiag::diagnose(fleet->facts, *rules));
KDIAG_API Result<Fleet> load_fleet(std::span<const std::string> paths, const FleetOptions& options = {});

}  // namespace kdiag
