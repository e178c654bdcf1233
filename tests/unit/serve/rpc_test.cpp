// SPDX-License-Identifier: Apache-2.0
// JSON-RPC over descriptors: messages in, messages out.
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "serve/rpc/server.hpp"
#include "tests/catch.hpp"

namespace {

using kdiag::serve::ErrorCode;
using kdiag::serve::framed;
using kdiag::serve::Framing;
using kdiag::serve::Json;
using kdiag::serve::Protocol;
using kdiag::serve::RequestError;
using kdiag::serve::Server;

/// Both ends of a pipe.
class RpcPipe {
 public:
  RpcPipe() { REQUIRE(::pipe(ends_.data()) == 0); }
  ~RpcPipe() {
    close_reader();
    close_writer();
  }
  RpcPipe(const RpcPipe&) = delete;
  RpcPipe& operator=(const RpcPipe&) = delete;
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { close(ends_[0]); }
  void close_writer() { close(ends_[1]); }
  void write(std::string_view bytes) const { REQUIRE(kdiag::serve::write_all(ends_[1], bytes)); }
  std::string rest() const {
    std::string out;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(ends_[0], buffer, sizeof buffer)) > 0;)
      out.append(buffer, static_cast<std::size_t>(got));
    return out;
  }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{};
};

Protocol test_protocol(Framing framing) {
  return {.framing = framing, .cancel_method = "cancel", .cancel_key = "id", .most_bytes = 1000};
}

/// `echo` answers its parameters, `fail` an error, `number` wants a number, `wait` answers once it is cancelled.
void add_methods(Server& server, std::atomic<bool>* waits = nullptr) {
  server.on_request("echo", [](const Json& params, std::atomic<bool>&) { return params; });
  server.on_request("fail", [](const Json&, std::atomic<bool>&) -> Json {
    throw RequestError(ErrorCode::request_failed, "it is so");
  });
  server.on_request("break", [](const Json&, std::atomic<bool>&) -> Json { throw std::runtime_error("broken"); });
  server.on_request("number", [](const Json& params, std::atomic<bool>&) { return Json(params.at("n").get<int>()); });
  server.on_request("wait", [waits](const Json&, std::atomic<bool>& stop) {
    if (waits != nullptr) *waits = true;
    while (!stop) std::this_thread::yield();
    return Json("stopped");
  });
  server.on_notification("end", [&server](const Json& params) { server.finish(params.at("status").get<int>()); });
}

struct Session {
  std::string output;
  std::optional<int> status;
};

Session play(std::string_view input, Framing framing, std::size_t piece = std::string_view::npos) {
  RpcPipe in, out;
  Server server(test_protocol(framing), in.reader(), out.writer());
  add_methods(server);
  std::thread client([&] {
    for (; !input.empty(); input.remove_prefix(std::min(piece, input.size()))) in.write(input.substr(0, piece));
    in.close_writer();
  });
  auto output = std::async(std::launch::async, [&] { return out.rest(); });
  Session session;
  session.status = server.run();
  out.close_writer();
  client.join();
  session.output = output.get();
  return session;
}

std::string answer_to(std::string_view line) { return play(line, Framing::lines).output; }

std::string error_line(std::string_view id, int code, std::string_view text) {
  return R"({"error":{"code":)" + std::to_string(code) + R"(,"message":")" + std::string(text) + R"("},"id":)" +
         std::string(id) + R"(,"jsonrpc":"2.0"})" + "\n";
}

constexpr std::string_view echo_7 = R"({"jsonrpc":"2.0","id":7,"method":"echo","params":{"text":"ä"}})";
constexpr std::string_view answer_7 = R"({"id":7,"jsonrpc":"2.0","result":{"text":"\u00e4"}})";

}  // namespace

TEST_CASE("requests of both framings are answered in order, whatever pieces they come in", "[rpc]") {
  const std::string text_id = R"({"jsonrpc":"2.0","id":"b","method":"echo","params":[]})";
  const std::string text_answer = R"({"id":"b","jsonrpc":"2.0","result":[]})";
  for (const Framing framing : {Framing::headers, Framing::lines})
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::string_view::npos}) {
      CAPTURE(framing, piece);
      const Session session = play(framed(echo_7, framing) + framed(text_id, framing), framing, piece);
      CHECK(session.output == framed(answer_7, framing) + framed(text_answer, framing));
      CHECK_FALSE(session.status);
    }
}

TEST_CASE("lines may be empty, end in CR LF, and the last one may lack its end", "[rpc]") {
  CHECK(answer_to("\n \r\n" + std::string(echo_7) + "\r\n" + std::string(echo_7)) ==
        std::string(answer_7) + "\n" + std::string(answer_7) + "\n");
}

