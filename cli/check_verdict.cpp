// SPDX-License-Identifier: Apache-2.0
#include "cli/check_verdict.hpp"

#include <algorithm>

#include <kdiag/tools.hpp>

namespace kdiag::cli {
namespace {

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string verdict(std::size_t files, const Diagnostics& diagnostics) {
  const std::size_t errors = count_of(Level::error, diagnostics);
  const std::size_t warnings = count_of(Level::warning, diagnostics);
  return counted(files, "file") + ": " + (errors == 0 ? "no errors" : counted(errors, "error")) + ", " +
         (warnings == 0 ? "no warnings" : counted(warnings, "warning"));
}

}  // namespace

std::size_t count_of(Level level, const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(), [level](const Diagnostic& d) { return d.level == level; }));
}

std::string render_check(const Options& options, std::size_t files, const Diagnostics& diagnostics) {
  switch (options.format) {
    case Format::json: return to_json(diagnostics);
    case Format::sarif: return to_sarif(diagnostics);
    case Format::github: return to_github(diagnostics);
    default: return verdict(files, diagnostics);
  }
}

}  // namespace kdiag::cli
