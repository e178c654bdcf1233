// SPDX-License-Identifier: Apache-2.0
// Answers of the tool server that have no room for all: nothing is lost, and nothing comes twice.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/unit/serve/mcp_client.hpp"

namespace kdiag::tests {
namespace {

constexpr const char* each_kernel =
    "kdiag: 1\nrules:\n"
    "- {rule: team.each, title: A kernel, for_each: kernel, when: count(kernels) > 3, impact: spans(kernels)}\n";

std::string table_line(const std::string& table, const Json& columns, const Json& rows) {
  return serve::to_text({{"table", table}, {"columns", columns}, {"rows", rows}}) + "\n";
}

/// Each kernel ran five times, for 10 ns, 11 ns and so on.
std::string facts_of_kernels(const std::vector<std::string>& names) {
  Json rows = Json::array();
  for (const std::string& name : names)
    for (int i = 0; i < 5; ++i) rows.push_back({name, 100 * rows.size(), 10 + rows.size(), 0});
  return "{\"schema\": \"kdiag.facts/1\"}\n" + table_line("devices", {"id", "name"}, {{0, "A"}}) +
         table_line("kernels", {"name", "start", "dur", "device"}, rows);
}

std::string facts_of_runs(int count) {
  std::string out = "{\"schema\": \"kdiag.facts/1\"}\n";
  for (int i = 0; i < count; ++i) {
    out += serve::to_text({{"run", {{"label", "run " + std::to_string(i)}}}}) + "\n";
    out += table_line("devices", {"id", "name"}, {{0, "A"}, {1, "B"}, {2, "C"}});
    out += table_line("kernels", {"name", "start", "dur", "device"}, {{"k", 0, 100 + i, 0}});
  }
  return out;
}

std::vector<std::string> names_of_kernels(int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back("kernel_" + std::to_string(i));
  return out;
}

/// The answers to a call and to those that go on with it.
std::vector<Json> pages(const std::string& tool, Json arguments, const std::string& root) {
  std::vector<Json> out;
  do {
    const Json result = called(tool, arguments, root);
    INFO(arguments.dump() << "\n" << text_of(result));
    REQUIRE(result.contains("structuredContent"));
    out.push_back(result.at("structuredContent"));
    REQUIRE(out.back().contains("next_cursor") == out.back().contains("left_out"));
    REQUIRE(out.size() < 200);
    arguments["cursor"] = out.back().value("next_cursor", "");
  } while (arguments["cursor"] != "");
  return out;
}

}  // namespace

TEST_CASE("a query of many subjects says how many are left out, and goes on with them", "[mcp]") {
  const Folder root({{"facts.json", facts_of_kernels(names_of_kernels(120))}, {"own.yaml", each_kernel}});
  const Json asked = {
      {"traces", {"facts.json"}}, {"rules", {"own.yaml"}}, {"rule", "team.each"}, {"max_tokens", 20000}};
  Json counted = asked;
  counted["expression"] = "count(kernels)";
  const std::vector<Json> found = pages("query", counted, root.path());
  CHECK(found.front().at("left_out") == Json{{"subjects", 70}});
  std::vector<std::string> subjects;
  for (const Json& page : found)
    for (const Json& answer : page.at("answers")) subjects.push_back(answer.at("subject"));
  CHECK(subjects.size() == 120);
  CHECK(std::set<std::string>(subjects.begin(), subjects.end()).size() == 120);
}

TEST_CASE("a query of tables of several subjects goes on at the row where it stopped", "[mcp]") {
  const Folder root({{"facts.json", facts_of_kernels(names_of_kernels(6))}, {"own.yaml", each_kernel}});
  for (const auto& [max_rows, max_tokens] : {std::pair(2, 3000), std::pair(5, 1000), std::pair(20, 1000)}) {
    CAPTURE(max_rows, max_tokens);
    const std::vector<Json> found = pages("query",
                                          {{"traces", {"facts.json"}},
                                           {"rules", {"own.yaml"}},
                                           {"rule", "team.each"},
                                           {"expression", "kernels select (dur = dur, of = name)"},
                                           {"max_rows", max_rows},
                                           {"max_tokens", max_tokens}},
                                          root.path());
    std::map<std::string, std::vector<std::int64_t>> durations;
    for (const Json& page : found)
      for (const Json& answer : page.at("answers"))
        for (const Json& row : answer.at("value")) durations[row.at("of")].push_back(row.at("dur"));
    REQUIRE(durations.size() == 6);
    for (const auto& [name, of_kernel] : durations) {
      CAPTURE(name);
      CHECK(of_kernel.size() == 5);
      for (std::size_t i = 1; i < of_kernel.size(); ++i) CHECK(of_kernel[i] == of_kernel[i - 1] + 1);
    }
  }
}

TEST_CASE("an explanation of many subjects goes on with those left out", "[mcp]") {
  const Folder root({{"facts.json", facts_of_kernels(names_of_kernels(120))}, {"own.yaml", each_kernel}});
  std::set<std::string> subjects;
  for (const Json& page :
       pages("explain",
             {{"traces", {"facts.json"}}, {"rules", {"own.yaml"}}, {"rule", "team.each"}, {"max_tokens", 100000}},
             root.path()))
    for (const Json& judgement : page.at("judgements")) CHECK(subjects.insert(judgement.at("subject")).second);
  CHECK(subjects.size() == 120);
}

TEST_CASE("runs and inputs that a head leaves out have a cursor", "[mcp]") {
  const Folder root({{"runs.json", facts_of_runs(7)}});
  const Json asked = {{"traces", {"runs.json"}}};
  const Json result = called("diagnose", asked, root.path());
  const Json& head = result.at("structuredContent");
  CHECK(head.at("runs").size() == 3);
  CHECK(head.at("runs_left_out") == 4);
  CHECK(head.at("runs").at(0).at("devices_left_out") == 1);
  CHECK_THAT(text_of(result), Catch::Contains("and 4 more runs: cursor \"runs:3\""));
  Json more = asked;
  more["cursor"] = head.at("runs_cursor");
  const Json rest = called("diagnose", more, root.path()).at("structuredContent");
  REQUIRE(rest.at("runs").size() == 4);
  CHECK(rest.at("runs").at(3).at("label") == "run 6");
  CHECK(rest.at("findings").empty());

  const Json facts = called("facts", asked, root.path()).at("structuredContent");
  CHECK(facts.at("tables").at(0).at("values").size() == 4);
  CHECK(facts.at("tables").at(0).at("runs_left_out") == 3);

  std::vector<ArchiveFile> files;
  for (int i = 0; i < 5; ++i) files.push_back({.name = std::to_string(i) + ".json", .content = facts_of_runs(1)});
  const Folder many(files);
  const Json inputs = called("facts", {{"traces", {"."}}}, many.path()).at("structuredContent");
  CHECK(inputs.at("inputs").size() + inputs.value("inputs_left_out", 0) >= 5);
  const Json others =
      called("facts", {{"traces", {"."}}, {"cursor", inputs.at("inputs_cursor")}}, many.path()).at("structuredContent");
  CHECK(others.at("inputs").size() == inputs.at("inputs_left_out"));
}

TEST_CASE("a subject that is called as a number of subjects is asked for by its name", "[mcp]") {
  const Folder root({{"facts.json", facts_of_kernels({"plain", "#1", "##1", "#x"})}, {"own.yaml", each_kernel}});
  const Json data =
      called("explain",
             {{"rule", "team.each"}, {"traces", {"facts.json"}}, {"rules", {"own.yaml"}}, {"max_tokens", 20000}},
             root.path())
          .at("structuredContent");
  REQUIRE(data.at("judgements").size() == 4);
  for (const Json& judgement : data.at("judgements")) {
    Json asked = {{"traces", {"facts.json"}}, {"rules", {"own.yaml"}}, {"expression", "count(kernels)"}};
    asked.update(judgement.at("view"));
    INFO(judgement.at("view").dump());
    const Json answers = called("query", asked, root.path()).at("structuredContent").at("answers");
    REQUIRE(answers.size() == 1);
    CHECK(answers.at(0).at("subject") == judgement.at("subject"));
  }
}

}  // namespace kdiag::tests
