// SPDX-License-Identifier: Apache-2.0
// Judging loaded facts by the built-in rules, and printing what comes of it.
#include <benchmark/benchmark.h>

#include <kdiag/kdiag.hpp>

#include "bench/trace_file.hpp"

namespace kdiag::bench {
namespace {

void evaluate(benchmark::State& state) {
  const Result<Facts> facts = load_trace(trace_file(state.range(0)));
  const Result<RuleSet> rules = builtin_rules();
  if (!facts || !rules) return state.SkipWithError("no facts or no rules");
  for (auto _ : state) benchmark::DoNotOptimize(diagnose(*facts, *rules).findings.size());
}

void print(benchmark::State& state) {
  const Result<Facts> facts = load_trace(trace_file(100'000));
  const Result<RuleSet> rules = builtin_rules();
  if (!facts || !rules) return state.SkipWithError("no facts or no rules");
  const Report report = diagnose(*facts, *rules);
  for (auto _ : state) {
    benchmark::DoNotOptimize(to_text(report));
    benchmark::DoNotOptimize(to_json(report));
  }
}

BENCHMARK(evaluate)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(print)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
