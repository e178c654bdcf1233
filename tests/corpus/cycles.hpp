// SPDX-License-Identifier: Apache-2.0
// A server as a tracer of functions sees it: for each cycle, which is a call of its scheduler, what functions took and
// what was sampled meanwhile. In the form of LatencyPrism (docs/formats/latencyprism.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {

/// The defaults are a healthy server of one of several GPUs. Times in us.
struct CycleLoop {
  int cycles = 12;
  double length = 640'000;  ///< of a cycle; what the device does is a small part of it
  bool vllm = false;        ///< whose kernels have other names than SGLang's

  // Device
  double compute = 40'000;  ///< kernels of a cycle at the clock of a healthy run
  double slowness = 1;      ///< factor on kernels that compute; those that only move memory keep their time
  double attention = 1;     ///< factor on one kernel
  double sm_clock = 1155;   ///< MHz
  int collectives = 0;      ///< in a cycle; 0: one GPU serves the model
  double collective = 90;   ///< time of each
  int copies = 6;           ///< of each direction in a cycle
  double copy = 3;          ///< time of each

  // What is sampled; rates in B/s. 0: not sampled.
  double pcie = 4e8;
  double nvlink = 0;
  double cpu_use = 7;       ///< %
  double cpu_clock = 3500;  ///< MHz
  double on_cpu = 1.6;      ///< share of a cycle that the program's threads run
};

/// The two files of a recording. The same bytes for the same loop and seed.
std::vector<TraceFile> simulate(const CycleLoop& loop, std::uint64_t seed);

}  // namespace kdiag::corpus
