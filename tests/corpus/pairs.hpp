// SPDX-License-Identifier: Apache-2.0
// Pairs of simulated runs that differ in one known thing, and which rules should say so.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/corpus/cycles.hpp"
#include "tests/corpus/telemetry.hpp"

namespace kdiag::corpus {

/// One run of a pair: a loop, and what is sampled beside it.
struct Job {
  std::variant<Workload, Serving, CycleLoop> loop;
  HostState host;
  std::vector<int> sm_clocks;  ///< MHz, of each device that nvidia-smi logs; empty: no log

  std::vector<TraceFile> play(std::uint64_t seed) const;
};

/// What became different between two runs.
struct Change {
  std::string_view name;
  /// Any of these names the cause; the first is the one to expect. Empty: none is the cause of anything.
  std::vector<std::string_view> rules;
  /// What is also true of such a pair and may be said beside it.
  std::vector<std::string_view> also;
};

struct Pair {
  const Change* change;
  Job normal, abnormal;
};

/// Each change once, and pairs of healthy runs; dimensions vary with the seed.
std::vector<Pair> pairs(std::uint64_t seed);

}  // namespace kdiag::corpus
