// SPDX-License-Identifier: Apache-2.0
// What to record next: the fewest recordings that settle the rules which could not tell.
#pragma once

#include <string>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

/// One recording that a person can make.
struct PlannedRecording {
  std::string how;                   ///< the tool and what to switch on: "torch.profiler with record_shapes=True"
  std::string command;               ///< what to run, or to put into the program; may have several lines
  std::string overhead;              ///< what it does to the program, as the documentation of the tool says
  std::string size;                  ///< of the file; empty: not known
  std::string source;                ///< who says so
  std::vector<std::string> facts;    ///< missing ones that it brings
  std::vector<std::string> settles;  ///< rules that lack nothing more once this and those before it are there
  friend bool operator==(const PlannedRecording&, const PlannedRecording&) = default;
};

/// A rule that no recording settles.
struct OpenRule {
  std::string rule, reason;
  friend bool operator==(const OpenRule&, const OpenRule&) = default;
};

/// What one run, or several that lack the same, need.
struct RunPlan {
  std::vector<std::string> runs;             ///< ids
  std::vector<PlannedRecording> recordings;  ///< the one that settles most rules first
  std::vector<OpenRule> open;
};

struct RecordingPlan {
  std::vector<RunPlan> runs;  ///< those with rules that could not tell
};

/// The plan of a report, for people; of TextOptions width, colour, ASCII and cancel count.
KDIAG_API std::string plan_text(const Report& report, const TextOptions& options = {});
/// As one JSON document, schema "kdiag.plan/1".
KDIAG_API std::string plan_json(const Report& report, const std::atomic<bool>* cancel = nullptr);
KDIAG_API std::string plan_markdown(const Report& report, const std::atomic<bool>* cancel = nullptr);
/// As a page for a browser, of the kind of to_html().
KDIAG_API std::string plan_html(const Report& report, const std::atomic<bool>* cancel = nullptr);

}  // namespace kdiag
