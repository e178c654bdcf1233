// SPDX-License-Identifier: Apache-2.0
// What fuzz targets do with facts and reports: judge by every built-in rule, write every form of the report, and hold
// both against what must be true of any.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "tests/support/report_checks.hpp"

namespace kdiag::fuzz {

inline const RuleSet& all_rules() {
  static const RuleSet loaded = *builtin_rules({.threads = 1, .incubating = true});
  return loaded;
}

/// Ends the program where anything was found.
inline void expect_none(const std::vector<std::string>& found) {
  for (const std::string& what : found) std::fprintf(stderr, "%s\n", what.c_str());
  if (!found.empty()) __builtin_trap();
}

/// `facts`: those that the report is about; of a comparison the abnormal side.
inline void check(const Report& report, const Facts& facts) {
  expect_none(tests::check_values(report, facts));
  expect_none(tests::check_forms(report, facts));
}

/// Facts, or why there are none, to the last text.
inline void judge(const Result<Facts>& facts) {
  if (!facts) {
    (void)render(facts.error());
    return;
  }
  (void)facts_json(*facts);
  check(diagnose(*facts, all_rules(), {.threads = 1}), *facts);
}

}  // namespace kdiag::fuzz
