// SPDX-License-Identifier: Apache-2.0
// What a host waits for in a fresh process: first_diagnosis TRACE. Prints how long the built-in rules, the trace and
// the judging take, each for the first time.
#include <chrono>
#include <cstdio>
#include <iostream>

#include <kdiag/kdiag.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: first_diagnosis TRACE\n";
    return 2;
  }
  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  const Clock::time_point begun = Clock::now();
  const auto rules = kdiag::builtin_rules();
  const Clock::time_point with_rules = Clock::now();
  const auto facts = kdiag::load_trace(argv[1]);
  const Clock::time_point with_facts = Clock::now();
  if (!rules || !facts) return 2;
  const kdiag::Report report = kdiag::diagnose(*facts, *rules);
  const Clock::time_point judged = Clock::now();
  std::printf("rules %.2f ms, trace %.2f ms, judging %.2f ms: %.2f ms to the first of %zu findings\n",
              milliseconds(with_rules - begun), milliseconds(with_facts - with_rules),
              milliseconds(judged - with_facts), milliseconds(judged - begun), report.findings.size());
}
