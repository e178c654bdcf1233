// SPDX-License-Identifier: Apache-2.0
// The language server: an editor's messages in, what it shows out.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <kdiag/editing.hpp>

#include "serve/lsp/file_uri.hpp"
#include "serve/lsp/session.hpp"
#include "serve/lsp/text_lines.hpp"
#include "tests/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/golden.hpp"
#include "tests/unit/serve/lsp_client.hpp"

using kdiag::serve::Encoding;
using kdiag::serve::Json;
using kdiag::tests::LspClient;

namespace {

constexpr const char* busy_rule = R"(kdiag: 1
pack: {name: team}
rules:
- rule: team.busy
  title: The device is busy
  summary: Kernels run.
  for_each: device
  let:
    share: busy(kernels) / run.wall
  when: share > 50%
  impact: spans(kernels)
)";

Json position_json(std::size_t line, std::size_t character) { return {{"line", line}, {"character", character}}; }

/// A change of one line's characters.
Json edit_json(const std::string& uri, int version, std::size_t line, std::size_t from, std::size_t to,
               const std::string& text) {
  return {{"textDocument", {{"uri", uri}, {"version", version}}},
          {"contentChanges",
           {{{"range", {{"start", position_json(line, from)}, {"end", position_json(line, to)}}}, {"text", text}}}}};
}

/// "K301 3:5-3:9" of a diagnostic as an editor got it.
std::string place_shown(const Json& diagnostic) {
  const auto at = [&](const char* end) {
    const Json& position = diagnostic["range"][end];
    return position["line"].dump() + ":" + position["character"].dump();
  };
  return diagnostic.value("code", "") + " " + at("start") + "-" + at("end");
}

std::vector<std::string> places_shown(const Json& diagnostics) {
  std::vector<std::string> out;
  for (const Json& diagnostic : diagnostics) out.push_back(place_shown(diagnostic));
  return out;
}

/// The same of what the command would say of a file.
std::vector<std::string> places_said(const kdiag::Diagnostics& all, const std::string& path, const std::string& text) {
  const kdiag::serve::TextLines lines(text);
  std::vector<std::string> out;
  for (const kdiag::Diagnostic& one : all) {
    kdiag::Span span;
    if (!one.labels.empty() && one.labels.front().span.source && one.labels.front().span.source->name == path)
      span = one.labels.front().span;
    const auto begin = lines.position_of(span.offset, Encoding::utf16);
    const auto end = lines.position_of(span.offset + span.length, Encoding::utf16);
    out.push_back(one.id + " " + std::to_string(begin.line) + ":" + std::to_string(begin.character) + "-" +
                  std::to_string(end.line) + ":" + std::to_string(end.character));
  }
  return out;
}

}  // namespace

TEST_CASE("positions count UTF-16 units or bytes, and lines end in three ways", "[lsp]") {
  const kdiag::serve::TextLines lines("a\xc3\xa4\xf0\x9f\x98\x80z\r\nb\rc\n");
  CHECK(lines.size() == 4);
  CHECK(lines.line(0) == "a\xc3\xa4\xf0\x9f\x98\x80z");
  CHECK(lines.line(3).empty());
  CHECK(lines.offset_of({0, 4}, Encoding::utf16) == 7);
  CHECK(lines.offset_of({0, 3}, Encoding::utf16) == 3);  // inside of a character: before it
  CHECK(lines.offset_of({0, 7}, Encoding::utf8) == 7);
  CHECK(lines.offset_of({0, 99}, Encoding::utf16) == 8);
  CHECK(lines.offset_of({99, 0}, Encoding::utf16) == lines.text().size());
  CHECK(lines.position_of(7, Encoding::utf16).character == 4);
  CHECK(lines.position_of(7, Encoding::utf8).character == 7);
  CHECK(lines.position_of(10, Encoding::utf16).line == 1);
  CHECK(lines.position_of(12, Encoding::utf16).line == 2);
  CHECK(lines.position_of(999, Encoding::utf16).line == 3);
}

TEST_CASE("paths and URIs of files are the same thing", "[lsp]") {
  CHECK(kdiag::serve::path_of("file:///a%20b/%c3%a4.yaml") == "/a b/\xc3\xa4.yaml");
  CHECK(kdiag::serve::path_of("file://localhost/a%2") == "/a%2");
  CHECK(kdiag::serve::path_of("file:///a/x/../b.yaml") == "/a/b.yaml");
  CHECK(kdiag::serve::path_of("file:///a/./%2e%2e/b.yaml") == "/b.yaml");
  CHECK(kdiag::serve::path_of("untitled:1") == "untitled:1");
  CHECK(kdiag::serve::path_of("git:/a/../b.yaml") == "git:/a/../b.yaml");
  CHECK(kdiag::serve::uri_of("/a b/\xc3\xa4.yaml") == "file:///a%20b/%C3%A4.yaml");
}

