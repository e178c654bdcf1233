// SPDX-License-Identifier: Apache-2.0
// Reads tests, those inside rules and those of test files.
#pragma once

#include <cstddef>

#include "dsl/node_reader.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

/// One entry of `tests:`. `number` counts them from 1, for those without a name; `rule` is the one that the test stands
/// in, which then need not be named, and is empty in test files. Errors name their places: K110-K114, K222, K322.
RuleTest read_test(const YamlNode& node, std::size_t number, const Reference& rule, NodeReader& reader);

}  // namespace kdiag
