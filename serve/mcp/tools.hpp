// SPDX-License-Identifier: Apache-2.0
// The tools of the server.
#pragma once

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

#include "serve/mcp/arguments.hpp"
#include "serve/mcp/workspace.hpp"
#include "serve/rpc/json.hpp"

namespace kdiag::serve::mcp {

/// One call of a tool.
struct Call {
  const Arguments& arguments;
  std::atomic<bool>& stop;
  LoadProgress* progress = nullptr;
};

struct Tool {
  std::string_view name, title, what;
  std::span<const Argument> arguments;
  Json (*output_schema)();  ///< of structuredContent
  /// The result. Throws ToolError.
  Json (*call)(Workspace& workspace, const Call& call);
};

/// In the order in which they are of use.
std::span<const Tool> tools();
/// As tools/list describes it.
Json description_of(const Tool& tool);

// A file each: what its tools do.
extern const Tool diagnose_tool, fleet_tool, compare_tool, explain_tool, query_tool, facts_tool, plan_tool,
    rules_check_tool, rules_test_tool;

}  // namespace kdiag::serve::mcp
