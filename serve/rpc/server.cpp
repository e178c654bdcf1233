// SPDX-License-Identifier: Apache-2.0
#include "serve/rpc/server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "serve/rpc/message.hpp"

namespace kdiag::serve {
namespace {

Message refusal(ErrorCode code, std::string text) {
  Message out;
  out.code = code;
  out.error = std::move(text);
  return out;
}

}  // namespace

struct Server::State {
  /// What the threads share of a request from when it is read until it is answered.
  struct Call {
    Message message;
    std::size_t bytes = 0;
    std::atomic<bool> stop{false}, cancelled{false};
  };
  using CallPtr = std::shared_ptr<Call>;

  /// A descriptor that can be read from when it was told to.
  class Wake {
   public:
    Wake() : file_(::eventfd(0, EFD_CLOEXEC)) {
      if (file_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    ~Wake() { ::close(file_); }
    Wake(const Wake&) = delete;
    Wake& operator=(const Wake&) = delete;
    int file() const { return file_; }
    void tell() {
      const std::uint64_t one = 1;
      (void)!::write(file_, &one, sizeof one);
    }

   private:
    int file_;
  };

  Protocol protocol;
  int input, output;
  std::map<std::string, Method, std::less<>> methods;
  std::map<std::string, Listener, std::less<>> listeners;
  Idle idle;

  std::mutex writing;
  std::atomic<bool> closed{false};  ///< nobody reads the output
  Wake wake;                        ///< ends the threads that read and watch

  std::mutex mutex;  ///< over what follows
  std::condition_variable arrived, left;
  std::deque<CallPtr> waiting;
  CallPtr running;
  std::size_t waiting_bytes = 0;
  bool ended = false;     ///< nothing more arrives
  bool finished = false;  ///< by a handler
  std::optional<int> status;
  std::atomic<bool> idle_stop{false};

  State(Protocol chosen, int in, int out) : protocol(std::move(chosen)), input(in), output(out) {}

  void send(const Json& message) {
    const std::string bytes = framed(to_text(message), protocol.framing);
    const std::lock_guard lock(writing);
    if (!closed && !write_all(output, bytes)) closed = true;
  }

  // --- The thread that reads ----------------------------------------------------------------------------------------

  void queue(Message message, std::size_t text_bytes) {
    constexpr std::size_t around = 1024;  // what a message costs that says next to nothing; judgement
    const std::size_t bytes = text_bytes + around;
    const auto call = std::make_shared<Call>();
    call->message = std::move(message);
    call->bytes = bytes;
    std::unique_lock lock(mutex);
    left.wait(lock, [&] { return waiting.empty() || waiting_bytes + bytes <= protocol.most_bytes || ended; });
    waiting.push_back(call);
    waiting_bytes += bytes;
    idle_stop = true;
    arrived.notify_all();
  }

  void cancel(const Json& params) {
    const auto id = params.is_object() ? params.find(protocol.cancel_key) : params.end();
    if (id == params.end()) return;
    const std::lock_guard lock(mutex);
    const auto stop = [&](const CallPtr& call) {
      if (!call || call->message.kind != Message::Kind::request || call->message.id != *id) return;
      call->cancelled = true;
      call->stop = true;
    };
    stop(running);
    for (const CallPtr& call : waiting) stop(call);
  }

  void take(const std::string& text) {
    Message message = parse_message(text);
    if (message.kind == Message::Kind::notification && message.method == protocol.cancel_method) cancel(message.params);
    else if (message.kind != Message::Kind::response) queue(std::move(message), text.size());
  }

  void end_input(std::optional<int> with) {
    const std::lock_guard lock(mutex);
    ended = true;
    if (with && !status) status = with;
    arrived.notify_all();
  }

  void read_messages() {
    FrameReader reader(input, wake.file(), protocol.framing, protocol.most_bytes);
    std::optional<int> with;
    try {
      for (Frame frame = reader.next(); frame.kind != Frame::Kind::end; frame = reader.next()) {
        if (frame.kind == Frame::Kind::message) {
          take(frame.text);
          continue;
        }
        const bool lost = frame.kind == Frame::Kind::lost;
        queue(refusal(lost ? ErrorCode::parse_error : ErrorCode::invalid_request, std::move(frame.text)), 0);
        if (!lost) continue;
        with = 1;
        break;
      }
    } catch (const std::bad_alloc&) {
      with = 1;  // what was not read is not known: as if the framing were lost
    }
    end_input(with);
  }

  // --- The thread that watches the output ---------------------------------------------------------------------------

  /// Answers that can reach nobody are not worked out: not the one that is, and none that waits.
  void watch_output() {
    pollfd files[] = {{output, 0, 0}, {wake.file(), POLLIN, 0}};
    while (::poll(files, 2, -1) < 0 && errno == EINTR) {
    }
    if (files[0].revents == 0) return;
    closed = true;
    const std::lock_guard lock(mutex);
    if (running) running->stop = true;
    idle_stop = true;
    arrived.notify_all();
  }

  // --- The thread that works ----------------------------------------------------------------------------------------

  void answer(Call& call) {
    const Message& message = call.message;
    const auto fail = [&](ErrorCode code, const std::string& text, const std::string& data = {}) {
      send(error_message(message.id, code, text, data));
    };
    const auto method = methods.find(message.method);
    if (method == methods.end())
      return fail(ErrorCode::method_not_found, "there is no method \"" + message.method + "\"");
    static const Json none = Json::object();
    const Json& params = message.params.is_null() ? none : message.params;
    const auto of_method = [&](const std::string& text) { return message.method + ": " + text; };
    try {
      Json result = call.cancelled ? Json() : method->second(params, call.stop);
      if (!call.cancelled) return send(result_message(message.id, std::move(result)));
    } catch (const RequestError& error) {
      if (!call.cancelled) {
        const bool in_params = error.code() == ErrorCode::invalid_params;
        return fail(error.code(), in_params ? of_method(error.what()) : error.what(), error.data());
      }
    } catch (const Json::exception& error) {
      if (!call.cancelled) return fail(ErrorCode::invalid_params, of_method(mistake_in_params(error)));
    } catch (const std::bad_alloc&) {
      return fail(ErrorCode::internal_error, "out of memory");
    } catch (const std::exception& error) {
      if (!call.cancelled) return fail(ErrorCode::internal_error, error.what());
    }
    if (protocol.answers_cancelled) fail(ErrorCode::request_cancelled, "the request was cancelled");
  }

  void handle(Call& call) {
    const Message& message = call.message;
    switch (message.kind) {
      case Message::Kind::invalid: return send(error_message(message.id, message.code, message.error));
      case Message::Kind::request: return answer(call);
      case Message::Kind::response: return;
      case Message::Kind::notification: break;
    }
    const auto listener = listeners.find(message.method);
    if (listener == listeners.end()) return;
    try {
      listener->second(message.params);
    } catch (const std::exception&) {
      // nobody waits for an answer
    }
  }

  void rest() {
    try {
      idle(idle_stop);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "kdiag: internal error: %s\n", error.what());
    }
  }

