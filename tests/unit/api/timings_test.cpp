// SPDX-License-Identifier: Apache-2.0
// What a diagnosis says of its own cost.
#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>
#include <kdiag/timings.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/json_tree.hpp"

using namespace kdiag;

namespace {

std::string source_file(std::string_view path) { return std::string(KDIAG_SOURCE_DIR) + "/" + std::string(path); }

Report diagnosed(const DiagnoseOptions& options) {
  const auto facts = load_trace(source_file("examples/traces/item_storm.json"));
  const auto rules = builtin_rules();
  REQUIRE(facts);
  REQUIRE(rules);
  return diagnose(*facts, *rules, options);
}

double sum_of(const std::vector<CostEntry>& entries) {
  return std::accumulate(entries.begin(), entries.end(), 0.0,
                         [](double sum, const CostEntry& entry) { return sum + entry.seconds; });
}

}  // namespace

TEST_CASE("timings are only there when they are asked for", "[api][timings]") {
  const Report without = diagnosed({.threads = 1});
  CHECK_FALSE(without.timings);
  CHECK(to_json(without).find("timings") == std::string::npos);
  Report with = diagnosed({.threads = 1, .timings = true});
  REQUIRE(with.timings);
  const auto schema = tests::parse_json(tests::read_file(source_file("docs/report.schema.json")));
  const auto document = tests::parse_json(to_json(with));
  REQUIRE(schema);
  REQUIRE(document);
  CHECK(tests::schema_errors(*schema, *document) == std::vector<std::string>{});
  with.timings = {};
  CHECK(to_json(with) == to_json(without));
}

TEST_CASE("timings name each rule that judged, and add up to what the judging thread spent", "[api][timings]") {
  const Report report = diagnosed({.threads = 1, .timings = true});
  const Timings& timings = *report.timings;
  std::set<std::string> judged, listed;
  for (const OutcomeEntry& outcome : report.outcomes) judged.insert(outcome.rule);
  for (const CostEntry& rule : timings.by_rule) {
    CHECK(rule.times > 0);
    CHECK(listed.insert(rule.name).second);
  }
  CHECK(std::includes(judged.begin(), judged.end(), listed.begin(), listed.end()));
  CHECK(listed.count("host.sync-per-launch") == 1);
  CHECK_FALSE(timings.by_expression.empty());
  CHECK(std::is_sorted(timings.by_rule.begin(), timings.by_rule.end(),
                       [](const CostEntry& a, const CostEntry& b) { return a.seconds > b.seconds; }));
  const double listed_seconds = sum_of(timings.by_rule) + sum_of(timings.by_expression);
  CHECK(listed_seconds <= timings.evaluate);
  CHECK(timings.evaluate <= timings.judge);
  CHECK(timings.read > 0);
  CHECK(timings.derive > 0);
  CHECK(timings.rules > 0);
}

// By a clock the share differs from machine to machine: what holds anywhere is that nothing judged without being
// listed.
TEST_CASE("a rule is listed once for each subject that it judged", "[api][timings]") {
  const Report report = diagnosed({.threads = 1, .timings = true});
  std::map<std::string, std::uint64_t> judged;
  for (const OutcomeEntry& outcome : report.outcomes) ++judged[outcome.rule];
  for (const CostEntry& rule : report.timings->by_rule) {
    CAPTURE(rule.name);
    CHECK(rule.times == judged[rule.name]);
  }
}

TEST_CASE("rows that were visited do not depend on threads or on who computed what is shared", "[api][timings]") {
  const auto rows = [](unsigned threads) {
    std::multiset<std::string> out;
    const Report report = diagnosed({.threads = threads, .timings = true});
    for (const auto* entries : {&report.timings->by_rule, &report.timings->by_expression})
      for (const CostEntry& entry : *entries)
        out.insert(entry.name + " " + std::to_string(entry.rows) + " " + std::to_string(entry.times));
    return out;
  };
  CHECK(rows(1) == rows(4));
}

TEST_CASE("timings as text show the dearest rules and expressions, and how many more there are", "[api][timings]") {
  Timings timings{.read = 0.5, .derive = 0.25, .rules = 0.01, .judge = 0.1, .evaluate = 0.102};
  timings.by_rule = {{"a.dear", 0.06, 12345, 2}, {"a.cheap", 0.02, 10, 2}};
  timings.by_expression = {{"kernels where name =~ /\x1b/", 0.02, 7, 1}};
  const std::string text = timings_text(timings, 0.002, 1);
  CAPTURE(text);
  for (const char* part : {"read        500 ms", "a.dear", "60 %", "12,345", "1 more", "\\x1b",
                           "rules took 102 ms of all threads together", "100 ms of which is listed"})
    CHECK(text.find(part) != std::string::npos);
  CHECK(text.find("a.cheap") == std::string::npos);
}
