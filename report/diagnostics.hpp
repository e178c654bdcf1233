// SPDX-License-Identifier: Apache-2.0
// Diagnostics for programs: JSON, SARIF and the annotations of GitHub. Text for people is `render`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <kdiag/diagnostic.hpp>

namespace kdiag::report {

/// What a code means in general; empty texts when it is not known.
struct CodeDescription {
  std::string_view title, explanation;
};
using DescribeCode = std::function<CodeDescription(std::string_view code)>;

/// One document of the schema "kdiag.diagnostics/1"; docs/tools.md says what each key means.
std::string diagnostics_json(const Diagnostics& diagnostics, std::string_view version);

/// SARIF 2.1.0 (OASIS). Rules are the codes that occur; columns count code points.
std::string diagnostics_sarif(const Diagnostics& diagnostics, std::string_view version, const DescribeCode& describe);

/// One workflow command of GitHub Actions a line: `::error
/// file=t.yaml,line=3,col=9,endLine=3,endColumn=12,title=K301::message`.
std::string diagnostics_github(const Diagnostics& diagnostics);

}  // namespace kdiag::report
