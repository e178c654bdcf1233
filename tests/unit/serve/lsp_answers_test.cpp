// SPDX-License-Identifier: Apache-2.0
// What the language server answers about a place: names, types, values, words that fit.
#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "serve/lsp/file_uri.hpp"
#include "tests/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/unit/serve/lsp_client.hpp"

using kdiag::serve::Json;
using kdiag::tests::LspClient;

namespace {

const std::string waits_uri = "file:///nowhere/waits.yaml";

// Its lines are numbered from 0, as editors do.
constexpr const char* waits_rule = R"(kdiag: 1
pack: {name: team}
define:
- {name: half, doc: A limit of ours., type: ratio, expr: 50%}
rules:
- rule: team.waits
  title: The device waits for ${share}
  summary: Nothing runs.
  for_each: device
  params:
    most: {type: ratio, default: 10%, range: [1%, 100%], doc: Share that is too much.}
  let:
    share: sum(kernels where dur > 4us, dur) / run.wall
  when: share > $most or share > half
  impact: sum(kernels, dur)
- rule: team.other
  title: Another
  summary: Other.
  when: count(kernels) > 3
  impact: sum(kernels, dur)
  explains: [team.waits]
)";

Json place_json(std::size_t line, std::size_t character) {
  return {{"textDocument", {{"uri", waits_uri}}}, {"position", {{"line", line}, {"character", character}}}};
}

std::string start_shown(const Json& range) {
  return range["start"]["line"].dump() + ":" + range["start"]["character"].dump();
}

std::vector<std::string> starts_shown(const Json& places) {
  std::vector<std::string> out;
  for (const Json& place : places) out.push_back(start_shown(place["range"]));
  std::sort(out.begin(), out.end());
  return out;
}

std::string hover_text(LspClient& editor, std::size_t line, std::size_t character) {
  const Json result = editor.ask("textDocument/hover", place_json(line, character))["result"];
  return result.is_null() ? "" : result["contents"]["value"].get<std::string>();
}

std::vector<std::string> words_offered(LspClient& editor, std::size_t line, std::size_t character) {
  std::vector<std::string> out;
  const Json answer = editor.ask("textDocument/completion", place_json(line, character));
  for (const Json& item : answer["result"]) out.push_back(item["label"]);
  return out;
}

bool offers(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string with_line(std::size_t number, const std::string& line) {
  std::string text = waits_rule;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.replace(begin, text.find('\n', begin) - begin, line);
}

}  // namespace

TEST_CASE("names lead to their declarations and uses", "[lsp]") {
  LspClient editor;
  editor.open(waits_uri, waits_rule);
  const auto declared = [&](std::size_t line, std::size_t character) {
    const Json found = editor.ask("textDocument/definition", place_json(line, character))["result"];
    return found.is_null() ? "none" : start_shown(found["range"]);
  };
  CHECK(declared(6, 33) == "12:4");   // share, in a text
  CHECK(declared(13, 16) == "10:4");  // most, at its sign
  CHECK(declared(13, 36) == "3:9");   // half
  CHECK(declared(20, 15) == "5:8");   // team.waits
  CHECK(declared(12, 14) == "none");  // a table
  CHECK(declared(12, 45) == "none");  // a column
  Json asked = place_json(12, 6);
  asked["context"] = {{"includeDeclaration", true}};
  CHECK(starts_shown(editor.ask("textDocument/references", asked)["result"]) ==
        std::vector<std::string>{"12:4", "13:25", "13:8", "6:32"});
}

