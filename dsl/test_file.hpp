// SPDX-License-Identifier: Apache-2.0
// Reads test files: rules are tested together, with facts of their own or on traces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <kdiag/result.hpp>

#include "base/interrupt.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

struct TestFile {
  SourcePtr source;
  /// Rule files relative to this one, and built-in packs by name; nothing: the built-in rules.
  std::optional<std::vector<Reference>> rules;
  std::vector<RuleTest> tests;
};

/// Reads a test file as far as it can be understood; whether what it names exists is for those who run it. Errors,
/// K1xx, K220-K222 and K322, are added to `diagnostics`. Throws Interrupted soon after `cancel` was set.
TestFile parse_test_file(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel = nullptr);

/// What a YAML file is, by the key that begins it, so that a broken one is known as well.
enum class YamlPurpose : std::uint8_t { rules, tests, other };
YamlPurpose purpose_of(std::string_view text);

/// Whether a rule file holds one rule at its top level, or a test file the tests of one.
bool is_of_one_rule(std::string_view text);

}  // namespace kdiag
