// SPDX-License-Identifier: Apache-2.0
// A program that answers requests over two descriptors, one after the other, until its input ends.
//
//     Server server({.framing = Framing::lines}, STDIN_FILENO, STDOUT_FILENO);
//     server.on_request("ping", [](const Json&, std::atomic<bool>&) { return Json::object(); });
//     const std::optional<int> status = server.run();
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "serve/rpc/framing.hpp"
#include "serve/rpc/json.hpp"
#include "serve/rpc/request_error.hpp"

namespace kdiag::serve {

/// In what protocols over JSON-RPC differ.
struct Protocol {
  Framing framing = Framing::headers;
  std::string cancel_method;      ///< of the notification that a request is no longer wanted: `$/cancelRequest`
  std::string cancel_key;         ///< its parameter that holds the id of the request
  bool answers_cancelled = true;  ///< by the error request_cancelled; else not at all
  /// Of a message, and of those that wait together (judgement: 64 times the longest rule file that is read).
  std::size_t most_bytes = std::size_t{64} << 20;
};

/// Handlers run in the thread of run(), one at a time, in the order of the messages. What they throw becomes an error
/// of their request: a RequestError as it says, an exception of the JSON library (a parameter that is missing or of
/// another type) invalid_params, all others internal_error. Of a notification it is dropped.
class Server {
 public:
  /// `stop` is set once the request was cancelled or its answer can reach nobody; a handler may set it itself, as a
  /// Deadline does.
  using Method = std::function<Json(const Json& params, std::atomic<bool>& stop)>;
  using Listener = std::function<void(const Json& params)>;
  using Idle = std::function<void(std::atomic<bool>& stop)>;

  /// The descriptors are the caller's.
  Server(Protocol protocol, int input, int output);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void on_request(std::string method, Method handler);
  void on_notification(std::string method, Listener handler);
  /// Called when messages were handled and none waits. A message that comes sets `stop`; it is called again after that.
  void when_idle(Idle handler);

  /// Sends a notification; from any thread, while run() runs.
  void notify(std::string_view method, const Json& params);
  /// Ends run() when the handler that calls it returns.
  void finish(int status);

  /// Answers until finish(), the end of the input, whose last messages are answered, or until nobody reads the output.
  /// Returns the status of finish(), 1 where the framing was lost, nothing otherwise.
  /// A signal SIGPIPE has to be ignored by the caller.
  std::optional<int> run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kdiag::serve
