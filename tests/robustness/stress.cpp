// SPDX-License-Identifier: Apache-2.0
// Many diagnoses at once over shared facts and rules: stress TRACE THREADS DIAGNOSES. Each thread makes so many; every
// report must be the same, byte for byte, and the memory of the process must not grow once a tenth of them is made.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace {

/// Memory of this process that is in use, in MiB.
long resident_mib() {
  long all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

// Allocators keep what threads free at different times: so much growth is none (judgement).
constexpr long slack_mib = 16;

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: stress TRACE THREADS DIAGNOSES\n";
    return 2;
  }
  const auto facts = kdiag::load_trace(argv[1]);
  const auto rules = kdiag::builtin_rules();
  if (!facts || !rules) {
    std::cerr << kdiag::render(facts ? rules.error() : facts.error());
    return 2;
  }
  const std::string expected = kdiag::to_json(kdiag::diagnose(*facts, *rules));
  const int all = std::atoi(argv[2]) * std::atoi(argv[3]);
  std::atomic<int> different{0}, made{0};
  std::atomic<long> early_mib{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < std::atoi(argv[2]); ++t)
    threads.emplace_back([&, t] {
      const kdiag::Facts own_facts = *facts;  // shares
      const kdiag::RuleSet own_rules = *rules;
      for (int i = 0; i < std::atoi(argv[3]); ++i) {
        if (kdiag::to_json(kdiag::diagnose(own_facts, own_rules, {.threads = t % 2 == 0 ? 1U : 2U})) != expected)
          ++different;
        if (++made == all / 10) early_mib = resident_mib();
      }
    });
  for (std::thread& thread : threads) thread.join();
  const long late_mib = resident_mib();
  std::cout << different << " of " << all << " reports differ; " << early_mib << " MiB after a tenth of them, "
            << late_mib << " MiB after all\n";
  return different == 0 && late_mib <= early_mib + slack_mib ? 0 : 1;
}
