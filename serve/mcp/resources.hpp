// SPDX-License-Identifier: Apache-2.0
// Pages about rules, facts and the language, as resources.
#pragma once

#include <string>

#include "serve/mcp/workspace.hpp"
#include "serve/rpc/json.hpp"

namespace kdiag::serve::mcp {

/// Results of resources/list and resources/templates/list. Throws RequestError for a cursor that is none.
Json list_resources(const Workspace& workspace, const Json& params);
Json list_templates();
/// The result of resources/read; null when there is no such resource.
Json read_resource(const Workspace& workspace, const std::string& uri);

}  // namespace kdiag::serve::mcp
