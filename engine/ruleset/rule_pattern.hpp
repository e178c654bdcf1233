// SPDX-License-Identifier: Apache-2.0
// Patterns of rule ids, and which rules of a set are judged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// Whether an id fits a pattern. `*` stands for any characters. A pattern without a dot is about the area:
/// `host` means host.*, and `*` means every rule.
bool matches_rule(std::string_view pattern, std::string_view id);

struct RulePattern {
  std::string text;
  Span place;
};

/// Which rules are judged.
struct RuleChoice {
  bool incubating = false;  ///< those of that status, too
  std::vector<RulePattern> select = {}, ignore = {};

  /// Whether a rule is one of those that are selected, which are all where nothing is, and is not ignored.
  bool chosen(std::string_view id) const;
};

}  // namespace kdiag