TEST_CASE("a name is changed everywhere, unless the result would be wrong", "[lsp]") {
  const kdiag::tests::Folder folder(std::vector<kdiag::tests::ArchiveFile>{
      {.name = "more.yaml",
       .content = "kdiag: 1\npack: {name: more}\nrules:\n- rule: more.one\n  title: One\n  summary: One.\n"
                  "  when: count(kernels) > 3\n  impact: sum(kernels, dur)\n  explains: [team.waits]\n"}});
  LspClient editor;
  const std::string uri = kdiag::serve::uri_of(folder.path("waits.yaml"));
  editor.open(uri, waits_rule);
  const auto rename = [&](std::size_t line, std::size_t character, const std::string& to) {
    Json asked = place_json(line, character);
    asked["textDocument"]["uri"] = uri;
    asked["newName"] = to;
    return editor.ask("textDocument/rename", asked);
  };
  const Json let = rename(13, 9, "part")["result"]["changes"][uri];
  CHECK(starts_shown(let) == std::vector<std::string>{"12:4", "13:25", "13:8", "6:32"});
  CHECK(let[0]["newText"] == "part");
  const Json param = rename(13, 18, "limit")["result"]["changes"][uri];
  CHECK(starts_shown(param) == std::vector<std::string>{"10:4", "13:17"});
  const Json rule = rename(5, 10, "team.idle")["result"]["changes"];
  CHECK(starts_shown(rule[uri]) == std::vector<std::string>{"20:13", "5:8"});
  CHECK(starts_shown(rule[kdiag::serve::uri_of(folder.path("more.yaml"))]) == std::vector<std::string>{"8:13"});
  CHECK(rename(13, 9, "not a name")["error"]["code"] == -32803);
  CHECK(rename(13, 9, "half")["error"]["code"] == -32803);
  CHECK(rename(13, 9, "sum")["error"]["message"] == "'sum' is the name of a function");
  CHECK_THAT(rename(13, 18, "kernels")["error"]["message"].get<std::string>(), Catch::Contains("'kernels' is"));
  CHECK(rename(0, 0, "kdiags")["error"]["code"] == -32803);
}

TEST_CASE("an outline has rules with their parts", "[lsp]") {
  LspClient editor;
  editor.open(waits_uri, waits_rule);
  const Json symbols = editor.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", waits_uri}}}})["result"];
  REQUIRE(symbols.size() == 3);
  CHECK(symbols[0]["name"] == "half");
  CHECK(symbols[1]["name"] == "team.waits");
  REQUIRE(symbols[1]["children"].size() == 2);
  CHECK(symbols[1]["children"][1]["name"] == "share");
  CHECK(symbols[1]["children"][1]["detail"] == "sum(kernels where dur > 4us, dur) / run.wall");
  CHECK(start_shown(symbols[1]["range"]) == "5:8");
  CHECK(symbols[1]["range"]["end"]["line"] == 15);
  CHECK_FALSE(symbols[2].contains("children"));
}

TEST_CASE("hovering says what a name is, the type of an expression, and what words mean", "[lsp]") {
  LspClient editor;
  editor.open(waits_uri, waits_rule);
  editor.diagnostics(waits_uri, 1);
  CHECK(hover_text(editor, 13, 9) ==
        "```text\nshare: sum(kernels where dur > 4us, dur) / run.wall\n```\n```text\nshare\nratio\n```\n");
  CHECK(hover_text(editor, 13, 18).starts_with("```text\nmost: ratio\nShare that is too much.\n```\n"));
  const std::string table = hover_text(editor, 12, 18);
  CHECK(table.find("a table of kernels") != std::string::npos);
  CHECK(table.find("table kernels: ") != std::string::npos);
  CHECK(hover_text(editor, 12, 12).find("sum(") != std::string::npos);
  CHECK(hover_text(editor, 12, 30).find("time, in ns, for each row") != std::string::npos);
  CHECK(hover_text(editor, 1, 0).empty());
}

TEST_CASE("hovering shows values on the bound trace, unknown with its causes", "[lsp]") {
  const std::string trace = std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json";
  const Json options = {{"initializationOptions", {{"trace", trace}}}};
  LspClient editor(options);
  std::string text = waits_rule;
  text.replace(text.find("count(kernels) > 3"), 18, "device.sm_clock_avg > 3MHz");
  text.replace(text.find("  when: device"), 0, "  for_each: device\n");
  editor.open(waits_uri, text);
  editor.diagnostics(waits_uri, 1);
  const std::string known = hover_text(editor, 13, 9);
  CHECK(known.find("item_storm.json\nGPU 0: ") != std::string::npos);
  CHECK(known.find("unknown") == std::string::npos);
  const std::string unknown = hover_text(editor, 19, 18);
  CHECK(unknown.find(": unknown") != std::string::npos);
  CHECK(unknown.find("\n  devices.sm_clock_avg ") != std::string::npos);
  editor.tell("workspace/didChangeConfiguration", {{"settings", {{"kdiag", {{"trace", "/nowhere/t.json"}}}}}});
  CHECK(hover_text(editor, 13, 9).find("/nowhere/t.json: ") != std::string::npos);
}

