// SPDX-License-Identifier: Apache-2.0
// Lua in rule files: files that are one rule, and the scripts that rules in YAML name.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <kdiag/kdiag.hpp>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// Whether a rule file is a rule in Lua: its name ends in `.lua`.
bool is_lua_rule(std::string_view path);

/// Whether a script that somebody found in a folder is a rule of its own, by its keys `id` and `title`. Those that a
/// rule in YAML names have neither.
bool states_rule(std::string_view script);

class RuleScripts {
 public:
  /// Errors go to `diagnostics`, notes that a rule runs Lua to `style`.
  RuleScripts(const RuleOptions& options, Diagnostics& diagnostics, Diagnostics& style)
      : options_(options), diagnostics_(diagnostics), style_(style) {}

  /// A rule file that is a rule in Lua. K741 to K743.
  RuleFile read(const SourcePtr& source);

  /// Gives the rules of a file the scripts that they name, by paths relative to its folder. K740 to K743. A rule
  /// without its script is dropped: an error says why, or it is a built-in one and Lua is off.
  void attach(RuleFile& file, const std::optional<std::filesystem::path>& folder);

 private:
  std::shared_ptr<const Script> script_of(const Rule& rule, bool builtin,
                                          const std::optional<std::filesystem::path>& folder);
  bool allowed(const Span& place, std::string_view rule);
  void note(const Span& place, std::string_view rule);

  RuleOptions options_;
  Diagnostics& diagnostics_;
  Diagnostics& style_;
};

}  // namespace kdiag
