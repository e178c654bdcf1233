// SPDX-License-Identifier: Apache-2.0
// What whoever starts the server decides; no caller changes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace kdiag::serve::mcp {

/// A page of the command's own help: "language".
struct Page {
  std::string name, about, text;
};

struct McpOptions {
  std::vector<std::string> roots;  ///< folders that may be read; none: the working directory
  LoadOptions load;                ///< limits.bytes: for all traces that are held together
  RuleOptions rule_options;
  std::vector<std::string> rules;  ///< rule files that judge beside the built-in rules
  std::int64_t most_ms = 60'000;   ///< that a call may take (judgement); 0: no limit
  std::vector<Page> pages;
};

}  // namespace kdiag::serve::mcp
