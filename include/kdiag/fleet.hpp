// SPDX-License-Identifier: Apache-2.0
// Many ranks judged as one: a summary of each rank's trace, and the run that summaries are together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

/// What the judgement of many ranks needs of traces, and what they were read as.
struct Summary {
  std::string bytes;               ///< of a file that is an input like any other
  std::vector<InputEntry> inputs;  ///< the traces, with the notes on them; the file holds these notes, too
};

/// A facts file of steps, collectives, activities, totals by name, clocks by step, identity and what `rules` find in
/// the trace, packed by Zstandard with a checksum (docs/fleet.md). About ten bytes a collective, however long the trace
/// is. The bytes do not depend on how the trace is called. Whole traces: a scope of the options does not apply. A
/// summary of a summary keeps its findings. Errors: as those of load_traces; K695 where no step, collective, kernel or
/// copy was read, which would pass for a rank of which all is well.
///
/// Example:
///     const std::string trace[] = {"rank0.json.gz"};
///     auto file = kdiag::summarize(trace);  // load_traces() of its bytes has the same steps and collectives
KDIAG_API Result<Summary> summarize(std::span<const std::string> paths, const RuleSet& rules,
                                    const LoadOptions& options = {});
/// The same by the built-in rules, which are loaded for it.
KDIAG_API Result<Summary> summarize(std::span<const std::string> paths, const LoadOptions& options = {});

/// A rank's recording, or its summary.
struct FleetMember {
  std::string path;
  std::string name;                 ///< its path below the folder that was given; of a file that was given its own
  std::vector<std::string> inputs;  ///< of which its summary is made; none where it is one
};

struct FleetMembers {
  std::vector<FleetMember> members;     ///< in the order of numbers: rank2 before rank10
  std::vector<std::string> unreadable;  ///< what cannot be looked at, and why: "job/gone.kds: not readable"
  std::vector<std::string> skipped;     ///< what of folders is no file of a rank: "job: hidden: 1 (.git)"
};

/// Which files of a job are ranks: files as they are, and what is in folders. Files whose names end in .kds are
/// summaries, wherever below a folder they are. Other files of a folder are a recording each; a folder in it that holds
/// such is one recording with all below it. Links are followed, each file counts once, and a folder holds at most
/// 100,000. No error: what cannot be read is said.
KDIAG_API FleetMembers fleet_members(std::span<const std::string> paths);

/// Whether a file is a whole summary: it is read to its end, and compared with its checksum.
KDIAG_API bool holds_summary(const std::string& path);

/// How a fleet is loaded.
struct FleetOptions {
  LoadOptions load;
  unsigned jobs = 0;  ///< traces that are summarised at a time; 0: as many as the machine has cores, at most 8
};

/// The facts of a fleet, and which files had no part in them.
struct Fleet {
  Facts facts;
  std::vector<std::string> copies;      ///< summaries of the same bytes as one before them: each counts once
  std::vector<std::string> unreadable;  ///< what could not be read or summarised, and why: "rank7.json: ..."
  std::vector<std::string> skipped;     ///< what of folders is no file of a rank: "job: hidden: 1 (.git)"
};

/// Loads the ranks of a job (fleet_members). Recordings are summarised first, so that memory holds as many traces as
/// there are jobs. The result does not depend on the order of the files, nor on how many jobs there are.
/// Errors: as those of load_traces.
///
/// Example:
///     const std::string folder[] = {"summaries/"};
///     auto fleet = kdiag::load_fleet(folder);
///     if (fleet) std::cout << kdiag::to_text(kdiag::diagnose(fleet->facts, *rules));
KDIAG_API Result<Fleet> load_fleet(std::span<const std::string> paths, const FleetOptions& options = {});

}  // namespace kdiag
