// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/tools.hpp"

#include <nlohmann/json.hpp>

namespace kdiag::serve::mcp {

std::span<const Tool> tools() {
  static const Tool all[] = {plan_tool,  diagnose_tool, fleet_tool,       explain_tool,   query_tool,
                             facts_tool, compare_tool,  rules_check_tool, rules_test_tool};
  return all;
}

Json description_of(const Tool& tool) {
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.what},
          {"inputSchema", schema_of(tool.arguments)},
          {"outputSchema", tool.output_schema()},
          {"annotations", {{"readOnlyHint", true}, {"idempotentHint", true}, {"openWorldHint", false}}}};
}

}  // namespace kdiag::serve::mcp
