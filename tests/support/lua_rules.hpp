// SPDX-License-Identifier: Apache-2.0
// Rules in Lua on small facts, for tests.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/kdiag.hpp>

namespace kdiag::tests {

/// A rule `my.rule` whose `detect` is a function of kd with this body; `more` are further keys of its table.
std::string lua_rule(std::string_view body, std::string_view more = "");

/// Judges facts of a test, as YAML ("kernels: [{name: k, start: 0us, dur: 5us, device: 0}]"), by rules in a file called
/// `name`. Fails the test when the rules or facts have errors.
/// `baseline`: facts of the run to compare with, when there are any.
Report judge_facts(std::string_view name, std::string_view rules, std::string_view facts, const RuleOptions& options,
                   std::string_view baseline = "");

/// How a Lua rule with this body, and with further keys, ends on the facts: "clear", "fired", "failed K751: it took
/// ...", "inconclusive: steps".
std::string outcome_of(std::string_view body, std::string_view facts = "", const RuleOptions& options = {},
                       std::string_view baseline = "", std::string_view more = "");

}  // namespace kdiag::tests
