// SPDX-License-Identifier: Apache-2.0
// Reads the rule files that belong together: the built-in packs, the named files, and what they import.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "dsl/pack_tree.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// How many files may import each other in a chain (judgement).
inline constexpr std::size_t deepest_import = 32;

struct RuleFiles {
  /// Built-in packs first, but for those of which a named one is another version (the same folder name, pack name and
  /// rules); then the named files in their order, each behind those that it imports and that were not read before. No
  /// file twice.
  std::vector<std::shared_ptr<const RuleFile>> files;
  Diagnostics diagnostics;  ///< of reading, K1xx, K4xx and K74x
  Diagnostics style;        ///< notes for authors: K744 which rules run Lua
};

// These throw Interrupted soon after `options.cancel` was set, in the middle of a file too.

/// Files and folders by path; without paths the built-in packs alone.
RuleFiles read_rule_files(std::span<const std::string> paths, const RuleOptions& options);
/// Packs that were read already, beside the built-in packs; of these, those keep their rules of which `keep` says so.
RuleFiles read_rule_sources(std::span<const PackSource> sources,
                            const std::function<bool(std::string_view pack_file)>& keep, const RuleOptions& options);
/// One file from memory, called `name`. It can import `std` only: it has no folder.
RuleFiles read_rule_text(std::string_view name, std::string_view text, const RuleOptions& options);

}  // namespace kdiag
