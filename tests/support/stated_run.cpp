// SPDX-License-Identifier: Apache-2.0
#include "tests/support/stated_run.hpp"

#include "dsl/test_file.hpp"
#include "tests/catch.hpp"
#include "workshop/stated_facts.hpp"

namespace kdiag::tests {

std::shared_ptr<const FactStore> stated_run(const std::string& facts) {
  std::string text = "kdiag_test: 1\ntests:\n- eval: []\n  facts:\n    ";
  for (const char c : facts) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  Diagnostics diagnostics;
  const TestFile file = parse_test_file(std::make_shared<Source>(Source{"run.yaml", text}), diagnostics);
  INFO(text);
  if (!diagnostics.empty()) FAIL(render(diagnostics));
  const auto store = stated_facts(file.tests.at(0));
  if (!store) FAIL(render(store.error()));
  return *store;
}

}  // namespace kdiag::tests
