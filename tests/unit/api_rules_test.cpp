// SPDX-License-Identifier: Apache-2.0
// Rule files as a whole: defines, imports, overrides, status; and what each wrong one says.
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag {
namespace {

std::string shown(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "no problems\n" : render(diagnostics);
}

/// What loading a file says that stands alone.
std::string messages(const std::string&, const std::string& text) {
  const auto rules = load_rules_text("t.yaml", text);
  return shown(rules ? rules->warnings() : rules.error());
}

RuleSet loaded(const std::string& text, const RuleOptions& options = {}) {
  auto rules = load_rules_text("t.yaml", text, options);
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

/// Runs the tests inside the rules of a text.
void hold(const std::string& text, std::size_t tests, const RuleOptions& options = {}) {
  const auto results = test_rules(loaded(text, options), "t.yaml");
  CHECK(results.size() == tests);
  for (const RuleTestResult& result : results) {
    INFO(result.rule << ": " << result.test << "\n" << result.message);
    CHECK(result.passed);
  }
}

}  // namespace

TEST_CASE("checking says what is wrong with rules", "[api][rules][golden]") {
  test::check_golden_folder("check", ".out", messages);
}

TEST_CASE("a define with parameters is bound anew for each use", "[api][rules][define]") {
  hold(R"(kdiag: 1
define:
- name: tiny
  params: {limit: {type: time, default: 10us, doc: Longest.}}
  expr: kernels where dur < limit
- name: tiny_share
  params: {limit: time}
  type: ratio
  expr: count(tiny(limit)) / count(kernels)
- name: short
  params: {d: time, cut: time}
  expr: d < cut
rules:
- rule: my.uses
  title: ${tiny_share(20us)}
  for_each: device
  params: {cut: {type: time, default: 6us}}
  let:
    longest: max(kernels, dur)
  when: |
    count(tiny) == 1 and count(tiny()) == 1 and count(tiny(20us)) == 2 and tiny_share(20us) == 2 / 3
    and count(kernels where short(dur, $cut)) == 1
    and count(tiny(longest)) == 2 and count(tiny(0)) == 0
    and sum(kernels group by (name) select (n = count(), t = max(dur)) where short(t, 20us), n) == 2
  tests:
  - facts: {kernels: [{name: a, dur: 5us, device: 0}, {name: b, dur: 15us, device: 0}, {name: c, dur: 25us, device: 0}]}
    expect: fired
)",
       1);
}

}  // namespace kdiag
