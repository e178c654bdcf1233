// SPDX-License-Identifier: Apache-2.0
// An editor that drives the language server in this process.
#pragma once

#include <unistd.h>

#include <array>
#include <future>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "serve/lsp/language_server.hpp"
#include "serve/rpc/framing.hpp"
#include "serve/rpc/message.hpp"
#include "tests/catch.hpp"

namespace kdiag::tests {

class LspClient {
 public:
  using Json = serve::Json;

  explicit LspClient(const Json& options = Json::object()) {
    REQUIRE(::pipe(to_.data()) == 0);
    REQUIRE(::pipe(from_.data()) == 0);
    reader_ = serve::FrameReader(from_[0], -1, serve::Framing::headers, std::size_t{64} << 20);
    status_ = std::async(std::launch::async, [this] {
      const int status = serve::run_language_server(to_[0], from_[1]);
      ::close(from_[1]);
      return status;
    });
    Json params = {{"capabilities", Json::object()}};
    params.update(options);
    capabilities = ask("initialize", params)["result"]["capabilities"];
    tell("initialized", Json::object());
  }
  ~LspClient() {
    if (to_[1] >= 0) ::close(to_[1]);
    if (status_.valid()) status_.wait();
    ::close(to_[0]);
    ::close(from_[0]);
  }
  LspClient(const LspClient&) = delete;
  LspClient& operator=(const LspClient&) = delete;

  void tell(const std::string& method, const Json& params) { send({{"method", method}, {"params", params}}); }
  /// The whole answer.
  Json ask(const std::string& method, const Json& params) {
    const int id = ++last_id_;
    send({{"id", id}, {"method", method}, {"params", params}});
    for (;;)
      if (Json message = next(); message.contains("id")) {
        REQUIRE(message["id"] == id);
        return message;
      }
  }
  /// The diagnostics of a version of a document; of version -1, which is none, those that come next.
  Json diagnostics(const std::string& uri, int version) {
    for (;;) {
      if (const auto known = published_.find({uri, version}); known != published_.end())
        return version < 0 ? published_.extract(known).mapped() : known->second;
      next();
    }
  }
  void open(const std::string& uri, const std::string& text, int version = 1) {
    tell("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "yaml"}, {"version", version}, {"text", text}}}});
  }
  int leave() {
    ask("shutdown", nullptr);
    tell("exit", nullptr);
    return status_.get();
  }

  Json capabilities;

 private:
  void send(Json message) {
    message["jsonrpc"] = "2.0";
    REQUIRE(serve::write_all(to_[1], serve::framed(serve::to_text(message), serve::Framing::headers)));
  }
  Json next() {
    const serve::Frame frame = reader_.next();
    REQUIRE(frame.kind == serve::Frame::Kind::message);
    Json message = Json::parse(frame.text);
    if (message.value("method", "") == "textDocument/publishDiagnostics") {
      const Json& params = message["params"];
      published_[{params["uri"], params.value("version", -1)}] = params["diagnostics"];
    }
    return message;
  }

  std::array<int, 2> to_{}, from_{};
  serve::FrameReader reader_{-1, -1, serve::Framing::headers, 0};
  std::future<int> status_;
  std::map<std::pair<std::string, int>, Json> published_;
  int last_id_ = 0;
};

}  // namespace kdiag::tests
