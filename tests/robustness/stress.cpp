// SPDX-License-Identifier: Apache-2.0
// Many diagnoses at once over shared facts and rules: stress TRACE THREADS DIAGNOSES. Each thread makes so many; every
// report must be the same, byte for byte.
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <kdiag/kdiag.hpp>

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
  std::atomic<int> different{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < std::atoi(argv[2]); ++t)
    threads.emplace_back([&, t] {
      const kdiag::Facts own_facts = *facts;  // shares
      const kdiag::RuleSet own_rules = *rules;
      for (int i = 0; i < std::atoi(argv[3]); ++i)
        if (kdiag::to_json(kdiag::diagnose(own_facts, own_rules, {.threads = t % 2 == 0 ? 1U : 2U})) != expected)
          ++different;
    });
  for (std::thread& thread : threads) thread.join();
  std::cout << different << " of " << std::atoi(argv[2]) * std::atoi(argv[3]) << " reports differ\n";
  return different == 0 ? 0 : 1;
}
