// SPDX-License-Identifier: Apache-2.0
// The GPUs of an export, and which of them a process means by its device 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters::nsys {

/// GPUs have two numbers: the profiler's (TARGET_INFO_GPU.id) and CUDA's (cuDevice), which is what facts call a device.
/// CUDA_VISIBLE_DEVICES lets each process count for itself; since 2025 the export tells (TARGET_INFO_CUDA_DEVICE).
class Gpus {
 public:
  Gpus(const Database& database, FactSink& sink);

  /// Number of the device that a process calls `number`.
  std::int64_t device(std::int64_t process, std::int64_t number) const;
  /// Number of the device that the profiler calls `gpu`.
  std::int64_t device_of_gpu(std::int64_t gpu) const;

  /// Numbers of all devices, used or not.
  std::vector<std::int64_t> devices() const;
  /// Sets what is known of a device.
  void describe(Batch& batch, Row row, std::int64_t device) const;

 private:
  struct Gpu {
    std::int64_t device = 0;
    std::string name, uuid, compute_capability = {};
    std::optional<std::int64_t> sms, clock_max, bandwidth, memory;
    std::optional<std::int64_t> unit_threads, unit_blocks, unit_registers, unit_memory;
  };
  std::map<std::int64_t, Gpu> gpus_;                                          ///< by the profiler's number
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> by_process_;  ///< (process, its number) -> profiler's
};

}  // namespace kdiag::adapters::nsys
