// SPDX-License-Identifier: Apache-2.0
// Every text that the library writes is inert, whatever traces, rules and scripts say: hostile texts go through all
// outputs, and a test that reads the public headers tells which output is missing here.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <kdiag/code_hosts.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/fact_tables.hpp>
#include <kdiag/html.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/plan.hpp>
#include <kdiag/project.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/rule_values.hpp>
#include <kdiag/timings.hpp>
#include <kdiag/tools.hpp>

#include "base/escape.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inert.hpp"
#include "workshop/fact_cut.hpp"

using namespace kdiag;
using tests::OutputKind;

namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

/// A text as Lua writes it, byte by byte.
std::string lua(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const std::string code = std::to_string(static_cast<unsigned char>(c));
    out += "\\" + std::string(3 - code.size(), '0') + code;
  }
  return out + "\"";
}

const std::string hostile = tests::hostile_text();

/// A trace of which every name is hostile.
Facts hostile_facts() {
  std::string events;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i), at = std::to_string(i * 20);
    events += R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" + at +
              R"(,"dur":2,"args":{"correlation":)" + n + R"(}},{"ph":"X","cat":"kernel","name":)" +
              json(hostile + std::to_string(i % 3)) + R"(,"pid":0,"tid":7,"ts":)" + std::to_string(i * 20 + 5) +
              R"(,"dur":10,"args":{"device":0,"stream":7,"correlation":)" + n +
              R"(}},{"ph":"X","cat":"cpu_op","name":)" + json(hostile) + R"(,"pid":1,"tid":1,"ts":)" + at +
              R"(,"dur":8})";
  }
  const std::string trace = R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":)" + json(hostile) +
                            R"(}],"traceEvents":[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1",)" +
                            R"("pid":1,"tid":1,"ts":0,"dur":1000})" + events + "]}";
  const auto facts = load_trace(hostile, std::span<const char>(trace.data(), trace.size()));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

std::string hostile_yaml() {
  const std::string text = yaml_text(hostile);
  return "kdiag: 1\npack: {name: own}\nrules:\n- rule: own.rule\n  title: " + text + "\n  message: " + text +
         "\n  summary: " + text + "\n  why: " + text + "\n  how: " + text + "\n  false_positives: " + text +
         "\n  tags: [" + text + "]\n  params: {name: {type: string, default: " + text + ", doc: " + text +
         "}}\n  for_each: device\n  when: exists(kernels) and $name != \"\"\n  impact: spans(kernels)\n  evidence:\n" +
         "    rows: top(kernels, 3, dur)\n    name: argmax(kernels, dur, name)\n    param: $name\n" +
         "  recommend:\n  - {text: " + text + ", where: " + text + ", risk: " + text + ", url: " + text + "}\n" +
         "  tests:\n  - name: " + text + "\n    facts: {devices: [{id: 0, name: " + text +
         "}], kernels: [{name: " + text + ", start: 0us, dur: 5us, device: 0}]}\n    expect: clear\n";
}

std::string hostile_lua() {
  const std::string text = lua(hostile);
  return "return {id = 'own.lua', title = " + text + ", for_each = 'device', recommend = {" + text +
         "}, detect = function(kd)\n" + "kd.note(" + text + ") kd.eval('argmax(kernels, dur, name)')\n" +
         "kd.finding{title = " + text + ", message = " + text +
         ", impact = kd.spans('kernels'), evidence = {text = " + text +
         ", rows = kd.eval('top(kernels, 3, dur)')}} end}";
}

