// SPDX-License-Identifier: Apache-2.0
// Numbers with the expressions that give them again.
#include <algorithm>
#include <string>
#include <vector>

#include <kdiag/rule_values.hpp>

#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/fixtures.hpp"

namespace kdiag::tests {
namespace {

RuleSet rules_for_values() {
  auto rules = builtin_rules();
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

Facts facts_for_values(const std::string& path) {
  auto facts = load_trace(path);
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

std::string asked(const RuleView& view, const std::string& expression) {
  const auto answer = query_in_rule(facts_for_values(item_storm), rules_for_values(), view, expression);
  return answer ? answer->text : render(answer.error());
}

/// The expressions of a part, one to a line.
std::string expressions_of(const RuleJudgement& judgement, std::string_view part) {
  std::string out;
  for (const RuleValue& value : judgement.values)
    if (value.part == part) out += value.expression + " = " + value.text + "\n";
  return out;
}

}  // namespace

TEST_CASE("a query in the place of a rule knows its lets, parameters and subjects", "[api]") {
  CHECK(asked({.rule = "host.sync-stall"}, "stall") == "13.8 ms\n");
  CHECK(asked({.rule = "host.sync-stall", .subject = "GPU 0"}, "stall / run.wall > $share") == "true\n");
  CHECK(asked({.rule = "host.sync-stall", .subject = "0"}, "calls") == "18\n");
  CHECK(asked({.rule = "host.sync-stall", .run = "A", .subject = "#1"}, "device.name") == "NVIDIA A100-SXM4-80GB\n");
}

TEST_CASE("a rule or subject that is not there is told with what there is", "[api]") {
  CHECK_THAT(asked({.rule = "host.sync-stal"}, "stall"), Catch::Contains("K311") && Catch::Contains("host.sync-stall"));
  CHECK_THAT(asked({.rule = "host.sync-stall", .subject = "GPU 7"}, "stall"),
             Catch::Contains("K694") && Catch::Contains("there are: GPU 0"));
  CHECK_THAT(asked({.rule = "host.sync-stall", .run = "B"}, "stall"), Catch::Contains("K694"));
  CHECK_THAT(asked({.rule = "host.sync-stall"}, "stal"), Catch::Contains("K302") && Catch::Contains("'stall'"));
  CHECK_THAT(asked({}, "stall"), Catch::Contains("K302"));
}

TEST_CASE("what a rule says is made of expressions", "[api]") {
  const auto found = rule_values(facts_for_values(item_storm), rules_for_values(), {.rule = "host.sync-stall"});
  REQUIRE(found);
  REQUIRE(found->subjects.size() == 1);
  const RuleJudgement& judgement = found->subjects.front();
  CHECK(judgement.outcome == Outcome::fired);
  CHECK(expressions_of(judgement, "condition") ==
        "stall / run.wall > (if raw is known then $share else $bounded) = true\n");
  CHECK(expressions_of(judgement, "compared") ==
        "stall / run.wall = 68 %\nif raw is known then $share else $bounded = 5 %\n");
  CHECK(expressions_of(judgement, "message") == "stall = 13.8 ms\neach = 773 us\ncalls = 18\n");
  CHECK_THAT(expressions_of(judgement, "impact"), Catch::Contains("= 13.8 ms"));
  CHECK_THAT(expressions_of(judgement, "exception"), Catch::Contains("syncs_per_launch > $synced"));
}

TEST_CASE("each value of each rule that fires on a fixture is given again by its expression", "[api]") {
  const RuleSet rules = rules_for_values();
  std::size_t values = 0, traces = 0;
  for (const Fixture& fixture : adapter_fixtures()) {
    const auto facts = load_trace(fixture.path);
    if (!facts || ++traces % 4 != 0) continue;  // a quarter of them says as much
    for (const Finding& finding : diagnose(*facts, rules).findings) {
      const RuleView view{.rule = finding.rule, .run = finding.run, .subject = finding.subject.id};
      const auto judged = rule_values(*facts, rules, view, {.rows = 1'000'000});
      INFO(fixture.name << " " << finding.rule << " " << finding.subject.id);
      REQUIRE(judged);
      for (const RuleJudgement& judgement : judged->subjects)
        for (const RuleValue& value : judgement.values) {
          RuleView same = view;
          same.subject = "#" + std::to_string(judgement.number);
          const auto again = query_in_rule(*facts, rules, same, value.expression);
          INFO(value.part << ": " << value.expression << "\n" << (again ? std::string() : render(again.error())));
          REQUIRE(again);
          CHECK(again->json == value.json);
          ++values;
        }
    }
  }
  CHECK(values > 200);
}

TEST_CASE("answers in pieces are those of the whole", "[api]") {
  const Facts facts = facts_for_values(item_storm);
  const RuleSet rules = rules_for_values();
  const auto piece = query_places(facts, rules, {}, "kernels", {.first = 30, .most = 4}, {});
  REQUIRE(piece);
  CHECK(piece->places.front().rows_left_out == 2);
  CHECK(std::count(piece->places.front().text.begin(), piece->places.front().text.end(), '\n') == 4);
  const auto spans = query_places(facts, rules, {}, "spans(kernels)", {.first = 0, .most = 1}, {});
  REQUIRE(spans);
  CHECK_THAT(spans->places.front().json, Catch::Contains("\"value\": [[1700000005000148000, 1700000005000398000]]"));
}

TEST_CASE("a claim is a number of ns, or its ends", "[api]") {
  const Facts facts = facts_for_values(item_storm);
  const auto exact = query(facts, rules_for_values(), "coalesce(spans(sync_waits), [0s, 1ms])");
  REQUIRE(exact);
  CHECK_THAT(exact->json, Catch::Contains("\"type\": \"claim\"") && Catch::Contains("\"value\": 13845045") &&
                              Catch::Contains("\"unit\": \"ns\""));
  const auto between = query(facts, rules_for_values(), "if 1 > 2 then spans(sync_waits) else [0s, 1ms]");
  REQUIRE(between);
  CHECK_THAT(between->json, Catch::Contains("\"value\": null") && Catch::Contains("\"high\": 1000000"));
  CHECK_FALSE(between->unknown);
}

}  // namespace kdiag::tests
