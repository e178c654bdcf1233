// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/workspace.hpp"

#include <utility>

#include "serve/mcp/tool_error.hpp"

namespace kdiag::serve::mcp {

Workspace::Workspace(McpOptions chosen)
    : options(std::move(chosen)), roots(options.roots), traces(roots, options.load) {
  Result<RuleSet> loaded =
      options.rules.empty() ? builtin_rules(options.rule_options) : load_rules(options.rules, options.rule_options);
  if (!loaded) throw ToolError(loaded.error());
  own_ = std::move(*loaded);
}

RuleOptions Workspace::rule_options(const std::atomic<bool>& stop) const {
  RuleOptions out = options.rule_options;
  out.cancel = &stop;
  return out;
}

RuleSet Workspace::rules(const std::vector<std::string>& files, const std::atomic<bool>& stop) const {
  if (files.empty()) return *own_;
  std::vector<std::string> all = options.rules;
  for (const std::string& file : files) all.push_back(roots.resolve(file));
  Result<RuleSet> loaded = load_rules(all, rule_options(stop));
  if (!loaded) throw ToolError(loaded.error());
  return std::move(*loaded);
}

}  // namespace kdiag::serve::mcp
