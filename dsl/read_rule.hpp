// SPDX-License-Identifier: Apache-2.0
// Reads one entry of `rules:` and one of `overrides:`.
#pragma once

#include "dsl/file_keys.hpp"
#include "dsl/node_reader.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// Reads what can be read; all else is a diagnostic that names the rule.
Rule read_rule(const YamlNode& node, NodeReader& reader);

/// `params:` of a rule, a file or a define, which may have these keys.
std::vector<Param> read_params(const YamlNode& node, NodeReader& reader, const KeyGroup& keys = file_keys::param);

// Parts that overrides have too.
/// `severity:`: a list of `word: condition` and ladders, one word that always holds, or one ladder.
std::vector<SeverityTier> read_severity(const YamlNode& node, NodeReader& reader);
std::vector<Recommendation> read_recommend(const YamlNode& node, NodeReader& reader);
std::vector<Exception> read_except(const YamlNode& node, NodeReader& reader);

/// `ladders:` of a file.
std::vector<SeverityLadder> read_ladders(const YamlNode& node, NodeReader& reader);

/// An entry of `overrides:`; K118 for what cannot be overridden. Nothing when it names no rule.
std::optional<Override> read_override(const YamlNode& node, NodeReader& reader);

// Words and what they mean, for `choice`.
std::vector<std::pair<std::string_view, Severity>> severity_words();
std::vector<std::pair<std::string_view, RuleRole>> role_words();
std::vector<std::pair<std::string_view, RuleStatus>> status_words();
std::vector<std::pair<std::string_view, Outcome>> outcome_words();

}  // namespace kdiag
