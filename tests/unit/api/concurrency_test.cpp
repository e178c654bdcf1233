// SPDX-License-Identifier: Apache-2.0
// Facts and rules that many threads share, and work that is stopped at any moment.
#include <kdiag/deadline.hpp>
#include <kdiag/kdiag.hpp>

#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/examples.hpp"

using namespace kdiag;
using kdiag::tests::item_storm;

namespace {}  // namespace

TEST_CASE("threads that share facts and rules make the same report", "[api][threads]") {
  const Result<Facts> facts = load_trace(item_storm);
  const Result<RuleSet> rules = builtin_rules();
  REQUIRE(facts);
  REQUIRE(rules);
  const std::string expected = to_json(diagnose(*facts, *rules));
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 4; ++i) {
          if (to_json(diagnose(*facts, *rules, {.threads = 1 + t % 3})) != expected) ++different;
          if (!query(*facts, *rules, "count(kernels)") || !explain(*facts, *rules, "host.sync-stall")) ++different;
        }
      });
  }
  CHECK(different == 0);
}

TEST_CASE("work that is stopped at any moment ends with its error or its result", "[api][threads]") {
  const Result<Facts> facts = load_trace(item_storm);
  const Result<RuleSet> rules = builtin_rules();
  REQUIRE(facts);
  REQUIRE(rules);
  const std::size_t all = diagnose(*facts, *rules).outcomes.size();
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::atomic<bool> stop = false;
    std::jthread stopper([&stop, wait = std::chrono::microseconds(random() % 5000)] {
      std::this_thread::sleep_for(wait);
      stop = true;
    });
    LoadOptions loading;
    loading.cancel = &stop;
    const Result<Facts> loaded = load_trace(item_storm, loading);
    if (!loaded) CHECK(loaded.error().front().id == "K690");
    const Report report = diagnose(*facts, *rules, {.threads = 2, .cancel = &stop});
    CHECK(report.outcomes.size() <= all);
  }
}