TEST_CASE("what fits is offered, also where the YAML is broken", "[lsp]") {
  LspClient editor;
  editor.open(waits_uri, waits_rule);
  editor.diagnostics(waits_uri, 1);
  int version = 1;
  const auto offered = [&](std::size_t number, const std::string& line) {
    editor.open(waits_uri, with_line(number, line), ++version);
    return words_offered(editor, number, line.size());
  };
  const auto expression = offered(13, "  when: s");
  CHECK(offers(expression, "share"));
  CHECK(offers(expression, "sum("));
  CHECK_FALSE(offers(expression, "most"));
  CHECK(offers(offered(13, "  when: share > $"), "most"));
  CHECK(offers(offered(13, "  when: device."), "sm_clock_max"));
  CHECK_FALSE(offers(offered(13, "  when: device."), "share"));
  CHECK(offers(offered(13, "  when: share > h"), "half"));
  CHECK(offers(offered(20, "  explains: [host.sy"), "host.sync-stall"));
  CHECK(offers(offered(15, "  sever"), "severity"));
  CHECK(offers(offered(2, "define: {["), "sum("));
  CHECK(offers(offered(13, "  when: [{ share > $"), "most"));
}

TEST_CASE("keys and words are those of their place", "[lsp]") {
  LspClient editor;
  int version = 0;
  const auto offered = [&](std::size_t number, const std::string& line) {
    editor.open(waits_uri, with_line(number, line), ++version);
    return words_offered(editor, number, line.size());
  };
  const auto of_rule = offered(15, "  ");
  CHECK((offers(of_rule, "severity") && offers(of_rule, "when")));
  CHECK_FALSE((offers(of_rule, "range") || offers(of_rule, "define") || offers(of_rule, "sum(")));
  CHECK((offers(offered(15, ""), "define") && !offers(offered(15, ""), "severity")));
  CHECK(offered(10, "    most: {type: ratio, ra") == std::vector<std::string>{"default", "doc", "range", "type"});
  CHECK(offers(offered(10, "    most: {type: "), "ratio"));
  CHECK(offered(15, "  role: ") == std::vector<std::string>{"cause", "health", "symptom"});
  CHECK(offers(offered(8, "  for_each: "), "device"));
  editor.open(waits_uri, with_line(15, "  tests:\n  - name: x\n    facts:\n      kernels:\n      - name: k\n        "),
              ++version);
  const auto columns = words_offered(editor, 20, 8);
  CHECK((offers(columns, "dur") && !offers(columns, "facts")));
  editor.open(waits_uri, "kdiag_map: 1\n", ++version);
  CHECK(offers(words_offered(editor, 1, 0), "rows"));
}

TEST_CASE("a text is offered what its column can be, and is on the bound trace", "[lsp]") {
  const std::string trace = std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json";
  const Json options = {{"initializationOptions", {{"trace", trace}}}};
  LspClient editor(options);
  int version = 0;
  const auto offered = [&](const std::string& line) {
    editor.open(waits_uri, with_line(13, line), ++version);
    return words_offered(editor, 13, line.size());
  };
  CHECK(offers(offered("  when: count(copies where kind == \""), "h2d"));
  CHECK(offers(offered("  when: count(copies where kind not in [\"d2h\", \"h"), "h2d"));
  CHECK(offers(offered("  when: count(kernels where name == \"amp"), "ampere_sgemm_128x64_tn"));
  CHECK_FALSE(offers(offered("  when: count(copies where kind == \""), "ampere_sgemm_128x64_tn"));
  CHECK_FALSE(offers(offered("  when: count(kernels where op.name == \""), "ampere_sgemm_128x64_tn"));
  CHECK_FALSE(offers(offered("  title: \"kind == "), "h2d"));
}

TEST_CASE("words of expressions have kinds, for colours", "[lsp]") {
  LspClient editor;
  editor.open(waits_uri, waits_rule);
  const Json legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"];
  const Json data =
      editor.ask("textDocument/semanticTokens/full", {{"textDocument", {{"uri", waits_uri}}}})["result"]["data"];
  REQUIRE((!data.empty() && data.size() % 5 == 0));
  std::string shown;
  std::size_t line = 0, character = 0;
  for (std::size_t i = 0; i < data.size(); i += 5) {
    character = data[i + 1].get<std::size_t>() + (data[i] == 0 ? character : 0);
    line += data[i].get<std::size_t>();
    if (line == 12 || line == 13)
      shown += std::to_string(character) + ":" + legend[data[i + 3].get<std::size_t>()].get<std::string>() + " ";
  }
  CHECK(shown ==
        "11:function 15:class 23:keyword 29:property 33:operator 35:number 40:property 45:operator 47:keyword "
        "51:property "
        "8:variable 14:operator 16:parameter 22:keyword 25:variable 31:operator 33:macro ");
}

