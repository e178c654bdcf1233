// SPDX-License-Identifier: Apache-2.0
// Writes PyTorch profiler traces of any size for measurements.
#pragma once

#include <cstdint>
#include <cstdio>

namespace kdiag::bench {

/// Writes a trace of `events` events, the same bytes for the same number and seed on every machine.
///
/// Shaped like real traces: 250 to 290 bytes an event, 300 distinct names of 289 bytes on average (templates of kernels
/// are what makes them long), operators that nest, launches that flow to kernels by correlation, steps, two threads.
void write_trace(std::FILE* out, std::int64_t events, std::uint64_t seed = 1);

}  // namespace kdiag::bench
