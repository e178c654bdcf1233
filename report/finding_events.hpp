// SPDX-License-Identifier: Apache-2.0
// Findings as events of the Trace Event Format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>

namespace kdiag::report {

/// A process "kdiag" with a row for each finding and its intervals on it, an event a line, commas between them. Times
/// are counted from `base_ns`. A finding without intervals stands over the window that was judged, which the facts
/// know; without them it is left out. Empty where there is no finding.
std::string finding_events(const Report& report, const std::optional<Facts>& facts, std::int64_t base_ns);

}  // namespace kdiag::report
