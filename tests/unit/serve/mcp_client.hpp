// SPDX-License-Identifier: Apache-2.0
// A client that holds conversations with the tool server in this process.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "serve/mcp/mcp.hpp"
#include "serve/rpc/message.hpp"
#include "tests/catch.hpp"
#include "tests/support/examples.hpp"

namespace kdiag::tests {

using serve::Json;

/// What the server answers to some messages, by their order.
inline std::vector<Json> conversation(const std::vector<Json>& messages, const std::string& root = examples) {
  std::FILE* const in = std::tmpfile();
  std::FILE* const out = std::tmpfile();
  REQUIRE((in != nullptr && out != nullptr));
  for (const Json& message : messages) std::fputs((serve::to_text(message) + "\n").c_str(), in);
  std::fflush(in);
  REQUIRE(::lseek(fileno(in), 0, SEEK_SET) == 0);
  serve::mcp::McpOptions options;
  options.most_ms = 0;  // a call takes minutes under a sanitizer
  options.roots = {root};
  serve::mcp::serve(options, fileno(in), fileno(out));
  std::string text;
  char buffer[4096];
  REQUIRE(::lseek(fileno(out), 0, SEEK_SET) == 0);
  for (ssize_t got = 0; (got = ::read(fileno(out), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  std::fclose(in);
  std::fclose(out);
  std::vector<Json> answers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    answers.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return answers;
}

inline Json request(int id, const std::string& method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

inline Json tool_call(const std::string& tool, Json arguments) {
  return request(1, "tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
}

inline Json called(const std::string& tool, const Json& arguments, const std::string& root = examples) {
  const std::vector<Json> answers = conversation({tool_call(tool, arguments)}, root);
  REQUIRE(answers.size() == 1);
  INFO(answers[0].dump());
  REQUIRE(answers[0].contains("result"));
  return answers[0].at("result");
}

inline std::string text_of(const Json& result) { return result.at("content").at(0).at("text").get<std::string>(); }

inline std::string refusal(const std::string& tool, const Json& arguments, const std::string& root = examples) {
  const Json result = called(tool, arguments, root);
  CHECK(result.value("isError", false));
  CHECK_FALSE(result.contains("structuredContent"));
  return text_of(result);
}

inline Json stateless(Json params) {
  params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  return params;
}

/// Calls `use` with each value that has an expression, and the view in which it is asked.
inline void each_value(const Json& data, const Json& view,
                       const std::function<void(const Json& value, const Json& view)>& use) {
  if (data.is_array())
    for (const Json& item : data) each_value(item, view, use);
  if (!data.is_object()) return;
  const Json& inner = data.contains("view") ? data.at("view") : view;
  if (data.contains("expression") && data.contains("value")) return use(data, inner);
  for (const auto& [name, item] : data.items()) each_value(item, inner, use);
}

inline const Json storm = Json::array({"traces/item_storm.json"});

}  // namespace kdiag::tests
