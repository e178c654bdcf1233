// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/language_server.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "serve/lsp/check_document.hpp"
#include "serve/lsp/completion.hpp"
#include "serve/lsp/fixes.hpp"
#include "serve/lsp/folding.hpp"
#include "serve/lsp/formatting.hpp"
#include "serve/lsp/hover.hpp"
#include "serve/lsp/lenses.hpp"
#include "serve/lsp/names.hpp"
#include "serve/lsp/semantic_tokens.hpp"
#include "serve/lsp/session.hpp"
#include "serve/lsp/to_json.hpp"
#include "serve/rpc/server.hpp"

namespace kdiag::serve {
namespace {

/// The setting in what an editor sends: Neovim has a list without members where nothing is set.
std::string trace_in(const Json& params, const Json::json_pointer& place) {
  if (!params.contains(place) || !params.at(place).is_string()) return {};
  return params.at(place).get<std::string>();
}

/// Of a document: editors may count none, and send null.
std::optional<std::int64_t> version_in(const Json& document) {
  const auto version = document.find("version");
  if (version == document.end() || !version->is_number_integer()) return std::nullopt;
  return version->get<std::int64_t>();
}

class LanguageServer {
 public:
  LanguageServer(int input, int output)
      : server_({.framing = Framing::headers, .cancel_method = "$/cancelRequest", .cancel_key = "id"}, input, output) {
    add_lifecycle();
    add_documents();
    add_answers();
    server_.when_idle([this](std::atomic<bool>& stop) { check_changed(stop); });
  }

  int run() { return server_.run().value_or(0); }

 private:
  using Answer = Json (*)(Session& session, const Json& params, const std::atomic<bool>& stop);

  void add_lifecycle() {
    server_.on_request("initialize", [this](const Json& params, std::atomic<bool>&) { return initialize(params); });
    server_.on_request("shutdown", [this](const Json&, std::atomic<bool>&) {
      session_.shut_down = true;
      return Json();
    });
    server_.on_notification("exit", [this](const Json&) { server_.finish(session_.shut_down ? 0 : 1); });
  }

  Json initialize(const Json& params) {
    session_.initialized = true;
    session_.trace.path = trace_in(params, "/initializationOptions/trace"_json_pointer);
    const Json offered = params.value("/capabilities/general/positionEncodings"_json_pointer, Json::array());
    for (const Json& encoding : offered)
      if (encoding == "utf-8") session_.encoding = Encoding::utf8;
    return {{"capabilities",
             {{"positionEncoding", session_.encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
              {"documentFormattingProvider", true},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"renameProvider", true},
              {"documentSymbolProvider", true},
              {"hoverProvider", true},
              {"completionProvider", {{"triggerCharacters", {".", "$", "\""}}}},
              {"codeLensProvider", {{"resolveProvider", false}}},
              {"foldingRangeProvider", true},
              {"semanticTokensProvider", {{"legend", token_legend()}, {"full", true}}},
              {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}}}},
            {"serverInfo", {{"name", "kdiag"}, {"version", version()}}}};
  }

  void add_documents() {
    server_.on_notification("textDocument/didOpen", [this](const Json& params) {
      const Json& item = params.at("textDocument");
      const auto uri = item.at("uri").get<std::string>();
      session_.documents.open(uri, version_in(item), item.at("text").get<std::string>());
      session_.check_again(uri);
    });
    server_.on_notification("textDocument/didChange", [this](const Json& params) { change(params); });
    server_.on_notification("textDocument/didSave", [this](const Json& params) {
      session_.check_again(params.at("textDocument").at("uri").get<std::string>());
    });
    server_.on_notification("textDocument/didClose", [this](const Json& params) {
      const auto uri = params.at("textDocument").at("uri").get<std::string>();
      session_.documents.close(uri);
      session_.good.erase(uri);
      session_.told.erase(uri);
      server_.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
      session_.check_again(uri);
    });
  }

  void change(const Json& params) {
    const Json& item = params.at("textDocument");
    const auto uri = item.at("uri").get<std::string>();
    const auto version = version_in(item);
    for (const Json& change : params.at("contentChanges")) {
      auto text = change.at("text").get<std::string>();
      if (!change.contains("range")) {
        session_.documents.replace(uri, version, std::move(text));
        continue;
      }
      const Json& range = change.at("range");
      session_.documents.change(uri, version,
                                {position_in(range.at("start")), position_in(range.at("end")), std::move(text)},
                                session_.encoding);
    }
    session_.check_again(uri);
  }

  /// Of each document the newest version: an older one was given up when a message came.
  void check_changed(const std::atomic<bool>& stop) {
    while (!session_.unchecked.empty() && !stop) {
      const std::string uri = session_.unchecked.front();
      const Document& document = *session_.documents.find(uri);
      auto checked = check_document(document, session_.documents, stop);
      if (!checked) return;
      Json mistakes = Json::array();
      for (const Diagnostic& mistake : checked->mistakes)
        mistakes.push_back(to_json(mistake, document, session_.encoding));
      if (checked->rules) session_.good.insert_or_assign(uri, GoodText{std::move(*checked->rules), document.text()});
      session_.told.insert_or_assign(uri, ToldMistakes{document.text(), std::move(checked->mistakes)});
      session_.unchecked.erase(session_.unchecked.begin());
      Json published = {{"uri", uri}, {"diagnostics", std::move(mistakes)}};
      if (document.version) published["version"] = *document.version;
      server_.notify("textDocument/publishDiagnostics", published);
    }
  }

  void add_answers() {
    add("textDocument/formatting", format_document);
    add("textDocument/definition", find_definition);
    add("textDocument/references", find_references);
    add("textDocument/rename", rename_everywhere);
    add("textDocument/documentSymbol", list_symbols);
    add("textDocument/hover", hover);
    add("textDocument/completion", complete);
    add("textDocument/codeAction", list_fixes);
    add("textDocument/codeLens", list_lenses);
    add("textDocument/foldingRange", list_folds);
    add("textDocument/semanticTokens/full", list_tokens);
    server_.on_notification("workspace/didChangeConfiguration", [this](const Json& params) {
      session_.trace = {trace_in(params, "/settings/kdiag/trace"_json_pointer), {}, {}};
    });
  }

  void add(std::string method, Answer answer) {
    server_.on_request(std::move(method), [this, answer](const Json& params, std::atomic<bool>& stop) {
      if (!session_.initialized) throw RequestError(ErrorCode::not_initialized, "the first request is `initialize`");
      if (session_.shut_down) throw RequestError(ErrorCode::invalid_request, "the server was shut down");
      return answer(session_, params, stop);
    });
  }

  Server server_;
  Session session_;
};

}  // namespace

int run_language_server(int input, int output) { return LanguageServer(input, output).run(); }

}  // namespace kdiag::serve
