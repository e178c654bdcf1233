// SPDX-License-Identifier: Apache-2.0
// Traces read for the verbs, with progress on a terminal, and while the rules are loaded: of a small trace each takes
// about as long as the other.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"

namespace kdiag::cli {

/// Shows progress of loading on a terminal, as long as the result lives. Loading can be interrupted from then on.
std::unique_ptr<Progress> show_progress(Options& options);

/// Loads the mappings of --map, before any trace is read. When it cannot it says why.
bool load_maps(Options& options);

/// Loads the traces, and the mappings for them. When it cannot it says why, and `code` is the exit code.
std::optional<Facts> load(Options& options, int& code);

/// Loads the runs of --baseline into `baseline`, after the traces; nothing when there are none. When it cannot it says
/// why, returns false, and `code` is the exit code.
bool load_baseline(Options& options, std::optional<Facts>& baseline, int& code);

/// Whether traces should be read before it is known that the rules are good: the machine has several processors and the
/// user did not ask for one thread, no mapping has to be read before, nobody asks what each stage takes by itself, none
/// of the traces is a pipe, whose writer may never come, and their files are small.
bool should_read_ahead(const Options& options, const std::vector<std::string>& traces);

/// What reading gave. When nothing it says why, and `code` is the exit code.
template <class T>
std::optional<T> told(const Options& options, Result<T> outcome, int& code) {
  code = interrupted ? exit_code::interrupted : exit_code::usage;
  if (outcome) {
    keep_to_the_end(*outcome);
    return std::move(*outcome);
  }
  if (!interrupted) complain(options, outcome.error());
  return std::nullopt;
}

/// Facts or Sides that a call of the library makes of traces: begun when this is made, where it can be, and asked for
/// once the rules are there. Whoever leaves before does not want them: it is stopped, and its errors are not told.
template <class T>
class ReadAhead {
 public:
  using Read = std::function<Result<T>(const LoadOptions&)>;

  /// `options` must outlive it.
  ReadAhead(Options& options, const std::vector<std::string>& traces, Read read)
      : options_(options), read_(std::move(read)) {
    if (!should_read_ahead(options, traces)) return;
    progress_ = show_progress(options);
    LoadOptions load = options.load;
    load.cancel = &unwanted_;
    try {
      reading_ = std::async(std::launch::async, [this, load] { return read_(load); });
    } catch (const std::system_error&) {
      progress_.reset();  // the system gives no thread: it is read later
    }
  }
  ~ReadAhead() { unwanted_ = true; }  // and the end of `reading_` waits
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Once. When it cannot it says why, and `code` is the exit code.
  std::optional<T> take(int& code) {
    code = exit_code::rules;
    if (!reading_.valid() && !load_maps(options_)) return std::nullopt;
    Result<T> outcome = reading_.valid() ? wait() : read_now();
    progress_.reset();
    options_.load.progress = nullptr;
    return told(options_, std::move(outcome), code);
  }

 private:
  Result<T> read_now() {
    progress_ = show_progress(options_);
    return read_(options_.load);
  }
  Result<T> wait() {
    constexpr std::chrono::milliseconds until_next_look(5);
    while (reading_.wait_for(until_next_look) == std::future_status::timeout)
      if (interrupted) unwanted_ = true;
    return reading_.get();
  }

  Options& options_;
  Read read_;
  std::unique_ptr<Progress> progress_;
  std::atomic<bool> unwanted_{false};
  std::future<Result<T>> reading_;
};

}  // namespace kdiag::cli
