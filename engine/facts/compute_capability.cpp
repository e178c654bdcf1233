// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/compute_capability.hpp"

#include <charconv>

namespace kdiag {
namespace {

struct Architecture {
  std::string_view number;
  UnitLimits limits;
};

constexpr std::int32_t kib = 1024;

// CUDA C++ Programming Guide, compute capabilities, table of technical specifications: resident threads and blocks,
// 32-bit registers and shared memory for each multiprocessor.
constexpr Architecture architectures[] = {
    {"6.0", {2048, 32, 64 * kib, 64 * kib}},  {"6.1", {2048, 32, 64 * kib, 96 * kib}},
    {"7.0", {2048, 32, 64 * kib, 96 * kib}},  {"7.5", {1024, 16, 64 * kib, 64 * kib}},
    {"8.0", {2048, 32, 64 * kib, 164 * kib}}, {"8.6", {1536, 16, 64 * kib, 100 * kib}},
    {"8.7", {1536, 16, 64 * kib, 164 * kib}}, {"8.9", {1536, 24, 64 * kib, 100 * kib}},
    {"9.0", {2048, 32, 64 * kib, 228 * kib}}, {"10.0", {2048, 32, 64 * kib, 228 * kib}},
};

}  // namespace

std::optional<UnitLimits> unit_limits(std::string_view compute_capability) {
  for (const Architecture& architecture : architectures)
    if (architecture.number == compute_capability) return architecture.limits;
  return std::nullopt;
}

std::int32_t reserved_shared_memory(std::string_view compute_capability) {
  int major = 0;
  std::from_chars(compute_capability.data(), compute_capability.data() + compute_capability.size(), major);
  return major >= 8 ? kib : 0;
}

}  // namespace kdiag
