// SPDX-License-Identifier: Apache-2.0
#include "dsl/file_diagnostics.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"

namespace kdiag {

void arrange(Diagnostics& diagnostics, std::size_t first, std::span<const SourcePtr> sources) {
  const auto place = [&](const Diagnostic& diagnostic) {
    const Span& span = diagnostic.labels.front().span;
    return std::pair(std::find(sources.begin(), sources.end(), span.source), span.offset);
  };
  std::stable_sort(diagnostics.begin() + static_cast<std::ptrdiff_t>(first), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  if (diagnostics.size() - first <= most_file_diagnostics) return;
  const std::size_t hidden = diagnostics.size() - first - most_file_diagnostics;
  const bool error = std::any_of(diagnostics.begin() + static_cast<std::ptrdiff_t>(first + most_file_diagnostics),
                                 diagnostics.end(), [](const Diagnostic& d) { return d.level == Level::error; });
  diagnostics.resize(first + most_file_diagnostics);
  diagnostics.push_back(make_diagnostic(error ? Level::error : Level::warning, error_id::file_limit,
                                        {sources.front(), 0, 0},
                                        std::to_string(hidden) + " more problems of this file are not shown"));
}

}  // namespace kdiag
