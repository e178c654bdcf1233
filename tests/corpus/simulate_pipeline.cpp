// SPDX-License-Identifier: Apache-2.0
// A pipeline of stages that work on micro-batches: all forward, then all backward, as a timeline of ranges by stage.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {
namespace {

constexpr std::int64_t optimizer = 12'000'000;  // ns

/// An event of the Trace Event Format on the thread of a stage.
std::string event(int stage, const std::string& members) {
  return R"({"pid": 0, "tid": )" + std::to_string(stage) + ", " + members + "},\n";
}

/// In microseconds.
std::string micros(std::int64_t ns) {
  return std::to_string(ns / 1000) + "." + std::to_string(ns % 1000 + 1000).substr(1);
}

std::string range(int stage, const std::string& name, std::int64_t start, std::int64_t dur) {
  return event(stage, R"("ph": "X", "name": ")" + name + R"(", "ts": )" + micros(start) + R"(, "dur": )" + micros(dur));
}

}  // namespace

std::vector<TraceFile> simulate(const Pipeline& pipeline, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto length = [&](std::int64_t dur, int stage) {
    const double factor = stage + 1 == pipeline.stages ? pipeline.last_stage : 1;
    return static_cast<std::int64_t>(static_cast<double>(dur) * factor *
                                     std::uniform_real_distribution<double>(0.99, 1.01)(random));
  };
  std::string events;
  for (int stage = 0; stage < pipeline.stages; ++stage)
    events += event(stage, R"("ph": "M", "name": "thread_name", "args": {"name": "PP rank )" + std::to_string(stage) +
                               R"(, TP rank 0, compute"})");
  std::vector<std::int64_t> free(static_cast<std::size_t>(pipeline.stages), 0);  // when each stage can begin
  // A micro-batch reaches a stage when the one before it in its direction is done with it.
  const auto pass = [&](const char* name, std::int64_t dur, bool forward) {
    for (int batch = 0; batch < pipeline.micro_batches; ++batch) {
      std::int64_t arrival = 0;
      for (int i = 0; i < pipeline.stages; ++i) {
        const int stage = forward ? i : pipeline.stages - 1 - i;
        std::int64_t& ready = free[static_cast<std::size_t>(stage)];
        const std::int64_t start = std::max(arrival, ready);
        const std::int64_t taken = length(dur, stage);
        events += range(stage, name, start, taken);
        ready = arrival = start + taken;
      }
    }
  };
  for (int step = 0; step < pipeline.steps; ++step) {
    pass("forward-compute", pipeline.forward, true);
    pass("backward-compute", 2 * pipeline.forward, false);
    const std::int64_t done = *std::max_element(free.begin(), free.end());
    for (int stage = 0; stage < pipeline.stages; ++stage) {
      events += range(stage, "optimizer", done, optimizer);
      free[static_cast<std::size_t>(stage)] = done + optimizer;
    }
  }
  events.erase(events.size() - 2);  // the last comma
  return {{"timeline.json", "[" + events + "]\n"}};
}

}  // namespace kdiag::corpus
