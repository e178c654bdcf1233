// SPDX-License-Identifier: Apache-2.0
// A message of JSON-RPC 2.0: from text, and to text.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "serve/rpc/json.hpp"
#include "serve/rpc/request_error.hpp"

namespace kdiag::serve {

struct Message {
  enum class Kind {
    request,
    notification,  ///< a request that wants no answer
    response,      ///< to a request of ours
    invalid,       ///< to be answered by an error
  };
  Kind kind = Kind::invalid;
  Json id;  ///< a text or an integer; null where none can be known
  std::string method;
  Json params;  ///< an object or a list; null when there are none
  ErrorCode code = ErrorCode::parse_error;
  std::string error;  ///< of an invalid one
};

/// Never throws but for want of memory. Values inside values are read to a depth of 64, which no message needs
/// (judgement).
Message parse_message(std::string_view text);

/// What was wrong in the parameters of a message, by what the JSON library says of reading them: a member is missing,
/// or is of another kind.
std::string mistake_in_params(const Json::exception& error);

/// A member of the parameters that is a text. Throws RequestError when there is none.
std::string text_member(const Json& params, const char* name);

/// As one line of ASCII: what steers terminals stays inert in logs. Bytes that are no UTF-8 become replacement
/// characters.
std::string to_text(const Json& json);

Json result_message(const Json& id, Json result);
/// `data` is JSON, or empty.
Json error_message(const Json& id, ErrorCode code, std::string_view text, std::string_view data = {});
Json notification_message(std::string_view method, Json params);

}  // namespace kdiag::serve
