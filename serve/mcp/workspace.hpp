// SPDX-License-Identifier: Apache-2.0
// What the calls of a server share: the folders it may read, the traces it keeps, its rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "serve/mcp/mcp_options.hpp"
#include "serve/mcp/roots.hpp"
#include "serve/mcp/traces.hpp"

namespace kdiag::serve::mcp {

class Workspace {
 public:
  /// Throws ToolError when a root or a rule file of the options cannot be read.
  explicit Workspace(McpOptions options);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// The rules of the server, or with files that a caller names beside them. Throws ToolError when they have errors.
  RuleSet rules(const std::vector<std::string>& files, const std::atomic<bool>& stop) const;
  /// The rules of fleets, or with files these and the files'. Throws ToolError when they have errors.
  RuleSet fleet_rules(const std::vector<std::string>& files, const std::atomic<bool>& stop) const;
  /// Those of the server alone.
  const RuleSet& own_rules() const { return *own_; }
  RuleOptions rule_options(const std::atomic<bool>& stop) const;

  const McpOptions options;
  const Roots roots;
  Traces traces;

 private:
  RuleSet load(const std::vector<std::string>& files, const RuleOptions& chosen) const;

  std::optional<RuleSet> own_;
};

}  // namespace kdiag::serve::mcp
