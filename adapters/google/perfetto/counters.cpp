// SPDX-License-Identifier: Apache-2.0
// Names of counters are their producers' own; known are those of the NVML and AMD pollers and of common drivers.
#include "adapters/google/perfetto/counters.hpp"

#include "adapters/io/protobuf.hpp"

namespace kdiag::adapters::perfetto {
namespace {

constexpr TelemetryName names[] = {
    {"GPU Frequency", {}, "sm_clock"},
    {"GPU Clock", {}, "sm_clock"},
    {"SM Clock", {}, "sm_clock"},
    {"SM Frequency", {}, "sm_clock"},
    {"Memory Clock", {}, "mem_clock"},
    {"Memory Frequency", {}, "mem_clock"},
    {"Power", {}, "power"},
    {"GPU Power", {}, "power"},
    {"Temperature", {}, "temperature"},
    {"GPU Temperature", {}, "temperature"},
    {"Memory Temperature", {}, "mem_temperature"},
    {"Utilization", {}, "gpu_util"},
    {"GPU Utilization", {}, "gpu_util"},
    {"Memory Utilization", {}, "mem_util"},
    {"Memory Used", {}, "memory_used"},
    {"GPU Memory Used", {}, "memory_used"},
};
constexpr TelemetryName frequency_name{"gpu_frequency", "kHz", "sm_clock"};
constexpr TelemetryName memory_name{"gpu_mem_total", {}, "memory_used"};

constexpr std::uint64_t seconds = 22;

/// Of MeasureUnit, as units are written; nothing for those of no series.
std::string_view unit_name(std::uint64_t unit) {
  switch (unit) {
    case 7: return "B";
    case 8: return "KB";
    case 9: return "MB";
    case 10: return "GB";
    case 13: return "Hz";
    case 14: return "kHz";
    case 15: return "MHz";
    case 16: return "GHz";
    case 28: return "mW";
    case 29: return "W";
    case 30: return "kW";
    case 34: return "C";
    case 37: return "%";
    default: return {};
  }
}

}  // namespace

const TelemetryName& frequency_khz() { return frequency_name; }
const TelemetryName& memory_used() { return memory_name; }

void add_counters(std::string_view descriptor, CounterGroup& group) {
  for (const Field& spec : Fields(descriptor)) {
    if (spec.number != 1) continue;
    std::uint64_t id = 0;
    Counter counter;
    bool per_second = false;
    for (const Field& field : Fields(spec.message())) switch (field.number) {
        case 1: id = field.integer().value_or(0); break;
        case 2: counter.name = field.text(); break;
        case 7: counter.unit = unit_name(field.integer().value_or(0)); break;
        case 8: per_second = field.integer() == seconds; break;
        default: break;
      }
    if (per_second && counter.unit.empty()) counter.unit = "Hz";  // something a second: cycles
    counter.about = counter.unit.empty() ? nullptr : find_telemetry(names, counter.name);
    group.counters.insert_or_assign(id, std::move(counter));
  }
}

}  // namespace kdiag::adapters::perfetto
