// SPDX-License-Identifier: Apache-2.0
// Where tools that show results beside files show a finding: none of them takes a result without a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <kdiag/report.hpp>

namespace kdiag::report {

/// What stands for the rule of a regression, which is a result of its own.
inline constexpr std::string_view regression_id = "compare.regression";

struct ShownPlace {
  std::string file;
  std::int64_t line = 1;
};

/// The user's code where it is known, else the trace of the run, at its first line.
ShownPlace shown_place(const Report& report, const Finding& finding);

/// The first input of a run; where the run has none, of the report.
ShownPlace place_of_run(const Report& report, const std::string& run);

}  // namespace kdiag::report
