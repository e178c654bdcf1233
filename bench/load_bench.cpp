// SPDX-License-Identifier: Apache-2.0
// Loading a trace: reading, assembling runs and deriving facts, with one thread and two.
#include <benchmark/benchmark.h>

#include <kdiag/kdiag.hpp>

#include "bench/trace_file.hpp"

namespace kdiag::bench {
namespace {

void load(benchmark::State& state) {
  const std::string& path = trace_file(state.range(0));
  LoadOptions options;
  options.threads = static_cast<unsigned>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(load_trace(path, options).has_value());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * file_size(path));
}

BENCHMARK(load)->ArgsProduct({{100'000, 1'000'000}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
