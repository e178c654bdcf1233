// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <random>

#include "tests/corpus/faults.hpp"

namespace kdiag::corpus {
namespace {

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
  return *std::find_if(faults().begin(), faults().end(), [&](const Fault& fault) { return fault.name == name; });
}

/// Loops of the same kind differ: more or fewer layers, larger or smaller kernels.
Workload vary(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto scale = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  Workload w;
  w.steps = 6 + static_cast<int>(random() % 5);
  w.layers = 16 + static_cast<int>(random() % 17);
  w.gemm = static_cast<std::int64_t>(static_cast<double>(w.gemm) * scale(0.8, 1.3));
  w.costs.op = static_cast<std::int64_t>(static_cast<double>(w.costs.op) * scale(0.8, 1.2));
  w.loader_wait = static_cast<std::int64_t>(static_cast<double>(w.loader_wait) * scale(0.5, 1.5));
  return w;
}

Serving vary_server(std::uint64_t seed) {
  std::mt19937_64 random(seed + 1'000);
  Serving s;
  s.steps = 32 + static_cast<int>(random() % 17);
  s.layers = 24 + static_cast<int>(random() % 17);
  s.requests = 8 + static_cast<int>(random() % 57);
  s.kernel = 12'000 + static_cast<std::int64_t>(random() % 6'000);
  return s;
}

Pipeline vary_pipeline(std::uint64_t seed) {
  std::mt19937_64 random(seed + 2'000);
  Pipeline p;
  p.stages = 3 + static_cast<int>(random() % 4);
  p.micro_batches = 2 * p.stages + static_cast<int>(random() % 5);
  p.forward = 40'000'000 + static_cast<std::int64_t>(random() % 40'000'000);
  return p;
}

KernelTable vary_kernels(std::uint64_t seed) {
  std::mt19937_64 random(seed + 3'000);
  KernelTable t;
  t.layers = 12 + static_cast<int>(random() % 25);
  t.gemm.dur = 120'000 + static_cast<std::int64_t>(random() % 120'000);
  return t;
}

/// A fault done to the healthy loop of its kind.
template <class Loop>
bool add(std::vector<Scenario>& out, const Fault& fault, Loop loop) {
  const auto* apply = std::get_if<void (*)(Loop&)>(&fault.apply);
  if (apply == nullptr) return false;
  (*apply)(loop);
  out.push_back({std::string(fault.name), std::move(loop), {&fault}});
  return true;
}

}  // namespace

std::vector<Scenario> scenarios(std::uint64_t seed) {
  std::vector<Scenario> out;
  const Workload base = vary(seed);
  const Serving server = vary_server(seed);
  out.push_back({"a healthy loop", base, {}});
  Workload ranks = base;
  ranks.ranks = 4;
  ranks.all_reduce = 300'000;
  out.push_back({"a healthy loop of four ranks", ranks, {}});
  Workload graph = base;
  graph.graph = true;
  graph.gemm = 40'000;
  out.push_back({"a healthy loop of graph launches", graph, {}});
  Workload watched = base;
  watched.sm_clock = 1'410;
  out.push_back({"a healthy loop beside nvidia-smi", watched, {}});
  out.push_back({"a healthy server", server, {}});
  Serving decoding = server;
  decoding.prefill_every = 0;
  out.push_back({"a healthy server that only decodes", decoding, {}});
  Workload printing = base;  // it reads its loss once a step, and drops its gradients
  printing.reads_per_step = 1;
  out.push_back({"a healthy loop that prints its loss", printing, {}});
  Workload inferring = base;
  inferring.trains = false;
  out.push_back({"a healthy loop that infers", inferring, {}});
  const Pipeline pipeline = vary_pipeline(seed);
  out.push_back({"a healthy pipeline", pipeline, {}});
  Pipeline uneven = pipeline;  // no model splits evenly
  uneven.last_stage = 1.03;
  out.push_back({"a healthy pipeline with a little more in its last stage", uneven, {}});
  const KernelTable kernels = vary_kernels(seed);
  out.push_back({"a healthy table of kernels", kernels, {}});
  KernelTable tokens = kernels;  // one token at a time: small tiles, but the memory is what they wait for
  tokens.gemm = {"ampere_bf16_s16816gemm_bf16_64x64_sliced1x2_ldg8_f2f", 40'000, 0.10, 0.86};
  out.push_back({"a healthy table of kernels that decode", tokens, {}});
  for (const std::span<const Fault> table : {faults(), twins()})
    for (const Fault& fault : table)
      if (!add(out, fault, base) && !add(out, fault, server) && !add(out, fault, pipeline)) add(out, fault, kernels);
  for (const auto& [one, other] : pairs) {
    Workload loop = base;
    for (const std::string_view name : {one, other}) std::get<void (*)(Workload&)>(named(name).apply)(loop);
    out.push_back({std::string(one) + " + " + other, loop, {&named(one), &named(other)}});
  }
  return out;
}

}  // namespace kdiag::corpus
