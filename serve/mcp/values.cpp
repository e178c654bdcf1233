// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/values.hpp"

#include <nlohmann/json.hpp>

#include "serve/mcp/inert.hpp"

namespace kdiag::serve::mcp {

Json value_entry(const std::string& expression, const std::string& answer_json, std::size_t rows_left_out) {
  const Json answer = Json::parse(answer_json);
  Json out = {{"expression", expression}};
  for (const char* member : {"type", "value", "unit"}) out[member] = inert_json(answer.at(member));
  for (const char* member : {"low", "high", "unknown"})
    if (answer.contains(member)) out[member] = inert_json(answer.at(member));
  if (answer.at("coverage") != 1) out["coverage"] = answer.at("coverage");
  if (rows_left_out > 0) out["rows_left_out"] = rows_left_out;
  return out;
}

Json value_schema() {
  Json out = Json::parse(R"json({
    "type": "object",
    "required": ["expression", "type", "value", "unit"],
    "properties": {
      "expression": {"type": "string"},
      "part": {"type": "string"}, "name": {"type": "string"},
      "type": {"type": "string"},
      "value": {}, "unit": {"type": "string"},
      "low": {}, "high": {},
      "coverage": {"type": "number"},
      "unknown": {"type": "array", "items": {"type": "string"}},
      "rows_left_out": {"type": "integer"}
    }
  })json");
  out["description"] =
      "What `kdiag query` answers to the expression, asked with the view of its finding. value is null where `unknown` "
      "says why, or where it lies between low and high.";
  return out;
}

std::string rows_behind(const RuleValue& value) {
  return value.rows_left_out == 0 ? std::string() : " (and " + std::to_string(value.rows_left_out) + " more rows)";
}

std::string asked_by(const std::string& id) { return id.starts_with('#') ? "#" + id : id; }

std::string handle_of(const RuleJudgement& judgement) {
  constexpr std::size_t short_enough = 60;  // judgement
  const std::string& id = judgement.subject.id;
  const bool plain = !id.empty() && id.size() <= short_enough && inert(id) == id;
  return plain ? asked_by(id) : "#" + std::to_string(judgement.number);
}

}  // namespace kdiag::serve::mcp