TEST_CASE("a language server begins and ends as the protocol wants", "[lsp]") {
  LspClient editor;
  CHECK(editor.capabilities["positionEncoding"] == "utf-16");
  CHECK(editor.leave() == 0);
  const Json encodings = {{"positionEncodings", {"utf-32", "utf-8"}}};
  LspClient bytes(Json{{"capabilities", {{"general", encodings}}}});
  CHECK(bytes.capabilities["positionEncoding"] == "utf-8");
  bytes.ask("shutdown", nullptr);
  const Json late = bytes.ask("textDocument/formatting", {{"textDocument", {{"uri", "file:///a"}}}});
  CHECK(late["error"]["code"] == -32600);
}

TEST_CASE("an editor may send settings that are none", "[lsp]") {
  for (const char* options : {"[]", "null", R"({"trace": null})", R"({"trace": 5})", R"({"trace": "a.json"})"}) {
    INFO(options);
    const Json params = {{"initializationOptions", Json::parse(options)}};
    LspClient client(params);
    CHECK(client.capabilities["hoverProvider"] == true);
    client.tell("workspace/didChangeConfiguration", {{"settings", Json::parse(options)}});
    CHECK(client.leave() == 0);
  }
}

TEST_CASE("the document that changed is checked first, then those that have waited", "[lsp]") {
  kdiag::serve::Session session;
  for (const char* uri : {"file:///a.yaml", "file:///b.yaml", "file:///c.yaml"}) session.documents.open(uri, 1, "");
  session.check_again("file:///c.yaml");
  CHECK(session.unchecked == std::vector<std::string>{"file:///c.yaml", "file:///a.yaml", "file:///b.yaml"});
  session.unchecked = {"file:///b.yaml"};  // the others are done
  session.check_again("file:///c.yaml");
  CHECK(session.unchecked == std::vector<std::string>{"file:///c.yaml", "file:///b.yaml", "file:///a.yaml"});
  session.documents.close("file:///c.yaml");
  session.check_again("file:///c.yaml");
  CHECK(session.unchecked == std::vector<std::string>{"file:///b.yaml", "file:///a.yaml"});
}

