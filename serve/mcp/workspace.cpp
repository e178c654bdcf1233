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

RuleSet Workspace::load(const std::vector<std::string>& files, const RuleOptions& chosen) const {
  std::vector<std::string> all = options.rules;
  for (const std::string& file : files) all.push_back(roots.resolve(file));
  Result<RuleSet> loaded = all.empty() ? builtin_rules(chosen) : load_rules(all, chosen);
  if (!loaded) throw ToolError(loaded.error());
  return std::move(*loaded);
}

RuleSet Workspace::rules(const std::vector<std::string>& files, const std::atomic<bool>& stop) const {
  return files.empty() ? *own_ : load(files, rule_options(stop));
}

RuleSet Workspace::fleet_rules(const std::vector<std::string>& files, const std::atomic<bool>& stop) const {
  RuleOptions chosen = rule_options(stop);
  chosen.incubating = true;  // as the rules of fleets are
  if (files.empty()) chosen.select = {"fleet.*"};
  return load(files, chosen);
}

}  // namespace kdiag::serve::mcp
