// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/any_facts.hpp"
#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

void kdiag::fuzz::facts(Input input) {
  Bytes bytes(input);
  judge(any_facts(bytes));
}
