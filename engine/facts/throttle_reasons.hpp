// SPDX-License-Identifier: Apache-2.0
// The bits of `throttle_reasons`, as NVML numbers them (nvmlClocksEventReasons / nvmlClocksThrottleReasons).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kdiag {

struct ThrottleReason {
  std::uint64_t bit;
  std::string_view name;
};

inline constexpr ThrottleReason throttle_reason_table[] = {
    {0x1, "gpu_idle"},
    {0x2, "applications_clocks_setting"},
    {0x4, "sw_power_cap"},
    {0x8, "hw_slowdown"},
    {0x10, "sync_boost"},
    {0x20, "sw_thermal_slowdown"},
    {0x40, "hw_thermal_slowdown"},
    {0x80, "hw_power_brake_slowdown"},
    {0x100, "display_clocks_setting"},
};

/// The bits that a sample of the series states; none where its value is no mask of 64 bits.
inline std::uint64_t throttle_bits(double value) {
  constexpr double beyond = 0x1p64;
  return value >= 0 && value < beyond ? static_cast<std::uint64_t>(value) : 0;
}

/// "hw_slowdown + hw_thermal_slowdown", "none", and unknown bits as hex.
inline std::string decode_throttle_reasons(std::uint64_t mask) {
  if (mask == 0) return "none";
  std::string out;
  const auto append = [&out](std::string_view text) { out += (out.empty() ? "" : " + ") + std::string(text); };
  for (const ThrottleReason& reason : throttle_reason_table)
    if ((mask & reason.bit) != 0) {
      append(reason.name);
      mask &= ~reason.bit;
    }
  if (mask != 0) {
    std::string hex;
    for (; mask != 0; mask >>= 4U) hex.insert(hex.begin(), "0123456789abcdef"[mask & 0xFU]);
    append("0x" + hex);
  }
  return out;
}

}  // namespace kdiag
