// SPDX-License-Identifier: Apache-2.0
// A Lua rule that goes through a column of kernels, against the same sum in the language.
#include <benchmark/benchmark.h>

#include <kdiag/kdiag.hpp>

#include "bench/trace_file.hpp"

namespace kdiag::bench {
namespace {

constexpr const char* by_column = R"(return { id = "bench.column", title = "t", for_each = "device",
  detect = function(kd)
    local dur = kd.column("kernels", "dur")
    local longest, sum = 0, 0
    for i = 1, #dur do
      local d = dur[i]
      sum = sum + d
      if d > longest then longest = d end
    end
    if longest > sum then kd.finding{ impact = dur:quantity(sum) } end
  end })";

constexpr const char* by_rows = R"(return { id = "bench.rows", title = "t", for_each = "device",
  detect = function(kd)
    local sum = kd.q(0, "ns")
    for kernel in kd.rows("kernels") do sum = sum + kernel.dur end
    if sum < 0 then kd.finding{ impact = sum } end
  end })";

constexpr const char* by_language =
    "kdiag: 1\nrules:\n- rule: bench.language\n  title: t\n  for_each: device\n"
    "  when: max(kernels, dur) > sum(kernels, dur)\n";

void judge(benchmark::State& state, const char* name, const char* text) {
  const Result<Facts> facts = load_trace(trace_file(state.range(0)));
  RuleOptions options;
  options.builtin = false;
  options.lua_limits.instructions = 1'000'000'000;
  options.lua_limits.wall_ms = 0;
  const Result<RuleSet> rules = load_rules_text(name, text, options);
  if (!facts || !rules) return state.SkipWithError("no facts or no rules");
  const Result<QueryAnswer> kernels = query(*facts, "count(kernels)");
  if (kernels) state.SetLabel(kernels->text.substr(0, kernels->text.find('\n')) + " kernels");
  Report report;
  for (auto _ : state) benchmark::DoNotOptimize((report = diagnose(*facts, *rules, {.threads = 1})).outcomes.size());
  for (const OutcomeEntry& outcome : report.outcomes)
    if (outcome.outcome == Outcome::failed) state.SkipWithError(outcome.reason.c_str());
}

void lua_column(benchmark::State& state) { judge(state, "t.lua", by_column); }
void lua_rows(benchmark::State& state) { judge(state, "t.lua", by_rows); }
void language(benchmark::State& state) { judge(state, "t.yaml", by_language); }

BENCHMARK(lua_column)->Arg(3'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(lua_rows)->Arg(3'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(language)->Arg(3'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
