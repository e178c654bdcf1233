// SPDX-License-Identifier: Apache-2.0
// Pages about rules.
#include <string>

#include <kdiag/tools.hpp>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag::tests {

TEST_CASE("a rule's page says all that the rule says", "[api][golden]") {
  const std::string path = std::string(KDIAG_SOURCE_DIR) + "/examples/rules/loss_reads.yaml";
  const auto rules = load_rules_text("loss_reads.yaml", read_file(path));
  REQUIRE(rules);
  const auto page = rule_page(*rules, "training.loss-reads");
  REQUIRE(page);
  check_golden("tools/loss_reads.md", *page);
  CHECK(rule_page(*rules, "training.loss").error().front().id == "K311");
}

TEST_CASE("a severity of one word is one word on the page, and no pack has no name", "[api]") {
  const auto rules = load_rules_text("t.yaml", R"yaml(kdiag: 1
rules:
- {rule: test.one, title: One, when: run.wall > 1s, severity: low}
)yaml");
  if (!rules) FAIL(render(rules.error()));
  CHECK(rule_page(*rules, "test.one").value().find("\nseverity: low\n") != std::string::npos);
  CHECK(describe_rule(*rules, "test.one").value().starts_with("test.one  (run)\n"));
}

TEST_CASE("nothing in a rule is markup on its page", "[api]") {
  const auto rules = load_rules_text("t.yaml", R"yaml(kdiag: 1
rules:
- rule: test.hostile
  title: "``` <b> | ${n}"
  summary: "<script>alert(1)</script> [x](javascript:y) | # heading"
  why: "one\n\n# two\n\n| a | b |"
  references: ["https://a.b/c_d?e=(f)", "javascript:alert(1)", "https://a.b/<script>"]
  params: {most: {type: number, default: 1, doc: "a | b"}}
  let: {n: count(kernels)}
  when: |
    # ```
    n > $most
)yaml");
  if (!rules) FAIL(render(rules.error()));
  const auto page = rule_page(*rules, "test.hostile");
  REQUIRE(page);
  check_golden("tools/hostile.md", *page);
  CHECK(page->find("<script>") == std::string::npos);
}

}  // namespace kdiag::tests
