// SPDX-License-Identifier: Apache-2.0
// How long a host waits that asks kdiag to stop: cancel_latency TRACE [TRIALS]. Loads and judges the trace once for its
// time, then again and again, cancelled at another moment each time, spread evenly. Prints the longest delays.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// What was under way when the host asked.
struct Trial {
  double delay_ms = 0, asked_ms = 0;
  const char* stage = "done";
};

void load_and_judge(const std::string& path, const kdiag::RuleSet& rules, const std::atomic<bool>* cancel,
                    std::atomic<const char*>& stage) {
  stage = "loading";
  kdiag::LoadOptions loading;
  loading.cancel = cancel;
  const auto facts = kdiag::load_trace(path, loading);
  if (!facts) {
    if (cancel == nullptr) std::cerr << kdiag::render(facts.error());
    return;
  }
  stage = "judging";
  kdiag::diagnose(*facts, rules, {.cancel = cancel});
}

Trial cancel_after(const std::string& path, const kdiag::RuleSet& rules, Clock::duration delay) {
  std::atomic<bool> cancel{false};
  std::atomic<const char*> stage{"starting"};
  Clock::time_point asked;
  const char* at = nullptr;
  const Clock::time_point begun = Clock::now();
  std::jthread host([&] {
    std::this_thread::sleep_until(begun + delay);
    at = stage;
    asked = Clock::now();
    cancel = true;
  });
  load_and_judge(path, rules, &cancel, stage);
  const Clock::time_point ended = Clock::now();
  host.join();
  return {std::max(0.0, milliseconds(ended - asked)), milliseconds(asked - begun), at};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: cancel_latency TRACE [TRIALS]\n";
    return 2;
  }
  const int trials = argc > 2 ? std::atoi(argv[2]) : 100;
  const auto rules = kdiag::builtin_rules({.incubating = true});
  if (!rules) return 2;
  std::atomic<const char*> stage{"starting"};
  const Clock::time_point begun = Clock::now();
  load_and_judge(argv[1], *rules, nullptr, stage);
  const Clock::duration whole = Clock::now() - begun;

  std::vector<Trial> all;
  for (int i = 0; i < trials; ++i) all.push_back(cancel_after(argv[1], *rules, whole * (2 * i + 1) / (2 * trials)));
  std::sort(all.begin(), all.end(), [](const Trial& a, const Trial& b) { return a.delay_ms > b.delay_ms; });
  std::cout << "uncancelled: " << milliseconds(whole) << " ms; median delay " << all[all.size() / 2].delay_ms
            << " ms\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(5, all.size()); ++i)
    std::cout << all[i].delay_ms << " ms after asking at " << all[i].asked_ms << " ms, while " << all[i].stage << '\n';
}