RuleSet rules_of(std::string_view name, const std::string& text) {
  const auto rules = load_rules_text(name, text, {.builtin = false});
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

/// Errors with hostile lines in them, of rules and of names.
Diagnostics hostile_errors() {
  Diagnostics out;
  const auto add = [&out](const auto& result) {
    if (!result) out.insert(out.end(), result.error().begin(), result.error().end());
  };
  add(load_rules_text(hostile, "kdiag: 1\n" + hostile + ": 1\n", {.builtin = false}));
  add(load_rules_text("t.yaml",
                      "kdiag: 1\nimport: [" + yaml_text("./" + hostile) + "]\nrules:\n- {rule: " + yaml_text(hostile) +
                          ", when: " + yaml_text("\"" + hostile) + "}\n",
                      {.builtin = false}));
  add(load_rules_text(
      "t.lua", "return {id = 'a.b', title = 't', detect = 1, [" + lua(hostile) + "] = error(" + lua(hostile) + ")}",
      {.builtin = false}));
  add(load_trace(hostile, std::span<const char>(hostile.data(), hostile.size())));
  add(load_rules(hostile));
  add(query(hostile_facts(), hostile));
  REQUIRE(out.size() > 5);
  return out;
}

struct Output {
  std::string name;  ///< of the function of the public headers
  OutputKind kind;
  std::function<std::string()> make;
};

template <class T>
T good(Result<T> result) {
  if (!result) FAIL(render(result.error()));
  return std::move(*result);
}

std::string fact_table_text(const Facts& facts, std::string_view table, TableFormat format) {
  std::string out;
  (void)good(write_fact_table(facts, table, format, [&out](std::string_view piece) {
    out += piece;
    return true;
  }));
  return out;
}

std::vector<Output> outputs() {
  const Facts facts = hostile_facts();
  const RuleSet yaml = rules_of("own.yaml", hostile_yaml());
  const RuleSet script = rules_of("own.lua", hostile_lua());
  const Diagnostics errors = hostile_errors();
  const RuleTestReport tests = good(test_rules(yaml));
  std::vector<Output> out;
  const auto add = [&out](std::string name, OutputKind kind, std::function<std::string()> make) {
    out.push_back({std::move(name), kind, std::move(make)});
  };
  for (const RuleSet& rules : {yaml, script}) {
    const std::string id = list_rules(rules).front().id;
    for (const bool compared : {false, true}) {
      DiagnoseOptions options{.threads = 1, .timings = true};
      if (compared) options.baseline = facts;
      const Report report = diagnose(facts, rules, options);
      add("to_text", OutputKind::text, [report] { return to_text(report, {.all = true}); });
      add("to_json", OutputKind::json, [report] { return to_json(report); });
      add("timings_text", OutputKind::text, [report] { return timings_text(*report.timings, 0); });
      add("to_markdown", OutputKind::markdown, [report] { return to_markdown(report); });
      add("to_summary", OutputKind::markdown, [report] { return to_summary(report); });
      add("to_sarif", OutputKind::json, [report] { return to_sarif(report); });
      add("to_github", OutputKind::text, [report] { return to_github(report); });
      add("to_gitlab", OutputKind::json, [report] { return to_gitlab(report); });
      add("to_html", OutputKind::text, [=] { return to_html(report, {.facts = facts, .baseline = options.baseline}); });
      add("explain", OutputKind::text, [=] { return good(explain(facts, rules, id, options)); });
      add("plan_text", OutputKind::text, [report] { return plan_text(report); });
      add("plan_json", OutputKind::json, [report] { return plan_json(report); });
      add("plan_markdown", OutputKind::markdown, [report] { return plan_markdown(report); });
      add("plan_html", OutputKind::text, [report] { return plan_html(report); });
    }
    add("describe_rule", OutputKind::text, [=] { return good(describe_rule(rules, id)); });
    add("rule_page", OutputKind::markdown, [=] { return good(rule_page(rules, id)); });
    add("rule_index", OutputKind::markdown, [=] { return rule_index(rules); });
    add("to_text", OutputKind::text, [=] { return to_text(list_rules(rules)); });
    add("to_json", OutputKind::json, [=] { return to_json(list_rules(rules)); });
    add("query_help", OutputKind::text, [=] { return query_help(rules, ""); });
    add("cut_test", OutputKind::yaml, [=] { return good(cut_test(facts, rules, id)); });
  }
  const auto report = good(compare({facts, facts}, yaml));
  add("to_text", OutputKind::text, [report] { return to_text(report, {.all = true}); });
  add("to_json", OutputKind::json, [report] { return to_json(report); });
  add("to_markdown", OutputKind::markdown, [report] { return to_markdown(report); });
  for (const std::string question : {"argmax(kernels, dur, name)", "kernels", "devices", "max(kernels, dur)",
                                     "kernels group by (name) select (n = count())", "spans(kernels)"}) {
    const auto answer = good(query(facts, yaml, question));
    add("query", OutputKind::text, [answer] { return answer.text; });
    add("query", OutputKind::json, [answer] { return answer.json; });
    add("query", OutputKind::csv, [answer] { return answer.csv; });
    const RuleView view{.rule = list_rules(yaml).front().id, .run = {}, .subject = {}};
    const auto inside = good(query_in_rule(facts, yaml, view, question));
    add("query_in_rule", OutputKind::text, [inside] { return inside.text; });
    add("query_in_rule", OutputKind::json, [inside] { return inside.json; });
    add("query_in_rule", OutputKind::csv, [inside] { return inside.csv; });
    for (const PlaceAnswer& place : good(query_places(facts, yaml, view, question, {}, {})).places) {
      add("query_places", OutputKind::text, [place] { return place.text; });
      add("query_places", OutputKind::json, [place] { return place.json; });
    }
  }
  add("facts_text", OutputKind::text, [facts] { return facts_text(facts); });
  add("facts_json", OutputKind::json, [facts] { return facts_json(facts); });
  for (const auto& [format, kind] :
       {std::pair(TableFormat::csv, OutputKind::csv), std::pair(TableFormat::json_lines, OutputKind::json)})
    for (const char* table : {"kernels", "ops", "devices", "runs"})
      add("write_fact_table", kind, [=, f = format] { return fact_table_text(facts, table, f); });
  add("to_text", OutputKind::text, [tests] { return to_text(tests, {.verbose = true}); });
  add("to_json", OutputKind::json, [tests] { return to_json(tests); });
  add("to_junit", OutputKind::xml, [tests] { return to_junit(tests); });
  const std::vector<NewWaiver> waivers = {{hostile, hostile, hostile, hostile, hostile, hostile}};
  add("waiver_text", OutputKind::yaml, [waivers] { return waiver_text(waivers); });
  add("with_waivers", OutputKind::yaml, [waivers] { return good(with_waivers("k", "kdiag_project: 1\n", waivers)); });
  add("shown_value", OutputKind::text, [] { return shown_value(hostile); });
  add("render", OutputKind::text, [errors] { return render(errors); });
  add("to_json", OutputKind::json, [errors] { return to_json(errors); });
  add("to_sarif", OutputKind::json, [errors] { return to_sarif(errors); });
  add("to_github", OutputKind::text, [errors] { return to_github(errors); });
  return out;
}

}  // namespace

