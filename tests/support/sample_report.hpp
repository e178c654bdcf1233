// SPDX-License-Identifier: Apache-2.0
// Reports built by hand, for tests of the renderers.
#pragma once

#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

namespace kdiag::tests {

struct SampleReport {
  std::string_view name;  ///< of its golden files
  Report (*make)();
};

/// All samples: what a renderer must be able to print.
const std::vector<SampleReport>& sample_reports();

/// Adds a plan with a recording for each that outcomes name, as a diagnosis makes one.
void add_plan(Report& report);

Report two_runs_report();    ///< two runs of a TensorBoard document, the first stalls on aten::item
Report empty_report();       ///< no input held a run
Report clean_report();       ///< a timeline without a fault
Report blind_report();       ///< telemetry only: nothing can be told
Report telemetry_report();   ///< two devices of telemetry alone, one works and one idles
Report records_report();     ///< what a log recorded of a run that has no account of time
Report work_report();        ///< operations of two devices against their peaks
Report serial_report();      ///< a kernel table: durations, no clock
Report hostile_report();     ///< names that attack terminals, Markdown, JSON and URIs
Report crowded_report();     ///< more findings than a glance can take
Report cluster_report();     ///< eight ranks, one straggler, a shared cause
Report comparison_report();  ///< of those two runs, the stall gone
Report waived_report();      ///< findings that are accepted, known and new
Report damaged_report();     ///< a truncated trace, an unreadable one and a rule that failed

}  // namespace kdiag::tests
