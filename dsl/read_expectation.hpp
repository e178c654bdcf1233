// SPDX-License-Identifier: Apache-2.0
// Reads what a test expects of rules.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "dsl/node_reader.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

/// `expect:`: the word of an outcome (inside a rule), or findings and outcomes by rule. `rule` is the one that the test
/// stands in; empty in test files. An empty list of findings forbids all. K322 when two parts contradict each other.
Expectation read_expectation(const YamlNode& node, const Reference& rule, NodeReader& reader);

/// `impact: [low, high]` of a finding, in ns. K222 unless both are times, K322 when they are in the wrong order.
std::optional<std::pair<std::int64_t, std::int64_t>> read_impact(const YamlNode& node, NodeReader& reader);

}  // namespace kdiag
