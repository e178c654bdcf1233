// SPDX-License-Identifier: Apache-2.0
// Why a request is not answered: what handlers throw, and the server sends.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace kdiag::serve {

/// The codes of JSON-RPC 2.0, and those that the Language Server Protocol adds.
enum class ErrorCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  not_initialized = -32002,
  request_failed = -32803,
  request_cancelled = -32800,
};

class RequestError : public std::runtime_error {
 public:
  /// `data`: what programs can read of it, as JSON; empty: nothing.
  RequestError(ErrorCode code, const std::string& text, std::string data = {})
      : std::runtime_error(text), code_(code), data_(std::move(data)) {}
  ErrorCode code() const { return code_; }
  const std::string& data() const { return data_; }

 private:
  ErrorCode code_;
  std::string data_;
};

}  // namespace kdiag::serve
