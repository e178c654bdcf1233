// SPDX-License-Identifier: Apache-2.0
// Loading rule files, against what the YAML library alone needs for the same bytes.
#include <benchmark/benchmark.h>
#include <yaml-cpp/yaml.h>

#include <kdiag/kdiag.hpp>

#include "bench/rule_pack.hpp"

namespace kdiag::bench {
namespace {

void read_rules(benchmark::State& state) {
  const std::string text = rule_pack(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const Result<RuleSet> rules = load_rules_text("pack.yaml", text, {.builtin = false, .set = {}});
    if (!rules) return state.SkipWithError(render(rules.error()).c_str());
    benchmark::DoNotOptimize(rules->size());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * static_cast<std::int64_t>(state.iterations()));
}

void yaml_alone(benchmark::State& state) {
  const std::string text = rule_pack(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(YAML::LoadAll(text).size());
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(read_rules)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(yaml_alone)->Arg(2000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
