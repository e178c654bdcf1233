// SPDX-License-Identifier: Apache-2.0
// Loading: paths or bytes -> inputs -> fragments -> runs -> Facts.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <kdiag/kdiag.hpp>

#include "adapters/util/adapter_table.hpp"
#include "adapters/util/input.hpp"
#include "api/assemble.hpp"
#include "api/build_run.hpp"
#include "api/collect_sink.hpp"
#include "api/detect.hpp"
#include "api/recognise.hpp"
#include "api/scope.hpp"
#include "api/similar_file.hpp"
#include "engine/loaded_facts.hpp"

namespace kdiag {
namespace {

/// An input as the user named it: `FILE#2` is run 2 of FILE, unless a file of that very name exists.
struct Request {
  std::string path;
  std::optional<std::size_t> run;
};

Request parse_request(const std::string& text) {
  const std::size_t hash = text.rfind('#');
  if (hash == std::string::npos || hash == 0 || hash + 1 == text.size() || text.size() - hash > 7) return {text, {}};
  const std::string digits = text.substr(hash + 1);
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return {text, {}};
  if (::access(text.c_str(), F_OK) == 0) return {text, {}};
  return {text.substr(0, hash), std::stoul(digits)};
}

/// Tells the host about ten times a second how far reading is.
class Ticker {
 public:
  Ticker(const LoadOptions& options, std::string_view name, const adapters::ReadProgress& progress) {
    if (!options.progress) return;
    thread_ = std::thread([this, &options, name = std::string(name), &progress] {
      std::unique_lock lock(mutex_);
      while (!stop_.wait_for(lock, std::chrono::milliseconds(100), [this] { return done_; }))
        options.progress->show(name, progress.bytes.load(std::memory_order_relaxed),
                               progress.total.load(std::memory_order_relaxed));
    });
  }
  ~Ticker() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    stop_.notify_one();
    thread_.join();
  }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable stop_;
  bool done_ = false;
  std::thread thread_;
};

unsigned thread_count(const LoadOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
}

Diagnostic error_of(std::string_view id, std::string title, std::string help = {}) {
  Diagnostic error;
  error.id = id;
  error.title = std::move(title);
  error.help = std::move(help);
  return error;
}

/// What was read of one input; without fragments when it could not be.
struct Reading {
  InputEntry entry;
  std::vector<Fragment> fragments;
  Diagnostics errors;
};

/// Keeps the run that the user asked for.
void select_run(Reading& reading, std::size_t run) {
  if (run >= 1 && run <= reading.fragments.size()) {
    Fragment chosen = std::move(reading.fragments[run - 1]);
    reading.fragments.clear();
    reading.fragments.push_back(std::move(chosen));
    return;
  }
  const std::size_t count = reading.fragments.size();
  reading.fragments.clear();
  reading.errors.push_back(
      error_of("K693", "there is no run " + std::to_string(run) + " in this input",
               count == 1 ? "It holds one run."
                          : "It holds " + std::to_string(count) + " runs: #1 to #" + std::to_string(count) + "."));
}

void read_with(const Adapter& adapter, Input& input, const LoadOptions& options, Reading& reading) {
  CollectSink sink(reading.entry.path, std::string(adapter.id), thread_count(options), options.cancel);
  Status status = adapter.read(input, sink);
  reading.entry.adapter = adapter.id;
  reading.entry.events = sink.events();
  reading.entry.notes = sink.notes();
  if (!status) {
    reading.errors = std::move(status.error());
    return;
  }
  reading.fragments = sink.take_fragments();
  std::erase_if(reading.fragments, [](const Fragment& fragment) { return fragment.batches.empty(); });
  if (!reading.fragments.empty()) reading.entry.producer = reading.fragments.front().info.producer;
  else
    reading.errors.push_back(error_of("K695", "the input holds no records",
                                      "Record again with the profiler running while the workload does."));
}

Reading read_input(std::string path, Result<std::unique_ptr<Input>> opened, std::optional<std::size_t> run,
                   const LoadOptions& options) {
  Reading reading;
  reading.entry.path = std::move(path);
  reading.entry.role = "subject";
  if (!opened) {
    reading.errors = std::move(opened.error());
    return reading;
  }
  Input& input = **opened;
  const Adapter* adapter = detect(input.head(), adapters::adapter_table());
  if (adapter == nullptr) {
    reading.errors.push_back(recognise(input.head()));
    return reading;
  }
  read_with(*adapter, input, options, reading);
  if (run && reading.errors.empty()) select_run(reading, *run);
  return reading;
}

Result<std::unique_ptr<Input>> open_file(const std::string& path, adapters::ReadProgress& progress) {
  Result<std::unique_ptr<Input>> opened = adapters::open_input(path, &progress);
  if (!opened && opened.error().front().id == "K610")  // no such file
    if (std::string meant = suggest_file(path); !meant.empty()) opened.error().front().help = std::move(meant);
  return opened;
}

Diagnostic cancelled_error() { return error_of("K690", "loading was interrupted"); }

bool cancelled(const LoadOptions& options) { return options.cancel != nullptr && options.cancel->load(); }

/// Says in errors about an input as a whole which one it is.
void name_errors(Reading& reading) {
  const auto source = std::make_shared<const Source>(Source{reading.entry.path, {}});
  for (Diagnostic& error : reading.errors)
    if (error.labels.empty()) error.labels.push_back({{source, 0, 0}, {}});
}

/// An input that could not be read, among others that could: its errors become notes.
void note_errors(Reading& reading) {
  for (const Diagnostic& error : reading.errors)
    reading.entry.notes.push_back(
        make_note("K609", error.help.empty() ? error.title : error.title + ". " + error.help));
}

Result<Facts> finish(std::vector<Reading> readings, const LoadOptions& options) {
  if (cancelled(options)) return cancelled_error();
  Diagnostics errors;
  std::for_each(readings.begin(), readings.end(), name_errors);
  for (const Reading& reading : readings) errors.insert(errors.end(), reading.errors.begin(), reading.errors.end());
  const bool readable =
      std::any_of(readings.begin(), readings.end(), [](const Reading& reading) { return !reading.fragments.empty(); });
  if (!readable) {
    if (errors.empty()) return error_of("K696", "there is no input to read");
    return errors;
  }
  auto loaded = std::make_shared<LoadedFacts>();
  std::vector<SourceFragment> fragments;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    note_errors(readings[i]);
    loaded->inputs.push_back(std::move(readings[i].entry));
    for (Fragment& fragment : readings[i].fragments) fragments.push_back({std::move(fragment), i});
  }
  Assembly assembly = assemble(std::move(fragments));
  for (auto& [input, note] : assembly.notes) loaded->inputs[input].notes.push_back(std::move(note));
  const Scope scope = to_scope(options.scope);
  for (AssembledRun& run : assembly.runs) {
    if (cancelled(options)) return cancelled_error();
    loaded->runs.push_back(build_run(std::move(run), run_id(loaded->runs.size()), loaded->inputs, scope));
  }
  if (Diagnostics wrong = check_scope(options.scope, loaded->runs); !wrong.empty()) return wrong;
  return Facts(std::move(loaded));
}

}  // namespace

const std::vector<InputEntry>& Facts::inputs() const { return loaded_->inputs; }

Result<Facts> load_traces(std::span<const std::string> paths, const LoadOptions& options) {
  std::vector<Reading> readings;
  for (const std::string& path : paths) {
    if (cancelled(options)) return cancelled_error();
    const Request request = parse_request(path);
    adapters::ReadProgress progress;
    progress.cancel = options.cancel;
    const Ticker ticker(options, request.path, progress);
    readings.push_back(read_input(path, open_file(request.path, progress), request.run, options));
  }
  return finish(std::move(readings), options);
}

Result<Facts> load_trace(std::string_view path, const LoadOptions& options) {
  const std::string one(path);
  return load_traces({&one, 1}, options);
}

Result<Facts> load_trace(std::string_view name, std::span<const char> bytes, const LoadOptions& options) {
  std::vector<Reading> readings;
  readings.push_back(read_input(std::string(name), adapters::open_input(name, bytes), {}, options));
  return finish(std::move(readings), options);
}

}  // namespace kdiag
