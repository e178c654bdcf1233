// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace kdiag {

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto take_turns = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min<std::size_t>(threads, count)) helpers.emplace_back(take_turns);
    } catch (const std::system_error&) {
      // No thread can be started: those that run, the caller's at least, do it all.
    }
    take_turns();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace kdiag