  void work() {
    bool idle_due = false;
    std::unique_lock lock(mutex);
    while (!closed && !finished) {
      if (!waiting.empty()) {
        running = std::move(waiting.front());
        waiting.pop_front();
        waiting_bytes -= running->bytes;
        left.notify_all();
        lock.unlock();
        handle(*running);
        lock.lock();
        running.reset();
        idle_due = idle != nullptr;
      } else if (idle_due) {
        idle_due = false;
        idle_stop = closed.load();
        lock.unlock();
        rest();
        lock.lock();
      } else if (ended) {
        break;
      } else {
        arrived.wait(lock);
      }
    }
  }

  void end_threads() {
    {
      const std::lock_guard lock(mutex);
      ended = true;  // the reader may wait for room
      left.notify_all();
    }
    wake.tell();
  }
};

Server::Server(Protocol protocol, int input, int output)
    : state_(std::make_unique<State>(std::move(protocol), input, output)) {}

Server::~Server() = default;

void Server::on_request(std::string method, Method handler) {
  state_->methods.emplace(std::move(method), std::move(handler));
}

void Server::on_notification(std::string method, Listener handler) {
  state_->listeners.emplace(std::move(method), std::move(handler));
}

void Server::when_idle(Idle handler) { state_->idle = std::move(handler); }

void Server::notify(std::string_view method, const Json& params) { state_->send(notification_message(method, params)); }

void Server::finish(int status) {
  const std::lock_guard lock(state_->mutex);
  state_->status = status;
  state_->finished = true;
}

std::optional<int> Server::run() {
  {
    struct Threads {
      State& state;
      std::thread reader, watcher;
      ~Threads() {
        state.end_threads();
        for (std::thread* thread : {&reader, &watcher})
          if (thread->joinable()) thread->join();  // the system may not have given the second one
      }
    } threads{*state_, {}, {}};
    threads.reader = std::thread([this] { state_->read_messages(); });
    threads.watcher = std::thread([this] { state_->watch_output(); });
    state_->work();
  }
  return state_->status;
}

}  // namespace kdiag::serve