TEST_CASE("an editor is told of the mistakes of each version of a file", "[lsp]") {
  LspClient editor;
  const std::string uri = "file:///nowhere/busy.yaml";
  editor.open(uri, busy_rule);
  const Json before = editor.diagnostics(uri, 1);
  editor.tell("textDocument/didChange", edit_json(uri, 2, 8, 16, 23, "\xf0\x9f\x98\x80kernls"));
  CHECK(places_shown(editor.diagnostics(uri, 2)) == std::vector<std::string>{"K120 8:16-8:18"});
  editor.tell("textDocument/didChange", edit_json(uri, 3, 8, 16, 18, ""));
  const Json unknown = editor.diagnostics(uri, 3);
  CHECK(places_shown(unknown) == std::vector<std::string>{"K302 8:16-8:22"});
  CHECK(unknown[0]["severity"] == 1);
  CHECK(unknown[0]["message"].get<std::string>().find("did you mean 'kernels'?") != std::string::npos);
  editor.tell("textDocument/didChange",
              {{"textDocument", {{"uri", uri}, {"version", 4}}}, {"contentChanges", {{{"text", busy_rule}}}}});
  CHECK(editor.diagnostics(uri, 4) == before);
  editor.tell("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  CHECK(editor.diagnostics(uri, -1).empty());
}

TEST_CASE("a rule sees what another open file defines, saved or not", "[lsp]") {
  const kdiag::tests::Folder folder(
      std::vector<kdiag::tests::ArchiveFile>{{.name = "common.yaml", .content = "kdiag: 1\npack: {name: common}\n"}});
  LspClient editor;
  std::string text = busy_rule;
  text.replace(text.find("rules:"), 0, "import: [./common.yaml]\n");
  text.replace(text.find("share > 50%"), 11, "share > most_busy");
  const std::string uri = kdiag::serve::uri_of(folder.path("busy.yaml"));
  const std::string common = kdiag::serve::uri_of(folder.path("common.yaml"));
  editor.open(uri, text);
  CHECK(places_shown(editor.diagnostics(uri, 1)).front().starts_with("K302 10:16-10:25"));
  editor.open(common,
              "kdiag: 1\npack: {name: common}\ndefine:\n- {name: most_busy, doc: A limit., type: ratio, expr: 50%}\n",
              7);
  editor.diagnostics(common, 7);
  editor.tell("textDocument/didChange", edit_json(uri, 2, 0, 8, 8, " "));
  for (const std::string& place : places_shown(editor.diagnostics(uri, 2))) CHECK_FALSE(place.starts_with("K302"));
}

TEST_CASE("what is no file of the file system is checked by its text alone", "[lsp]") {
  LspClient editor;
  std::string text = busy_rule;
  text.replace(text.find("kernels) / run"), 7, "kernls");
  const std::vector<std::string> mistake = {"K302 8:16-8:22"};
  for (const char* uri : {"untitled:1", "untitled:/etc/../passwd", "git:/nowhere/x.yaml?%7B%22ref%22%3A%22~%22%7D",
                          "vscode-notebook-cell:/a/b.yaml#c1", "x", "", "file://", "file:///nowhere/../a.yaml"}) {
    INFO(uri);
    editor.open(uri, text);
    CHECK(places_shown(editor.diagnostics(uri, 1)) == mistake);
    editor.open(uri, "kdiag: 1\nimport: [./hosts.yaml, /etc/hosts]\nrules: []\n", 2);
    CHECK(editor.diagnostics(uri, 2).dump().find("localhost") == std::string::npos);
    const Json asked = {{"textDocument", {{"uri", uri}}}, {"position", position_json(1, 2)}};
    CHECK(editor.ask("textDocument/definition", asked).contains("result"));
    editor.tell("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  }
  CHECK(editor.leave() == 0);
}

TEST_CASE("an editor need not count versions", "[lsp]") {
  LspClient editor;
  for (const Json& version : {Json(), Json("1"), Json(1.5)}) {
    INFO(version.dump());
    const std::string uri = "file:///nowhere/" + version.dump().substr(0, 1) + ".yaml";
    editor.tell("textDocument/didOpen",
                {{"textDocument", {{"uri", uri}, {"languageId", "yaml"}, {"version", version}, {"text", busy_rule}}}});
    CHECK_FALSE(editor.diagnostics(uri, -1).empty());
    Json edit = edit_json(uri, 0, 8, 16, 23, "kernls");
    edit["textDocument"]["version"] = version;
    editor.tell("textDocument/didChange", edit);
    editor.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", uri}}}});
    CHECK(places_shown(editor.diagnostics(uri, -1)) == std::vector<std::string>{"K302 8:16-8:22"});
  }
}

TEST_CASE("editors are told what the command says, of every kind of mistake", "[lsp][golden]") {
  LspClient editor;
  int version = 0;
  for (const std::string& file : kdiag::tests::golden_files("errors", ".in")) {
    CAPTURE(file);
    const std::string text = kdiag::tests::read_file(file);
    if (kdiag::serve::to_text(text).find("\\ufffd") != std::string::npos) continue;  // editors have text alone
    const std::string name = text.starts_with("--") ? "t.lua" : "t.yaml";
    const kdiag::tests::Folder folder(std::vector<kdiag::tests::ArchiveFile>{{.name = name, .content = text}});
    const std::string path = folder.path(name);
    kdiag::Diagnostics said;
    if (text.starts_with("kdiag_map:")) {
      if (const auto map = kdiag::load_map(path); !map) said = map.error();
    } else if (kdiag::file_kind(path) == kdiag::FileKind::rules) {
      said = kdiag::mistakes_of(kdiag::load_rules(path));
    } else {
      continue;
    }
    const std::string uri = kdiag::serve::uri_of(path);
    editor.open(uri, text, ++version);
    CHECK(places_shown(editor.diagnostics(uri, version)) == places_said(said, path, text));
    editor.tell("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  }
  CHECK(version > 70);
}

TEST_CASE("a document is formatted as the command does it, by the lines that differ", "[lsp]") {
  LspClient editor;
  const std::string uri = "file:///nowhere/busy.yaml";
  std::string text = busy_rule;
  text.replace(text.find("share > 50%"), 11, "share>50%");
  editor.open(uri, text);
  const Json edits = editor.ask("textDocument/formatting", {{"textDocument", {{"uri", uri}}}})["result"];
  REQUIRE(edits.size() == 1);
  CHECK(edits[0]["newText"] == "  when: share > 50%\n");
  CHECK(edits[0]["range"] == Json{{"start", position_json(9, 0)}, {"end", position_json(10, 0)}});
  editor.open(uri, busy_rule, 2);
  CHECK(editor.ask("textDocument/formatting", {{"textDocument", {{"uri", uri}}}})["result"].empty());
  editor.open(uri, "kdiag: 1\nrules: 3\n", 3);
  CHECK(editor.ask("textDocument/formatting", {{"textDocument", {{"uri", uri}}}})["error"]["code"] == -32803);
  CHECK(editor.ask("textDocument/formatting", {{"textDocument", {{"uri", "file:///other"}}}})["error"]["code"] ==
        -32602);
}
