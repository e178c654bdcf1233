// SPDX-License-Identifier: Apache-2.0
// Tells the host how far loading is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string_view>
#include <thread>

#include <kdiag/kdiag.hpp>

#include "adapters/io/input.hpp"

namespace kdiag {

/// Calls LoadOptions::progress about ten times a second, with the name and the bytes of one input, until destroyed.
class LoadTicker {
 public:
  LoadTicker(const LoadOptions& options, std::string_view name, const adapters::ReadProgress& progress);
  ~LoadTicker();
  LoadTicker(const LoadTicker&) = delete;
  LoadTicker& operator=(const LoadTicker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable stop_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace kdiag
