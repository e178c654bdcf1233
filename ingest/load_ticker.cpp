// SPDX-License-Identifier: Apache-2.0
#include "ingest/load_ticker.hpp"

#include <chrono>
#include <string>
#include <system_error>

namespace kdiag {

LoadTicker::LoadTicker(const LoadOptions& options, std::string_view name, const adapters::ReadProgress& progress) {
  if (!options.progress) return;
  try {
    thread_ = std::thread([this, &options, name = std::string(name), &progress] {
      std::unique_lock lock(mutex_);
      try {
        while (!stop_.wait_for(lock, std::chrono::milliseconds(100), [this] { return done_; }))
          options.progress->show(name, progress.bytes.load(std::memory_order_relaxed),
                                 progress.total.load(std::memory_order_relaxed));
      } catch (...) {
        // What the host's function throws ends the telling, not the loading.
      }
    });
  } catch (const std::system_error&) {
    // No thread can be started: loading goes on, untold.
  }
}

LoadTicker::~LoadTicker() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  stop_.notify_one();
  thread_.join();
}

}  // namespace kdiag
