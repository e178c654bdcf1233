// SPDX-License-Identifier: Apache-2.0
// Everything that the page shows, as one JSON document for its scripts. No interface: page and scripts are of one
// build.
#pragma once

#include <string>
#include <vector>

#include <kdiag/html.hpp>

#include "report/html/lanes.hpp"
#include "report/html/page_limits.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// A run of the report and what there is of its facts.
struct PageRun {
  RunView view;
  std::optional<RunColumns> columns;
  std::optional<Lanes> lanes;
};

/// Throws Interrupted. The options must outlive the result.
std::vector<PageRun> page_runs(const Report& report, const HtmlOptions& options);

std::string page_data(const Report& report, const std::vector<PageRun>& runs, const PageLimits& limits,
                      CancelFlag stop);

}  // namespace kdiag::report