TEST_CASE("headers are known in any case, and others are ignored", "[rpc]") {
  const std::string body(echo_7);
  const std::string head = "content-LENGTH: " + std::to_string(body.size()) +
                           "\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n";
  CHECK(play(head + body, Framing::headers).output == framed(answer_7, Framing::headers));
}

TEST_CASE("each mistake of a message has its code", "[rpc][hostile]") {
  CHECK(answer_to("{").starts_with(R"({"error":{"code":-32700,"message":"parse error at line 1, column 2)"));
  CHECK(answer_to("{\"a\":\"\xff\"}").starts_with(R"({"error":{"code":-32700,)"));
  CHECK(answer_to("[]") == error_line("null", -32600, "batches of messages are not taken"));
  CHECK(answer_to("3") == error_line("null", -32600, "a message is an object"));
  CHECK(answer_to(R"({"id":1,"method":"echo"})") == error_line("1", -32600, R"(\"jsonrpc\" is to be \"2.0\")"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1})") == error_line("1", -32600, R"(\"method\" is missing)"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":2})") ==
        error_line("1", -32600, R"(\"method\" is to be a text)"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1.5,"method":"echo"})") ==
        error_line("null", -32600, R"(\"id\" is to be a text or an integer)"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"nothing"})") ==
        error_line("1", -32601, R"(there is no method \"nothing\")"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":3})") ==
        error_line("1", -32602, R"(\"params\" is to be an object or a list)"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"number","params":{"n":"x"}})")
            .starts_with(R"({"error":{"code":-32602,)"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"number"})").starts_with(R"({"error":{"code":-32602,)"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"fail"})") == error_line("1", -32803, "it is so"));
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"break"})") == error_line("1", -32603, "broken"));
}

TEST_CASE("values nested too deep are refused, however deep", "[rpc][hostile]") {
  const auto nested = [](std::size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"number","params":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}";
  };
  CHECK(answer_to(nested(60)).starts_with(R"({"error":{"code":-32602,)"));
  CHECK(answer_to(nested(400)) == error_line("null", -32600, "values are nested deeper than 64"));
}

TEST_CASE("notifications and responses are never answered", "[rpc]") {
  CHECK(answer_to(R"({"jsonrpc":"2.0","method":"echo","params":{}})").empty());
  CHECK(answer_to(R"({"jsonrpc":"2.0","method":"end","params":{}})").empty());  // lacks its parameter
  CHECK(answer_to(R"({"jsonrpc":"2.0","method":"cancel","params":3})").empty());
  CHECK(answer_to(R"({"jsonrpc":"2.0","id":9,"result":{}})").empty());
}

TEST_CASE("a message that is too long is skipped, and the next one read", "[rpc][hostile]") {
  const std::string giant(5000, 'x');
  for (const Framing framing : {Framing::headers, Framing::lines}) {
    const Session session = play(framed(giant, framing) + framed(echo_7, framing), framing, 64);
    std::string refused = error_line("null", -32600, "a message has at most 1000 bytes");
    refused.pop_back();
    CHECK(session.output == framed(refused, framing) + framed(answer_7, framing));
  }
}

