// SPDX-License-Identifier: Apache-2.0
// The waivers of a project file.
#pragma once

#include <vector>

#include "dsl/node_reader.hpp"
#include "engine/judge/policy.hpp"
#include "project/loaded_project.hpp"

namespace kdiag {

/// Reads a list of them; what has an error is left out.
std::vector<WrittenWaiver> read_waivers(const YamlNode& node, NodeReader& reader);

/// Checks their conditions and the rules that they name in terms of a set of rules. Errors are added to `diagnostics`:
/// K201 and others of expressions, K311.
LoadedWaivers check_waivers(const std::vector<WrittenWaiver>& written, const Shared<LoadedRules>& rules,
                            Diagnostics& diagnostics);

}  // namespace kdiag
