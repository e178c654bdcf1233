// SPDX-License-Identifier: Apache-2.0
// Reads rule files: YAML -> RuleFile, with every error of the file at once.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <kdiag/error_ids.hpp>
#include <kdiag/result.hpp>

#include "base/interrupt.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

struct PackSource;
struct YamlNode;
struct KeptTrees;

/// Whether a text is `area.name`, each part kebab-case.
bool is_rule_id(std::string_view text);

/// Reads a file's text; error_id::unreadable_file when it is missing, a directory, not readable or larger than a rule
/// file may be. `what` the file is, for the message. Throws Interrupted soon after `cancel` was set.
Result<SourcePtr> read_rule_source(const std::string& path, std::string_view what = "rule file",
                                   CancelFlag cancel = nullptr);

/// The same of a text that was read already.
Result<SourcePtr> rule_source(const std::string& path, std::string text, std::string_view what = "rule file");

/// error_id::unreadable_file: the file cannot be read, and why.
Diagnostic unreadable(const std::string& path, std::string_view why, std::string_view what = "rule file");

/// Reads a rule file, or a pack that is a folder, as far as it can be understood; names and types in expressions are
/// not looked at, and imports are not followed. Errors and warnings, K1xx, K220, K221 and K410, are added to
/// `diagnostics`; an expression with an error has no tree. Of a pack whose `engine:` does not admit `version`, such as
/// "0.1.0", nothing but its YAML is looked at, since a newer pack may say things that an older kdiag does not know: the
/// file is empty, and K411 says so. Without a version every pack is read. Throws Interrupted soon after `cancel` was
/// set.
RuleFile parse_rule_file(const PackSource& source, Diagnostics& diagnostics, std::string_view version = {},
                         CancelFlag cancel = nullptr, KeptTrees* kept = nullptr);
RuleFile parse_rule_file(const SourcePtr& source, Diagnostics& diagnostics, std::string_view version = {},
                         CancelFlag cancel = nullptr);

/// The same of a file or a pack whose YAML is known: `root` is the tree of its texts (dsl/pack_tree.hpp).
RuleFile read_rule_file(const YamlNode& root, std::span<const SourcePtr> sources, Diagnostics& diagnostics,
                        std::string_view version = {}, CancelFlag cancel = nullptr);

/// One rule of a file whose YAML is known, without what the file gives all its rules.
Rule read_rule_alone(const YamlNode& rule, Diagnostics& diagnostics);

}  // namespace kdiag
