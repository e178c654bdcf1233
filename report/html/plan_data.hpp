// SPDX-License-Identifier: Apache-2.0
// What the page of a plan holds.
#pragma once

#include <string>

#include <kdiag/report.hpp>

#include "base/interrupt.hpp"
#include "report/html/page_limits.hpp"

namespace kdiag::report {

/// The plan of a report as JSON: recordings with what they settle, and the rules that none settles.
std::string plan_data(const Report& report, const PageLimits& limits, CancelFlag stop);

}  // namespace kdiag::report
