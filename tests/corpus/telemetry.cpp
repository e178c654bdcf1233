// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/telemetry.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

namespace kdiag::corpus {
namespace {

constexpr int samples = 50;
constexpr int period_ms = 20;
// Of the trace, which begins so long behind the base time that it states.
constexpr std::int64_t recording_start = 1'711'929'600'000'000'000 + 1'500'000'000'000'000;  // ns since 1970
constexpr int idle_clock = 210;                                                              // MHz

}  // namespace

TraceFile host_log(const HostState& host) {
  std::string text = "{\"schema\": \"kdiag.facts/1\"}\n{\"run\": {\"clock\": \"unix\", \"telemetry\": true}}\n";
  text += "{\"table\": \"samples\", \"columns\": [\"series\", \"time\", \"value\"], \"rows\": [";
  char row[160];
  for (int i = 0; i < samples; ++i) {
    const auto time = static_cast<long long>(recording_start + std::int64_t{i} * period_ms * 1'000'000);
    const double wander = 1 + 0.01 * (i % 5 - 2);
    std::snprintf(row, sizeof row, "%s[\"cpu_util\", %lld, %.4f], [\"cpu_clock\", %lld, %.0f]", i > 0 ? ", " : "", time,
                  host.use * wander, time, host.clock * 1e6);
    text += row;
  }
  return {"host.jsonl", text + "]}\n"};
}

TraceFile device_log(const std::vector<int>& sm_clocks) {
  std::string text =
      "timestamp, index, name, utilization.gpu [%], clocks.current.sm [MHz], clocks.current.memory [MHz], "
      "clocks.max.sm [MHz], clocks_throttle_reasons.active\n";
  char line[256];
  for (int i = 0; i < samples; ++i)
    for (std::size_t device = 0; device < sm_clocks.size(); ++device) {
      const bool idle = sm_clocks[device] == idle_clock;
      std::snprintf(line, sizeof line,
                    "2024/04/01 00:25:%02d.%03d, %zu, NVIDIA A100-SXM4-80GB, %d %%, %d MHz, 1593 MHz, 1410 MHz, %s\n",
                    i * period_ms / 1'000, i * period_ms % 1'000, device, idle ? 0 : 97, sm_clocks[device],
                    idle ? "0x0000000000000001" : "0x0000000000000000");
      text += line;
    }
  return {"gpu.csv", text};
}

}  // namespace kdiag::corpus
