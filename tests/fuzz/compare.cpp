// SPDX-License-Identifier: Apache-2.0
#include <kdiag/compare.hpp>

#include "tests/fuzz/any_facts.hpp"
#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

void kdiag::fuzz::compare(Input input) {
  Bytes bytes(input);
  const bool with_itself = bytes.byte() % 8 == 0;
  const auto normal = any_facts(bytes);
  const auto abnormal = with_itself ? normal : any_facts(bytes);
  if (!normal || !abnormal) return;
  const auto report = kdiag::compare({*normal, *abnormal}, all_rules(), {.threads = 1});
  if (report) check(*report, *abnormal);
  else (void)render(report.error());
}
