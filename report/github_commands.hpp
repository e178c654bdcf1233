// SPDX-License-Identifier: Apache-2.0
// Workflow commands of GitHub Actions, which become annotations of a run and of the lines of a change.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/diagnostic.hpp>

namespace kdiag::report {

struct Annotation {
  std::string_view level;  ///< error, warning, notice
  std::string file;        ///< empty: none
  std::optional<std::pair<Position, Position>> range = {};
  std::size_t line = 0;  ///< in the place of a range; 0: not known
  std::string title, message;
};

/// One line: `::error file=t.yaml,line=3,col=9,endLine=3,endColumn=12,title=K301::message`.
std::string workflow_command(const Annotation& annotation);

}  // namespace kdiag::report
