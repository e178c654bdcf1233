// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"

namespace kdiag::cli {

/// The report in the format and the colours that the user asked for.
std::string render_report(const Options& options, const Report& report);

}  // namespace kdiag::cli
