// SPDX-License-Identifier: Apache-2.0
// Diagnostics for programs: the renderers of report/ with what the codes mean.
#include <kdiag/tools.hpp>

#include "base/diagnostic_table.hpp"
#include "report/diagnostics.hpp"

namespace kdiag {

std::string to_json(const Diagnostics& diagnostics) { return report::diagnostics_json(diagnostics, version()); }

std::string to_sarif(const Diagnostics& diagnostics) {
  return report::diagnostics_sarif(diagnostics, version(), [](std::string_view code) {
    const DiagnosticInfo* info = diagnostic_info(code);
    return info == nullptr ? report::CodeDescription{} : report::CodeDescription{info->title, info->explanation};
  });
}

std::string to_github(const Diagnostics& diagnostics) { return report::diagnostics_github(diagnostics); }

}  // namespace kdiag
