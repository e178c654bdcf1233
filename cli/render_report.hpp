// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <kdiag/html.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

/// The report in the format and the colours that the user asked for. `judged`: the facts behind it, which a page shows.
std::string render_report(const Options& options, const Report& report, HtmlOptions judged);

}  // namespace kdiag::cli
