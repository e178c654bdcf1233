// SPDX-License-Identifier: Apache-2.0
#include "base/distinct_diagnostics.hpp"

#include <cstddef>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace kdiag {

Diagnostics distinct(Diagnostics diagnostics) {
  std::set<std::tuple<std::string_view, const Source*, std::size_t, std::string_view>> told;
  Diagnostics out;
  out.reserve(diagnostics.size());  // what is told of points into it
  for (Diagnostic& diagnostic : diagnostics) {
    const Span place = diagnostic.labels.empty() ? Span{} : diagnostic.labels.front().span;
    const Diagnostic& kept = out.emplace_back(std::move(diagnostic));
    if (!told.emplace(kept.id, place.source.get(), place.offset, kept.title).second) out.pop_back();
  }
  return out;
}

}  // namespace kdiag