TEST_CASE("where headers are lost, it is said, and the server ends", "[rpc][hostile]") {
  const auto lost = [](std::string_view input, std::string_view why) {
    const Session session = play(input, Framing::headers);
    CHECK(session.status == 1);
    CHECK(session.output.find(R"({"error":{"code":-32700,"message":")" + std::string(why)) != std::string::npos);
  };
  lost("Content-Length: many\r\n\r\n{}", "Content-Length is a number of bytes");
  lost("Content-Length: 99999999999999999999999\r\n\r\n{}", "Content-Length is a number of bytes");
  lost("Content-Length: -2\r\n\r\n{}", "Content-Length is a number of bytes");
  lost("X: 1\r\n\r\n{}", "the header Content-Length is missing");
  lost("nothing like it\r\n\r\n", "a header is a name, a colon and a value");
  lost("X: " + std::string(9000, 'x'), "headers have at most 8192 bytes");
  lost("Content-Length: 20\r\n\r\n{}", "the input ended inside a message");
  lost("Content-Length: 20\r\n", "the input ended inside headers");
  CHECK(play("", Framing::headers).output.empty());
  CHECK_FALSE(play("", Framing::headers).status);
  CHECK_FALSE(play("Content-Length: 99999999\r\n\r\n{}", Framing::headers).status);
}

TEST_CASE("a handler ends the server while its input stays open", "[rpc]") {
  RpcPipe in, out;
  Server server(test_protocol(Framing::lines), in.reader(), out.writer());
  add_methods(server);
  in.write(R"({"jsonrpc":"2.0","method":"end","params":{"status":4}})"
           "\n" +
           std::string(echo_7) + "\n");
  CHECK(server.run() == 4);
  out.close_writer();
  CHECK(out.rest().empty());
}

TEST_CASE("a cancellation reaches requests that run and that wait", "[rpc]") {
  for (const bool answered : {true, false}) {
    RpcPipe in, out;
    Protocol protocol = test_protocol(Framing::lines);
    protocol.answers_cancelled = answered;
    Server server(protocol, in.reader(), out.writer());
    std::atomic<bool> waits{false};
    add_methods(server, &waits);
    auto status = std::async(std::launch::async, [&] { return server.run(); });
    in.write(R"({"jsonrpc":"2.0","id":1,"method":"wait"})"
             "\n");
    while (!waits) std::this_thread::yield();
    in.write(R"({"jsonrpc":"2.0","id":"x","method":"echo"})"
             "\n"
             R"({"jsonrpc":"2.0","method":"cancel","params":{"id":"x"}})"
             "\n"
             R"({"jsonrpc":"2.0","method":"cancel","params":{"id":2}})"
             "\n"
             R"({"jsonrpc":"2.0","method":"cancel","params":{"id":1}})"
             "\n");
    in.write(std::string(echo_7) + "\n");
    in.close_writer();
    status.get();
    out.close_writer();
    const std::string cancelled =
        error_line("1", -32800, "the request was cancelled") + error_line("\"x\"", -32800, "the request was cancelled");
    CHECK(out.rest() == (answered ? cancelled : std::string()) + std::string(answer_7) + "\n");
  }
}

TEST_CASE("a client that went away ends what runs, and the server", "[rpc]") {
  std::signal(SIGPIPE, SIG_IGN);
  for (const bool input_ends : {true, false}) {
    CAPTURE(input_ends);
    RpcPipe in, out;
    Server server(test_protocol(Framing::lines), in.reader(), out.writer());
    std::atomic<bool> waits{false};
    add_methods(server, &waits);
    auto status = std::async(std::launch::async, [&] { return server.run(); });
    in.write(R"({"jsonrpc":"2.0","id":1,"method":"wait"})"
             "\n");
    while (!waits) std::this_thread::yield();
    if (input_ends) in.close_writer();
    out.close_reader();
    CHECK_FALSE(status.get());
  }
  std::signal(SIGPIPE, SIG_DFL);
}

TEST_CASE("a server that rests ends with its client", "[rpc]") {
  std::signal(SIGPIPE, SIG_IGN);
  RpcPipe in, out;
  Server server(test_protocol(Framing::lines), in.reader(), out.writer());
  auto status = std::async(std::launch::async, [&] { return server.run(); });
  out.close_reader();
  CHECK_FALSE(status.get());
  std::signal(SIGPIPE, SIG_DFL);
}

TEST_CASE("idle work gives way to a message and is done again after it", "[rpc]") {
  RpcPipe in, out;
  Server server(test_protocol(Framing::lines), in.reader(), out.writer());
  add_methods(server);
  std::atomic<int> begun{0};
  std::vector<bool> stopped;
  server.when_idle([&](std::atomic<bool>& stop) {
    if (++begun == 1)
      while (!stop) std::this_thread::yield();
    stopped.push_back(stop);
    server.notify("idle", Json::array({begun.load()}));
  });
  auto status = std::async(std::launch::async, [&] { return server.run(); });
  in.write(std::string(echo_7) + "\n");
  while (begun == 0) std::this_thread::yield();
  in.write(std::string(echo_7) + "\n");
  in.close_writer();
  status.get();
  out.close_writer();
  CHECK(stopped == std::vector<bool>{true, false});
  const std::string answer = std::string(answer_7) + "\n";
  CHECK(out.rest() == answer +
                          R"({"jsonrpc":"2.0","method":"idle","params":[1]})"
                          "\n" +
                          answer +
                          R"({"jsonrpc":"2.0","method":"idle","params":[2]})"
                          "\n");
}

TEST_CASE("many messages that come faster than they are answered wait within a bound", "[rpc]") {
  std::string input, expected;
  for (int i = 0; i < 500; ++i) {
    input += std::string(echo_7) + "\n";
    expected += std::string(answer_7) + "\n";
  }
  CHECK(play(input, Framing::lines).output == expected);
}
