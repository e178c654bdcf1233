// SPDX-License-Identifier: Apache-2.0
// What rules and shared expressions cost, where somebody asks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kdiag {

struct Cost {
  std::atomic<std::uint64_t> nanoseconds = 0, rows = 0, times = 0;
  void add(std::uint64_t ns, std::uint64_t visited) {
    nanoseconds.fetch_add(ns, std::memory_order_relaxed);
    rows.fetch_add(visited, std::memory_order_relaxed);
    times.fetch_add(1, std::memory_order_relaxed);
  }
};

/// Usable from several threads at a time.
struct Costs {
  Costs(std::size_t rules, std::size_t expressions) : of_rule(rules), of_expression(expressions) {}
  std::vector<Cost> of_rule;        ///< by index into LoadedRules::rules
  std::vector<Cost> of_expression;  ///< by slot of Library::shared
  Cost evaluation;                  ///< of all rules on all subjects, by a clock of its own
};

}  // namespace kdiag
