// SPDX-License-Identifier: Apache-2.0
// The comparison of two runs as Markdown.
#pragma once

#include <string>

#include <kdiag/report.hpp>

namespace kdiag::report {

/// All of it, in tables. Those of cycles and functions have the columns of LatencyPrism's strict comparison, so that
/// who reads its reports (kdiag among them) reads these.
std::string comparison_text(const Report& report);

}  // namespace kdiag::report
