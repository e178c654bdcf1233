// SPDX-License-Identifier: Apache-2.0
// Where something stands, for reports.
#pragma once

#include <string>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// "kdiag.yaml:12"
inline std::string place_of(const Span& span) {
  return span.source->name + ":" + std::to_string(position_of(*span.source, span.offset).line);
}

}  // namespace kdiag