TEST_CASE("every output is inert, whatever traces, rules and scripts say", "[api][lua][report][hostile]") {
  for (const Output& output : outputs()) {
    const std::string text = output.make();
    CAPTURE(output.name);
    CHECK_FALSE(text.empty());
    CHECK(tests::harm_of(text, output.kind) == "");
  }
}

TEST_CASE("no output of the public headers is left out of the test above", "[api][lua][report]") {
  // Texts of the library's own, which hold nothing of a trace or rule; and of a file as it is.
  std::set<std::string> known = {
      "facts_to_bytes", "summarize",  // for the library alone
      "catalogue_text", "formats_text",       "limits_text",  "rule_schema",     "rule_skeleton",
      "format_rules",   "did_you_mean",       "format_value", "format_duration", "format_duration_range",
      "format_share",   "format_share_range", "format_count", "format_number",   "format_factor",
      "find_project"};
  for (const Output& output : outputs()) known.insert(output.name);
  const std::regex declaration(R"(KDIAG_API (?:Result<)?(?:std::string|QueryAnswer)>? (\w+)\()");
  for (const auto& entry : std::filesystem::directory_iterator(std::string(KDIAG_SOURCE_DIR) + "/include/kdiag")) {
    const std::string text = tests::read_file(entry.path().string());
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) {
      CAPTURE((*at)[1].str());
      CHECK(known.contains((*at)[1].str()));
    }
  }
}

TEST_CASE("harm is seen in each kind of output", "[report]") {
  CHECK(tests::harm_of("quiet\ntext\n", OutputKind::text).empty());
  for (const char* text : {"\x1b[2J", "\x07", "a\rb", "\xc2\x9b", "\xe2\x80\xae", "\xff", "# forged"})
    CHECK_FALSE(tests::harm_of(text, OutputKind::text).empty());
  CHECK_FALSE(tests::harm_of("<img src=x>", OutputKind::markdown).empty());
  CHECK_FALSE(tests::harm_of("[x](javascript:1)", OutputKind::markdown).empty());
  CHECK(tests::harm_of("`<img src=x>` \\[x\\](javascript:1)", OutputKind::markdown).empty());
  for (const char* text : {"=1\n", "a,=1\n", "a,\"=1\"\n", "a\n@x\n"})
    CHECK_FALSE(tests::harm_of(text, OutputKind::csv).empty());
  CHECK(tests::harm_of("a,-1,\"b, =c\"\n'=1,2\n", OutputKind::csv).empty());
}
