// SPDX-License-Identifier: Apache-2.0
// A project file as it was read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kdiag/project.hpp>

#include "engine/language/expression.hpp"
#include "engine/ruleset/rule.hpp"
#include "engine/ruleset/rule_pattern.hpp"

namespace kdiag {

/// What holds for some inputs or devices only.
struct ProjectCase {
  std::string input, device;  ///< patterns in which `*` stands for any characters; empty: any
  std::vector<Override> params;
  std::vector<std::string> baseline;
};

/// A waiver whose condition is not checked yet.
struct WrittenWaiver {
  Reference rule;  ///< a pattern; empty: any
  std::vector<std::string> fingerprints;
  std::optional<Expression> when;
  WaivedEntry details;
};

/// What a Project handle holds.
struct LoadedProject {
  SourcePtr source;
  ProjectSettings settings;
  std::vector<RulePattern> select, ignore;
  std::vector<Override> params;
  std::vector<ProjectCase> cases;
  std::vector<WrittenWaiver> waivers;
};

}  // namespace kdiag
