// SPDX-License-Identifier: Apache-2.0
// A Lua rule that goes through a column of a million kernels, against the same sum in the language. The first two run
// within the limits that Lua rules have by default.
#include <benchmark/benchmark.h>

#include <cstdint>

#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>

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

/// Kernels of a device, one behind the other.
Result<Facts> kernels(std::int64_t count) {
  FactsBuilder builder("bench");
  FactRows& rows = builder.rows();
  const Row device = rows.batch().device(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const Row kernel = rows.add("kernels");
    rows.set(kernel, "name", "gemm");
    rows.set(kernel, "start", 10'000 * i);
    rows.set(kernel, "dur", 5'000 + i % 1'000);
    rows.set(kernel, "device", device);
  }
  return std::move(builder).build();
}

void judge(benchmark::State& state, const char* name, const char* text, const LuaLimits& limits = {}) {
  static const Result<Facts> facts = kernels(1'000'000);
  RuleOptions options;
  options.builtin = false;
  options.lua_limits = limits;
  const Result<RuleSet> rules = load_rules_text(name, text, options);
  if (!facts || !rules) return state.SkipWithError("no facts or no rules");
  Report report;
  for (auto _ : state) benchmark::DoNotOptimize((report = diagnose(*facts, *rules, {.threads = 1})).outcomes.size());
  for (const OutcomeEntry& outcome : report.outcomes)
    if (outcome.outcome == Outcome::failed) state.SkipWithError(outcome.reason.c_str());
}

void lua_column(benchmark::State& state) { judge(state, "t.lua", by_column); }
void language(benchmark::State& state) { judge(state, "t.yaml", by_language); }
void lua_rows(benchmark::State& state) {
  judge(state, "t.lua", by_rows, {.instructions = 1'000'000'000, .wall_ms = 0});
}

BENCHMARK(lua_column)->Unit(benchmark::kMillisecond);
BENCHMARK(language)->Unit(benchmark::kMillisecond);
BENCHMARK(lua_rows)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
