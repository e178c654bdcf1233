// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/faults.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace kdiag::corpus {
namespace {

const std::vector<Fault>& table() {
  static const std::vector<Fault> all = {
      {"reads a value in every layer",
       [](Workload& w) {
         w.reads_per_step = w.layers;
         w.sync_latency = 150'000;
       },
       {"host.sync-stall"},
       {"host.bound", "launch.tiny-kernels"}},
      {"waits behind each launch",
       [](Workload& w) {
         w.sync_each_launch = true;
         w.gemm = 60'000;
       },
       {"host.sync-per-launch", "host.sync-stall"},
       {"host.sync-stall", "host.bound", "launch.tiny-kernels"}},
      {"a loader that is too slow",
       [](Workload& w) {
         w.loader_wait = 40'000'000;
         w.loader_in_main_thread = true;
       },
       {"input.starved"},
       {}},
      {"tiny kernels",
       [](Workload& w) {
         w.gemm = 6'000;
         w.elementwise = 2'500;
         w.elementwise_run = 4;
         w.input_bytes = 1 << 16;
       },
       {"launch.tiny-kernels"},
       {"host.bound", "fusion.elementwise"}},
      {"a slow host",
       [](Workload& w) {
         w.op_cost = 320'000;
         w.gemm = 120'000;
       },
       {"host.bound"},
       {"launch.tiny-kernels"}},
      {"allocates in every layer",
       [](Workload& w) { w.allocation = 500'000; },
       {"memory.churn"},
       {"launch.slow-calls"}},
      {"a hole that nothing explains", [](Workload& w) { w.silence = 300'000'000; }, {"host.unrecorded-gap"}, {}},
      {"copies from pageable memory",
       [](Workload& w) {
         w.pageable = true;
         w.input_bytes = 48 << 20;
       },
       {"copy.pageable", "copy.exposed"},
       {"copy.exposed", "host.sync-copy"}},
      {"copies again what the device has",
       [](Workload& w) { w.copies_per_layer = 1; },
       {"copy.repeated", "copy.pageable", "copy.exposed"},
       {"copy.exposed", "copy.pageable", "host.sync-copy"}},
      {"collectives behind the backward pass",
       [](Workload& w) {
         w.ranks = 4;
         w.all_reduce = 2'500'000;
         w.overlapped = false;
       },
       {"comm.exposed"},
       {"comm.straggler"}},  // whichever rank comes last, a little
      {"a slow rank",
       [](Workload& w) {
         w.ranks = 4;
         w.all_reduce = 300'000;
         w.slow_rank = 1.6;
       },
       {"comm.straggler", "comm.slow-rank"},
       {"comm.exposed", "comm.slow-rank"}},
      {"grids of four blocks", [](Workload& w) { w.blocks = 4; }, {"kernel.small-grid"}, {"kernel.dominant"}},
      {"elementwise operations one by one",
       [](Workload& w) {
         w.elementwise = 45'000;
         w.elementwise_run = 6;
       },
       {"fusion.elementwise"},
       {}},
      {"layouts that do not fit",
       [](Workload& w) {
         w.conversion = 60'000;
         w.gemm_name = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32";
       },
       {"layout.conversion"},
       {}},
      {"an optimizer in small pieces",
       [](Workload& w) {
         w.fused_optimizer = false;
         w.gemm = 60'000;
       },
       {"fusion.optimizer", "fusion.elementwise", "launch.tiny-kernels"},
       {"launch.tiny-kernels", "host.bound", "fusion.elementwise"}},
  };
  return all;
}

/// Pairs whose faults cost time in different places. By name, so that the table above can grow.
constexpr std::array pairs = {
    std::pair{"a loader that is too slow", "layouts that do not fit"},
    std::pair{"a loader that is too slow", "copies from pageable memory"},
    std::pair{"elementwise operations one by one", "a loader that is too slow"},
    std::pair{"allocates in every layer", "elementwise operations one by one"},
    std::pair{"collectives behind the backward pass", "a loader that is too slow"},
    std::pair{"grids of four blocks", "a loader that is too slow"},
};

const Fault& named(std::string_view name) {
  return *std::find_if(table().begin(), table().end(), [&](const Fault& fault) { return fault.name == name; });
}

/// Loops of the same kind differ: more or fewer layers, larger or smaller kernels.
Workload vary(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto scale = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  Workload w;
  w.steps = 6 + static_cast<int>(random() % 5);
  w.layers = 16 + static_cast<int>(random() % 17);
  w.gemm = static_cast<std::int64_t>(static_cast<double>(w.gemm) * scale(0.8, 1.3));
  w.op_cost = static_cast<std::int64_t>(static_cast<double>(w.op_cost) * scale(0.8, 1.2));
  w.loader_wait = static_cast<std::int64_t>(static_cast<double>(w.loader_wait) * scale(0.5, 1.5));
  return w;
}

}  // namespace

std::span<const Fault> faults() { return table(); }

std::vector<Scenario> scenarios(std::uint64_t seed) {
  std::vector<Scenario> out;
  const Workload base = vary(seed);
  out.push_back({"a healthy loop", base, {}});
  Workload ranks = base;
  ranks.ranks = 4;
  ranks.all_reduce = 300'000;
  out.push_back({"a healthy loop of four ranks", ranks, {}});
  Workload graph = base;
  graph.graph = true;
  graph.gemm = 40'000;
  out.push_back({"a healthy loop of graph launches", graph, {}});
  for (const Fault& fault : table()) {
    Scenario scenario{std::string(fault.name), base, {&fault}};
    fault.apply(scenario.workload);
    out.push_back(std::move(scenario));
  }
  for (const auto& [one, other] : pairs) {
    Scenario scenario{std::string(one) + " + " + other, base, {&named(one), &named(other)}};
    for (const Fault* fault : scenario.faults) fault->apply(scenario.workload);
    out.push_back(std::move(scenario));
  }
  return out;
}

}  // namespace kdiag::corpus
