// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shared_traces.hpp"

#include "adapters/util/json.hpp"
#include "tests/catch.hpp"

namespace kdiag::test {
namespace {

adapters::JsonValue value_of(const Facts& facts, const std::string& expression) {
  const Result<QueryAnswer> answer = query(facts, expression);
  CAPTURE(expression);
  if (!answer) FAIL(render(answer.error()));
  CAPTURE(answer->json);
  const auto json = adapters::parse_json(answer->json);
  REQUIRE(json);
  const adapters::JsonValue value = (*json)["value"];
  REQUIRE(value.kind == adapters::JsonValue::Kind::number);
  return value;
}

}  // namespace

std::string shared_trace(const std::string& name) {
  return std::string(KDIAG_SOURCE_DIR) + "/../shared/traces/" + name;
}

Facts load_facts(const std::string& path, const LoadOptions& options) {
  Result<Facts> facts = load_trace(path, options);
  CAPTURE(path);
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

std::int64_t integer_of(const Facts& facts, const std::string& expression) {
  return value_of(facts, expression).integer().value_or(-1);
}

double real_of(const Facts& facts, const std::string& expression) {
  return value_of(facts, expression).real().value_or(-1);
}

const Finding* find_finding(const std::vector<Finding>& findings, const std::string& rule) {
  for (const Finding& finding : findings) {
    if (finding.rule == rule) return &finding;
    if (const Finding* nested = find_finding(finding.symptoms, rule)) return nested;
  }
  return nullptr;
}

}  // namespace kdiag::test