TEST_CASE("what is indented can be folded, and so can comments", "[lsp]") {
  LspClient editor;
  editor.open(waits_uri, "# One\n# two\nkdiag: 1\nrules:\n- rule: a.b\n  let:\n    x: 1\n\n- rule: a.c\n");
  const Json folds = editor.ask("textDocument/foldingRange", {{"textDocument", {{"uri", waits_uri}}}})["result"];
  std::vector<std::string> shown;
  for (const Json& fold : folds)
    shown.push_back(fold["startLine"].dump() + "-" + fold["endLine"].dump() + fold.value("kind", ""));
  std::sort(shown.begin(), shown.end());
  CHECK(shown == std::vector<std::string>{"0-1comment", "3-8", "4-6", "5-6"});
}

TEST_CASE("a mistake that has one remedy is mended", "[lsp]") {
  LspClient editor;
  const auto fixes = [&](int version, const std::string& text) {
    editor.open(waits_uri, text, version);
    const Json whole = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 99}, {"character", 0}}}};
    return editor.ask("textDocument/codeAction", {{"textDocument", {{"uri", waits_uri}}},
                                                  {"range", whole},
                                                  {"context", {{"diagnostics", Json::array()}}}})["result"];
  };
  CHECK(fixes(1, waits_rule).empty());
  const Json name = fixes(2, with_line(14, "  impact: sum(kernls, dur)"));
  REQUIRE(name.size() == 1);
  CHECK(name[0]["title"] == "Replace by 'kernels'");
  CHECK(name[0]["edit"]["changes"][waits_uri][0]["newText"] == "kernels");
  CHECK(start_shown(name[0]["edit"]["changes"][waits_uri][0]["range"]) == "14:14");
  const Json key = fixes(3, with_line(14, "  impakt: sum(kernels, dur)"));
  REQUIRE(key.size() == 1);
  CHECK(key[0]["edit"]["changes"][waits_uri][0]["newText"] == "impact");
  std::string many = "kdiag: 1\ndefine:\n";
  for (int i = 0; i < 30; ++i)
    many += "- {name: d" + std::to_string(i) + ", doc: D., type: number, expr: count(kernls)}\n";
  CHECK(fixes(4, many + "rules: []\n").size() == 5);
}

TEST_CASE("lenses say how the tests of a file end", "[lsp]") {
  LspClient editor;
  std::string text = waits_rule;
  text.replace(text.find("- rule: team.other"), 0,
               "  tests:\n"
               "  - {name: none, expect: clear, facts: {devices: [{id: 0}], kernels: [{name: a, start: 0us, dur: 1us, "
               "device: 0}]}}\n"
               "  - {name: all, expect: fired, facts: {devices: [{id: 0}], kernels: [{name: a, start: 0us, dur: 1us, "
               "device: 0}]}}\n");
  editor.open(waits_uri, text);
  const Json lenses = editor.ask("textDocument/codeLens", {{"textDocument", {{"uri", waits_uri}}}})["result"];
  REQUIRE(lenses.size() == 2);
  CHECK(lenses[0]["command"]["title"] == "passed");
  CHECK(lenses[0]["range"]["start"]["line"] == 16);
  CHECK(lenses[1]["command"]["title"].get<std::string>().starts_with("failed: expected "));
  editor.tell(
      "workspace/didChangeConfiguration",
      {{"settings", {{"kdiag", {{"trace", std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json"}}}}}});
  editor.diagnostics(waits_uri, 1);
  const Json with_trace = editor.ask("textDocument/codeLens", {{"textDocument", {{"uri", waits_uri}}}})["result"];
  REQUIRE(with_trace.size() == 4);
  CHECK(with_trace[2]["command"]["title"] == "on item_storm.json: fires 1");
  CHECK(with_trace[2]["range"]["start"]["line"] == 5);
  editor.open(waits_uri, "kdiag: 1\nrules: 3\n", 2);
  CHECK(editor.ask("textDocument/codeLens", {{"textDocument", {{"uri", waits_uri}}}})["result"].empty());
}
