// SPDX-License-Identifier: Apache-2.0
// What a YAML node has to be: a mapping, a list or a single value.
#pragma once

#include <string>
#include <string_view>

#include "dsl/yaml_tree.hpp"

namespace kdiag {

/// Whether the node is of the kind, else K110: "`rules` must be a list". `what` is a key, or a phrase such as "a rule
/// file". Invalid nodes, of which something was said already, fail silently.
bool expect_kind(const YamlNode& node, YamlNode::Kind wanted, std::string_view what, Diagnostics& diagnostics);

/// K110 of a node that is not what is `wanted`, "an expression"; nothing of an invalid one.
void refuse_kind(const YamlNode& node, std::string_view wanted, std::string_view what, Diagnostics& diagnostics);

/// "`when`" for a key, "a rule" for a phrase.
std::string shown(std::string_view what);

}  // namespace kdiag
