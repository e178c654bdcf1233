// SPDX-License-Identifier: Apache-2.0
#include <kdiag/kdiag.hpp>

#include "tests/fuzz/targets.hpp"

void kdiag::fuzz::rules(Input input) {
  kdiag::RuleOptions options;
  options.builtin = false;
  const auto loaded = kdiag::load_rules_text("fuzz.yaml", text_of(input), options);
  (void)kdiag::render(loaded ? loaded->warnings() : loaded.error());
}
