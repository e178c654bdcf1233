// SPDX-License-Identifier: Apache-2.0
#include <kdiag/deadline.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace kdiag {

struct Deadline::Timer {
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::atomic<bool> passed = false;
  bool watched = true;
  std::thread thread;
};

Deadline::Deadline(std::atomic<bool>& flag, std::int64_t milliseconds) : timer_(std::make_unique<Timer>()) {
  if (milliseconds <= 0) {
    timer_->passed = true;
    flag = true;
    return;
  }
  constexpr std::int64_t longest = 1'000'000'000'000;  // 31 years: a time that clocks can hold
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::min(milliseconds, longest));
  try {
    timer_->thread = std::thread([&timer = *timer_, &flag, end] {
      std::unique_lock lock(timer.mutex);
      if (timer.ended.wait_until(lock, end, [&timer] { return timer.over; })) return;
      timer.passed = true;
      flag = true;
    });
  } catch (const std::system_error&) {  // nothing would end the work in time
    timer_->watched = false;
    timer_->passed = true;
    flag = true;
  }
}

Deadline::~Deadline() {
  if (!timer_->thread.joinable()) return;
  {
    const std::lock_guard lock(timer_->mutex);
    timer_->over = true;
  }
  timer_->ended.notify_one();
  timer_->thread.join();
}

bool Deadline::passed() const { return timer_->passed; }
bool Deadline::watched() const { return timer_->watched; }

}  // namespace kdiag
