// SPDX-License-Identifier: Apache-2.0
// Reads one entry of `rules:`, one of its `tests:`, and one of `overrides:`.
#pragma once

#include "dsl/node_reader.hpp"
#include "engine/rule.hpp"

namespace kdiag {

/// Reads what can be read; all else is a diagnostic that names the rule.
Rule read_rule(const YamlNode& node, NodeReader& reader);

/// `params:` of a rule, a file or a define, which may have these keys.
std::vector<Param> read_params(const YamlNode& node, NodeReader& reader,
                               const std::vector<std::string_view>& keys = {"type", "default", "range", "doc"});

// Parts that overrides have too.
std::vector<SeverityTier> read_severity(const YamlNode& node, NodeReader& reader);
std::vector<Recommendation> read_recommend(const YamlNode& node, NodeReader& reader);
std::vector<Exception> read_except(const YamlNode& node, NodeReader& reader);

/// An entry of `overrides:`; K118 for what cannot be overridden. Nothing when it names no rule.
std::optional<Override> read_override(const YamlNode& node, NodeReader& reader);

/// All keys of a rule.
const std::vector<std::string_view>& rule_keys();

/// A test of a rule; `number` counts them from 1, for those without a name.
RuleTest read_test(const YamlNode& node, std::size_t number, NodeReader& reader);

/// Words of severities, for `choice`.
std::vector<std::pair<std::string_view, Severity>> severity_words();

}  // namespace kdiag
