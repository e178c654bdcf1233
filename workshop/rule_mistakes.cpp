// SPDX-License-Identifier: Apache-2.0
// All that is wrong with rules, and what their authors could do better.
#include <kdiag/editing.hpp>
#include <kdiag/rule_tests.hpp>

namespace kdiag {

Diagnostics mistakes_of(const Result<RuleSet>& rules) {
  if (!rules) return rules.error();
  Diagnostics out = rules->warnings();
  for (const Diagnostics& more : {script_mistakes(*rules), test_mistakes(*rules), rules->style()})
    out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace kdiag
