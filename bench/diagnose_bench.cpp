// SPDX-License-Identifier: Apache-2.0
// Judging loaded facts by the built-in rules, and printing what comes of it.
#include <benchmark/benchmark.h>

#include <kdiag/kdiag.hpp>

#include "bench/rule_pack.hpp"
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

/// A large pack of other people's rules; the yardstick is load_trace of the same trace.
void evaluate_pack(benchmark::State& state) {
  const Result<Facts> facts = load_trace(trace_file(state.range(1)));
  const Result<RuleSet> rules =
      load_rules_text("pack.yaml", rule_pack(static_cast<std::size_t>(state.range(0))), {.builtin = false, .set = {}});
  if (!facts || !rules) return state.SkipWithError("no facts or no rules");
  const DiagnoseOptions options{.threads = static_cast<unsigned>(state.range(2))};
  for (auto _ : state) benchmark::DoNotOptimize(diagnose(*facts, *rules, options).findings.size());
}

BENCHMARK(evaluate)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(evaluate_pack)
    ->ArgNames({"rules", "events", "threads"})
    ->Args({200, 1'000'000, 1})
    ->Args({200, 1'000'000, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(print)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
