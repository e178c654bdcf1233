// SPDX-License-Identifier: Apache-2.0
// What a plan of recordings says, the same words in text and Markdown; unescaped.
#pragma once

#include <string>
#include <vector>

#include <kdiag/plan.hpp>

#include "report/phrases/phrases.hpp"

namespace kdiag::report {

/// "7 rules cannot tell. 2 recordings settle 6 of them." With the runs where there are several.
std::string plan_summary(const Report& report, const RunPlan& plan);

/// "settles 3 rules"; of one whose facts settle nothing without those of later recordings, that these need it.
std::string settles_phrase(const PlannedRecording& recording);
/// What a recording does to the program and to the disk, and who says so; empty: nothing is known.
std::string cost_phrase(const PlannedRecording& recording);

/// What it brings, two facts at most.
std::vector<MissingEntry> missing_of(const PlannedRecording& recording);

/// Its command, else in words what to record: lines of code are left to the plan.
std::string recording_phrase(const PlannedRecording& recording);

/// What the report says of the best recording: "missing sm_clock samples. Record: nvidia-smi ...".
std::string best_recording_phrase(const PlannedRecording& recording);

}  // namespace kdiag::report
