// SPDX-License-Identifier: Apache-2.0
// Reads one entry of `rules:`.
#pragma once

#include "dsl/node_reader.hpp"
#include "engine/rule.hpp"

namespace kdiag {

/// Reads what can be read; all else is a diagnostic that names the rule.
Rule read_rule(const YamlNode& node, NodeReader& reader);

/// `params:` of a rule or a file.
std::vector<Param> read_params(const YamlNode& node, NodeReader& reader);

/// Words of severities, for `choice`.
std::vector<std::pair<std::string_view, Severity>> severity_words();

}  // namespace kdiag
