// SPDX-License-Identifier: Apache-2.0
// The kernels of a model one by one, with what Nsight Compute measures of each: no timeline, no host.
#include <cstdio>
#include <random>
#include <string>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {

std::vector<TraceFile> simulate(const KernelTable& table, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto jitter = [&] { return std::uniform_real_distribution<double>(0.96, 1.04)(random); };
  std::string text = "Kernel                                                 Latency Tensor   DRAM\n";
  const auto kernel = [&](const MeasuredKernel& it) {
    if (it.dur == 0) return;
    char line[256];
    std::snprintf(line, sizeof line, "%-50s| %10d %6.2f %6.2f\n", std::string(it.name).c_str(),
                  static_cast<int>(static_cast<double>(it.dur) * jitter()), it.tensor * jitter(), it.dram * jitter());
    text += line;
  };
  for (int layer = 0; layer < table.layers; ++layer) {
    kernel({"layer_norm_kernel", 22'000, 0, 0.80});
    for (int i = 0; i < 4; ++i) kernel(table.gemm);
    kernel({"flash_fwd_kernel", 140'000, 0.58, 0.20});
    kernel({"vectorized_elementwise_kernel", 26'000, 0, 0.85});
    kernel(table.extra);
  }
  return {{"kernels.txt", text}};
}

}  // namespace kdiag::corpus
