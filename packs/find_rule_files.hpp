// SPDX-License-Identifier: Apache-2.0
// Packs, rule files and test files behind the paths that a user or a rule file gives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "dsl/pack_tree.hpp"

namespace kdiag {

/// The file that makes a folder a pack.
inline constexpr std::string_view pack_file_name = "pack.yaml";

struct FoundRuleFiles {
  std::vector<PackSource> rules;
  std::vector<SourcePtr> tests;      ///< test files of their own, not those of one rule
  std::vector<std::string> skipped;  ///< YAML files in folders that are neither
};

/// Reads files as given, and of folders every *.yaml and *.yml below them that holds rules or tests, in the order of
/// their names; hidden ones are passed over, and no file is read twice. A folder with a pack.yaml is one pack. Who
/// names a rule file of it, or the tests of one, gets the pack in which that rule is wanted, since rules of a pack
/// refer to each other. A host's files have no folders: of a pack those are read that the host names, and the pack.yaml
/// beside them. K100 is added for what cannot be read. Throws Interrupted soon after `options.cancel` was set.
FoundRuleFiles find_rule_files(std::span<const std::string> paths, Diagnostics& diagnostics,
                               const RuleOptions& options);

/// The same of a path that a rule file names: only what lies below that folder is read beside it.
FoundRuleFiles find_imported(const std::string& path, Diagnostics& diagnostics, const RuleOptions& options);

}  // namespace kdiag
