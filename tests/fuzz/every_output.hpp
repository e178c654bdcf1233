// SPDX-License-Identifier: Apache-2.0
// What fuzz targets do with facts and reports: judge by every built-in rule, write every form of the report.
#pragma once

#include <kdiag/kdiag.hpp>

namespace kdiag::fuzz {

inline const RuleSet& all_rules() {
  static const RuleSet loaded = *builtin_rules({.threads = 1, .incubating = true});
  return loaded;
}

inline void write_every_form(const Report& report) {
  (void)to_text(report, {.all = true});
  (void)to_json(report);
  (void)to_markdown(report);
  (void)to_sarif(report);
}

/// Facts, or why there are none, to the last text.
inline void judge(const Result<Facts>& facts) {
  if (!facts) {
    (void)render(facts.error());
    return;
  }
  (void)facts_json(*facts);
  write_every_form(diagnose(*facts, all_rules(), {.threads = 1}));
}

}  // namespace kdiag::fuzz
