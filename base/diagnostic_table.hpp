// SPDX-License-Identifier: Apache-2.0
// Every id that a diagnostic of rules can have. Ids are stable for ever and never reused.
#pragma once

#include <span>
#include <string_view>

namespace kdiag {

struct DiagnosticInfo {
  std::string_view id;           ///< K1xx YAML and syntax, K2xx types and units, K3xx names, K4xx lint
  std::string_view title;        ///< what is wrong, in general
  std::string_view explanation;  ///< why it matters and what to do, one or two sentences
};

/// In order of their ids. docs/errors.md has a section for each.
std::span<const DiagnosticInfo> diagnostic_table();

/// The row of an id; nullptr when there is none.
const DiagnosticInfo* diagnostic_info(std::string_view id);

}  // namespace kdiag
