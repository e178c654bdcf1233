// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/findings.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <kdiag/rule_values.hpp>

#include <nlohmann/json.hpp>

#include "serve/mcp/inert.hpp"
#include "serve/mcp/tool_error.hpp"
#include "serve/mcp/values.hpp"

namespace kdiag::serve::mcp {
namespace {

constexpr std::size_t evidence_rows = 3;  // of each table (judgement): query has the others

QueryOptions asking(const Judged& judged, const Call& call) {
  QueryOptions out;
  out.baseline = judged.traces.baseline;
  out.cancel = &call.stop;
  return out;
}

/// How the rule of a finding judges its subject.
std::optional<RuleJudgement> judgement_of(const Judged& judged, const Finding& finding, const Call& call) {
  RuleValuesOptions options;
  options.rows = evidence_rows;
  options.subjects = {.first = 0, .most = 1};
  options.baseline = judged.traces.baseline;
  options.cancel = &call.stop;
  Result<RuleJudgements> found =
      rule_values(judged.traces.facts, judged.rules,
                  {.rule = finding.rule, .run = finding.run, .subject = asked_by(finding.subject.id)}, options);
  stop_if_told(call);
  if (!found || found->subjects.empty() || found->subjects.front().subject.id != finding.subject.id) return {};
  return std::move(found->subjects.front());
}

bool is_condition(const RuleValue& value) { return value.part == "condition" || value.part == "exception"; }

/// What of a value is said in a finding; lets are for explain.
bool is_said(const RuleValue& value) { return !is_condition(value) && value.part != "let"; }

std::string in_quotes(std::string_view text) { return "\"" + inert(text) + "\""; }

struct Written {
  Json item;
  std::string text;
};

Written head_of(const Finding& finding, std::size_t number, const std::optional<RuleJudgement>& judgement) {
  Written out;
  const std::string subject = judgement ? handle_of(*judgement) : std::string();
  out.item = {{"number", number},
              {"rule", finding.rule},
              {"severity", name_of(finding.severity)},
              {"title", inert(finding.title)},
              {"subject", {{"kind", finding.subject.kind}, {"label", inert(finding.subject.label)}}},
              {"view", {{"rule", finding.rule}, {"run", finding.run}, {"subject", subject}}},
              {"confidence", finding.confidence.value},
              {"values", Json::array()}};
  out.text = std::to_string(number) + ". [" + std::string(name_of(finding.severity)) + "] " + finding.rule + ", run " +
             finding.run + ", " + in_quotes(finding.subject.label) + " (subject " + in_quotes(subject) +
             "): " + in_quotes(finding.title);
  return out;
}

void add_value(Written& out, const RuleValue& value) {
  Json entry = value_entry(value.expression, value.json, value.rows_left_out);
  entry["part"] = value.part;
  if (!value.name.empty()) entry["name"] = inert(value.name);
  out.item["values"].push_back(std::move(entry));
  const std::string name = value.part == "evidence" ? "evidence " + inert(value.name) : value.part;
  out.text += "\n   " + name + ": " + inert(value.expression, longest_expression) + " = " +
              inert_rows(value.text, 3 * longest_text) + rows_behind(value);
}

void add_falsifiers(Written& out, const RuleJudgement& judgement) {
  Json list = Json::array();
  std::string text;
  for (const RuleValue& value : judgement.values) {
    if (!is_condition(value)) continue;
    const bool holds = value.part == "condition";
    Json one = {{"expression", value.expression}, {"would_be", !holds}};
    if (value.unknown) one["now"] = "unknown";
    else one["now"] = holds;
    if (!value.name.empty()) one["because"] = inert(value.name);
    list.push_back(std::move(one));
    text += "\n   false if: " + inert(value.expression, longest_expression) + (holds ? " did not hold" : " held") +
            (value.unknown ? " (not known now)" : "");
  }
  out.item["falsified_by"] = std::move(list);
  out.text += text;
}

void add_advice(Written& out, const Finding& finding) {
  Json list = Json::array();
  for (const RecommendationEntry& advice : finding.recommendations) {
    Json one = {{"text", inert(advice.text, 2 * longest_text)}};
    if (!advice.verify.empty()) one["verify"] = advice.verify;
    out.text += "\n   do: " + inert(advice.text, 2 * longest_text) +
                (advice.verify.empty() ? "" : " Afterwards this holds: " + inert(advice.verify, longest_expression));
    list.push_back(std::move(one));
  }
  out.item["recommendations"] = std::move(list);
  if (finding.location && !finding.location->file.empty()) {
    const std::string place =
        inert(finding.location->file) + (finding.location->line ? ":" + std::to_string(*finding.location->line) : "");
    out.item["location"] = place;
    out.text += "\n   at: " + in_quotes(place);
  }
  Json symptoms = Json::array();
  for (const Finding& symptom : finding.symptoms) {
    symptoms.push_back(symptom.rule);
    out.text += "\n   explains: " + symptom.rule;
  }
  if (!symptoms.empty()) out.item["explains"] = std::move(symptoms);
}

Written whole(const Finding& finding, std::size_t number, const std::optional<RuleJudgement>& judgement) {
  Written out = head_of(finding, number, judgement);
  out.item["message"] = inert(finding.message, 4 * longest_text);
  out.text += "\n   " + inert(finding.message, 4 * longest_text);
  if (judgement) {
    std::set<std::string> seen;
    for (const RuleValue& value : judgement->values)
      if (is_said(value) && seen.insert(value.expression).second) add_value(out, value);
    add_falsifiers(out, *judgement);
    if (judgement->values.empty())
      out.text += "\n   a script decides this rule: its numbers have no expressions; explain says what it read";
  }
  add_advice(out, finding);
  return out;
}

Written brief(const Finding& finding, std::size_t number, const std::optional<RuleJudgement>& judgement) {
  Written out = head_of(finding, number, judgement);
  out.item["shortened"] = true;
  out.text += " (shortened: explain says the rest)";
  if (judgement)
    for (const RuleValue& value : judgement->values)
      if (value.part == "impact") add_value(out, value);
  return out;
}

}  // namespace

namespace {

struct WrittenRuns {
  std::vector<Written> runs;
  std::size_t left_out = 0;
};

WrittenRuns write_runs(const Judged& judged, const Call& call, const PlaceRange& range) {
  constexpr std::size_t most_devices = 2;  // judgement: a line
  const auto ask = [&](const char* expression) {
    Result<PlaceAnswers> found =
        query_places(judged.traces.facts, judged.rules, {}, expression, {}, range, asking(judged, call));
    stop_if_told(call);
    if (!found) throw ToolError(found.error());
    return std::move(*found);
  };
  const PlaceAnswers walls = ask("run.wall"), steps = ask("count(steps)");
  WrittenRuns out;
  out.left_out = walls.left_out;
  for (std::size_t i = 0; i < std::min(walls.places.size(), steps.places.size()); ++i) {
    const PlaceAnswer &wall = walls.places[i], &step = steps.places[i];
    const auto run = std::find_if(judged.report.runs.begin(), judged.report.runs.end(),
                                  [&](const RunEntry& one) { return one.id == wall.run; });
    const std::size_t count = run == judged.report.runs.end() ? 0 : run->devices.size();
    Json devices = Json::array();
    std::string names;
    for (std::size_t d = 0; d < std::min(count, most_devices); ++d) {
      const std::string name = inert(run->devices[d].name, 60);
      devices.push_back(name);
      names += (names.empty() ? "" : ", ") + ("\"" + name + "\"");
    }
    Json item = {{"id", wall.run},
                 {"label", inert(wall.subject.label, 80)},
                 {"devices", std::move(devices)},
                 {"values", {value_entry("run.wall", wall.json, 0), value_entry("count(steps)", step.json, 0)}}};
    if (count > most_devices) {
      item["devices_left_out"] = count - most_devices;
      names += " and " + std::to_string(count - most_devices) + " more (query devices)";
    }
    out.runs.push_back({std::move(item), "run " + wall.run + ": run.wall = " + inert(wall.text) + ", count(steps) = " +
                                             inert(step.text) + (names.empty() ? "" : ", on " + names)});
  }
  return out;
}

}  // namespace

void tell_runs(const Judged& judged, const Call& call, Answer& answer) {
  constexpr std::size_t most_runs = 3;  // judgement: a head that is shorter than the answer
  WrittenRuns written = write_runs(judged, call, {.first = 0, .most = most_runs});
  Json list = Json::array();
  for (Written& run : written.runs) {
    list.push_back(std::move(run.item));
    answer.say(run.text);
  }
  answer.set("runs", std::move(list));
  if (written.left_out > 0) answer.say_more("runs", written.left_out, most_runs);
}

void add_runs(const Judged& judged, const Call& call, std::size_t first, Answer& answer) {
  constexpr std::size_t at_a_time = 200;  // judgement: more have no room in any answer
  answer.list("runs");
  const WrittenRuns written = write_runs(judged, call, {.first = first, .most = at_a_time});
  const std::size_t all = first + written.runs.size() + written.left_out;
  for (std::size_t i = 0; i < written.runs.size(); ++i)
    if (!answer.add("runs", written.runs[i].item, written.runs[i].text)) return answer.stop_at("runs", first + i, all);
  if (written.left_out > 0) answer.stop_at("runs", first + written.runs.size(), all);
}

bool add_findings(const Judged& judged, const Call& call, std::size_t first, Answer& answer) {
  answer.list("findings");
  const std::vector<Finding>& findings = judged.report.findings;
  if (findings.empty()) answer.say("No rule fired.");
  for (std::size_t i = first; i < findings.size(); ++i) {
    const auto judgement = judgement_of(judged, findings[i], call);
    const Written all = whole(findings[i], i + 1, judgement);
    if (answer.add("findings", all.item, all.text)) continue;
    const Written little = brief(findings[i], i + 1, judgement);
    if (answer.add("findings", little.item, little.text)) continue;
    answer.stop_at("findings", i, findings.size());
    return false;
  }
  return true;
}

bool add_unknown(const Report& report, std::size_t first, Answer& answer) {
  answer.list("unknown");
  std::vector<const OutcomeEntry*> open;
  for (const OutcomeEntry& outcome : report.outcomes)
    if (outcome.outcome == Outcome::inconclusive) open.push_back(&outcome);
  for (std::size_t i = first; i < open.size(); ++i) {
    Json missing = Json::array();
    std::string text =
        "unknown: " + open[i]->rule + ", run " + open[i]->run + ", " + in_quotes(open[i]->subject.label) + ":";
    for (const MissingEntry& fact : open[i]->missing) {
      missing.push_back({{"fact", inert(fact.fact)}, {"how_to_record", inert(fact.how_to_record, 2 * longest_text)}});
      text += " " + inert(fact.fact);
    }
    text += open[i]->missing.empty() ? " " + inert(open[i]->reason) : std::string(" is not recorded");
    const Json item = {{"rule", open[i]->rule},
                       {"run", open[i]->run},
                       {"subject", inert(open[i]->subject.label)},
                       {"reason", inert(open[i]->reason)},
                       {"missing", std::move(missing)}};
    if (answer.add("unknown", item, text)) continue;
    answer.stop_at("unknown", i, open.size(), "plan says what to record");
    return false;
  }
  return true;
}

Json answer_schema(Json properties, const std::vector<std::string>& required) {
  properties["left_out"] = {{"type", "object"},
                            {"description", "How many of what had no room; next_cursor goes on with them."},
                            {"additionalProperties", {{"type", "integer"}}}};
  properties["next_cursor"] = {{"type", "string"}};
  for (const char* head : {"inputs", "runs"}) {
    if (!properties.contains(head)) continue;
    properties[std::string(head) + "_left_out"] = {{"type", "integer"}};
    properties[std::string(head) + "_cursor"] = {{"type", "string"}, {"description", "Goes on with those left out."}};
  }
  properties["texts"] = {{"type", "string"}, {"description", "Whose words the texts of this answer are."}};
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", required}};
}

Json runs_schema() {
  return {{"type", "array"},
          {"items",
           {{"type", "object"},
            {"required", {"id", "label", "devices", "values"}},
            {"properties",
             {{"id", {{"type", "string"}}},
              {"devices_left_out", {{"type", "integer"}}},
              {"label", {{"type", "string"}}},
              {"devices", {{"type", "array"}, {"items", {{"type", "string"}}}}},
              {"values", {{"type", "array"}, {"items", value_schema()}}}}}}}};
}

Json findings_schema() {
  Json out = Json::parse(R"json({
    "type": "array",
    "items": {
      "type": "object",
      "required": ["number", "rule", "severity", "title", "subject", "view", "confidence", "values"],
      "properties": {
        "number": {"type": "integer", "description": "Place in the ranking, from 1"},
        "rule": {"type": "string"},
        "severity": {"enum": ["info", "low", "medium", "high", "critical"]},
        "shortened": {"type": "boolean", "description": "It had no room but for this: explain, or more tokens, say the rest"},
        "title": {"type": "string"}, "message": {"type": "string"}, "location": {"type": "string"},
        "subject": {"type": "object", "required": ["kind", "label"],
                    "properties": {"kind": {"type": "string"}, "label": {"type": "string"}}},
        "view": {"type": "object", "required": ["rule", "run", "subject"],
                 "description": "Where the expressions of this finding are asked: arguments of query",
                 "properties": {"rule": {"type": "string"}, "run": {"type": "string"}, "subject": {"type": "string"}}},
        "confidence": {"type": "number", "description": "How sure the rule's author is: judgement, no measurement"},
        "falsified_by": {"type": "array", "items": {
          "type": "object", "required": ["expression", "now", "would_be"],
          "description": "The finding would not be made if this expression had the other value",
          "properties": {"expression": {"type": "string"}, "now": {"enum": [true, false, "unknown"]},
                         "would_be": {"type": "boolean"}, "because": {"type": "string"}}}},
        "recommendations": {"type": "array", "items": {
          "type": "object", "required": ["text"],
          "properties": {"text": {"type": "string"},
                         "verify": {"type": "string", "description": "Holds in the next run when it helped"}}}},
        "explains": {"type": "array", "items": {"type": "string"}, "description": "Rules whose findings follow from this one"},
        "change": {"type": "string"}
      }
    }
  })json");
  out["items"]["properties"]["values"] = {{"type", "array"}, {"items", value_schema()}};
  return out;
}

Json unknown_schema() {
  return Json::parse(R"json({
    "type": "array",
    "description": "Rules that could not tell, since facts are missing: neither that something is wrong nor that it is not",
    "items": {
      "type": "object",
      "required": ["rule", "run", "subject", "reason", "missing"],
      "properties": {
        "rule": {"type": "string"}, "run": {"type": "string"}, "subject": {"type": "string"}, "reason": {"type": "string"},
        "missing": {"type": "array", "items": {
          "type": "object", "required": ["fact", "how_to_record"],
          "properties": {"fact": {"type": "string"}, "how_to_record": {"type": "string"}}}}
      }
    }
  })json");
}

}  // namespace kdiag::serve::mcp
