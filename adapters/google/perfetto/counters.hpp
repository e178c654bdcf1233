// SPDX-License-Identifier: Apache-2.0
// Counters of GPUs: what a GpuCounterDescriptor says of them, and which of them kdiag knows as series.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "adapters/rows/telemetry_names.hpp"

namespace kdiag::adapters::perfetto {

struct Counter {
  std::string name;
  const TelemetryName* about = nullptr;  ///< nothing: not known
  std::string_view unit;                 ///< a literal
};

struct CounterGroup {
  std::unordered_map<std::uint64_t, Counter> counters;  ///< by id
  std::int64_t gpu = 0;
};

/// Adds the counters of a GpuCounterDescriptor.
void add_counters(std::string_view descriptor, CounterGroup& group);

// Series that other events of a trace state.
const TelemetryName& frequency_khz();
const TelemetryName& memory_used();

}  // namespace kdiag::adapters::perfetto
