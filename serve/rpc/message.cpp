// SPDX-License-Identifier: Apache-2.0
#include "serve/rpc/message.hpp"

#include <utility>

namespace kdiag::serve {
namespace {

constexpr int most_depth = 64;

struct TooDeep {};

/// The library parses without recursion, but destroys and copies values by it.
bool check_depth(int depth, Json::parse_event_t, const Json&) {
  if (depth > most_depth) throw TooDeep{};
  return true;
}

Message refused(Message message, ErrorCode code, std::string text) {
  message.kind = Message::Kind::invalid;
  message.code = code;
  message.error = std::move(text);
  return message;
}

Message message_of(Json&& json) {
  Message out;
  if (json.is_array()) return refused(out, ErrorCode::invalid_request, "batches of messages are not taken");
  if (!json.is_object()) return refused(out, ErrorCode::invalid_request, "a message is an object");
  const auto id = json.find("id");
  const bool has_id = id != json.end();
  if (has_id && (id->is_string() || id->is_number_integer())) out.id = std::move(*id);
  const auto version = json.find("jsonrpc");
  if (version == json.end() || *version != "2.0")
    return refused(std::move(out), ErrorCode::invalid_request, "\"jsonrpc\" is to be \"2.0\"");
  const auto method = json.find("method");
  if (method == json.end()) {
    if (!json.contains("result") && !json.contains("error"))
      return refused(std::move(out), ErrorCode::invalid_request, "\"method\" is missing");
    out.kind = Message::Kind::response;
    return out;
  }
  if (!method->is_string()) return refused(std::move(out), ErrorCode::invalid_request, "\"method\" is to be a text");
  if (has_id && out.id.is_null())
    return refused(std::move(out), ErrorCode::invalid_request, "\"id\" is to be a text or an integer");
  out.method = std::move(method->get_ref<std::string&>());
  if (const auto params = json.find("params"); params != json.end()) out.params = std::move(*params);
  if (has_id && !out.params.is_structured() && !out.params.is_null())
    return refused(std::move(out), ErrorCode::invalid_params, "\"params\" is to be an object or a list");
  out.kind = has_id ? Message::Kind::request : Message::Kind::notification;
  return out;
}

/// What the JSON library says was wrong, without the name that it begins with.
std::string reason_of(const Json::exception& error) {
  const std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

}  // namespace

Message parse_message(std::string_view text) {
  try {
    return message_of(Json::parse(text, check_depth));
  } catch (const TooDeep&) {
    return refused({}, ErrorCode::invalid_request, "values are nested deeper than " + std::to_string(most_depth));
  } catch (const Json::exception& error) {
    return refused({}, ErrorCode::parse_error, reason_of(error));
  }
}

std::string mistake_in_params(const Json::exception& error) {
  constexpr int no_such_key = 403, wrong_type = 302, no_members = 304;  // of the library's documented exceptions
  const std::string reason = reason_of(error);
  const auto quoted = [&reason](char quote) {
    const std::size_t begin = reason.find(quote), end = reason.rfind(quote);
    return begin < end ? reason.substr(begin + 1, end - begin - 1) : std::string();
  };
  switch (error.id) {
    case no_such_key: return "the member '" + quoted('\'') + "' is missing";
    case wrong_type: return "a member is of another type: its " + reason;
    case no_members: return "a value is to be an object, and is none";
    default: return "its parameters cannot be read";
  }
}

std::string text_member(const Json& params, const char* name) {
  const auto found = params.is_object() ? params.find(name) : params.end();
  if (found == params.end())
    throw RequestError(ErrorCode::invalid_params, "the member '" + std::string(name) + "' is missing");
  if (!found->is_string())
    throw RequestError(ErrorCode::invalid_params, "the member '" + std::string(name) + "' is no text");
  return found->get<std::string>();
}

std::string to_text(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

Json result_message(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_message(const Json& id, ErrorCode code, std::string_view text, std::string_view data) {
  Json error = {{"code", static_cast<int>(code)}, {"message", text}};
  if (!data.empty()) error["data"] = Json::parse(data);
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

Json notification_message(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace kdiag::serve
