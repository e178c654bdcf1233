// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/gpus.hpp"

#include <kdiag/note_ids.hpp>

namespace kdiag::adapters::nsys {

Gpus::Gpus(const Database& database, FactSink& sink) {
  Query rows =
      database.select("TARGET_INFO_GPU", {"id", "cuDevice", "name", "uuid", "smCount", "clockRate", "memoryBandwidth",
                                          "totalMemory", "computeMajor", "computeMinor", "maxWarpsPerSm",
                                          "threadsPerWarp", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm"});
  while (rows.next()) {
    const auto id = rows.integer(0);
    if (!id) {
      sink.note(note_id::malformed_value, "TARGET_INFO_GPU");
      continue;
    }
    const std::int64_t cuda = rows.integer(1).value_or(-1);  // -1: CUDA does not see it
    Gpu gpu{.device = cuda >= 0 ? cuda : *id,
            .name = std::string(rows.text(2).value_or("")),
            .uuid = std::string(rows.text(3).value_or("")),
            .sms = rows.integer(4),
            .clock_max = rows.integer(5),
            .bandwidth = rows.integer(6),
            .memory = rows.integer(7),
            .unit_threads = {},
            .unit_blocks = rows.integer(12),
            .unit_registers = rows.integer(13),
            .unit_memory = rows.integer(14)};
    if (rows.integer(8) && rows.integer(9))
      gpu.compute_capability = std::to_string(*rows.integer(8)) + "." + std::to_string(*rows.integer(9));
    const auto warps = rows.integer(10);
    const auto lanes = rows.integer(11);
    if (warps && lanes && *warps <= 1024 && *lanes <= 1024) gpu.unit_threads = *warps * *lanes;
    gpus_.try_emplace(*id, std::move(gpu));
  }
  Query links = database.select("TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"});
  while (links.next())
    if (links.integer(0) && links.integer(1) && links.integer(2))
      by_process_.try_emplace({*links.integer(0), *links.integer(1)}, *links.integer(2));
}

std::int64_t Gpus::device_of_gpu(std::int64_t gpu) const {
  const auto found = gpus_.find(gpu);
  return found == gpus_.end() ? gpu : found->second.device;
}

std::int64_t Gpus::device(std::int64_t process, std::int64_t number) const {
  const auto found = by_process_.find({process, number});
  return found == by_process_.end() ? number : device_of_gpu(found->second);
}

std::vector<std::int64_t> Gpus::devices() const {
  std::vector<std::int64_t> numbers;
  for (const auto& [id, gpu] : gpus_) numbers.push_back(gpu.device);
  return numbers;
}

void Gpus::describe(Batch& batch, Row row, std::int64_t device) const {
  batch.set(row, column("devices.vendor"), "nvidia");
  batch.set(row, column("devices.kind"), "GPU");
  for (const auto& [id, gpu] : gpus_) {
    if (gpu.device != device) continue;
    if (!gpu.name.empty()) batch.set(row, column("devices.name"), gpu.name);
    if (!gpu.uuid.empty()) batch.set(row, column("devices.uuid"), gpu.uuid);
    if (gpu.sms.value_or(0) > 0) batch.set(row, column("devices.sms"), *gpu.sms);
    if (gpu.clock_max.value_or(0) > 0)
      batch.set(row, column("devices.sm_clock_max"), static_cast<double>(*gpu.clock_max));
    if (gpu.bandwidth.value_or(0) > 0) batch.set(row, column("devices.dram_bw"), static_cast<double>(*gpu.bandwidth));
    if (gpu.memory.value_or(0) > 0) batch.set(row, column("devices.memory"), *gpu.memory);
    if (!gpu.compute_capability.empty()) batch.set(row, column("devices.compute_capability"), gpu.compute_capability);
    if (gpu.unit_threads.value_or(0) > 0) batch.set(row, column("devices.sm_threads"), *gpu.unit_threads);
    if (gpu.unit_blocks.value_or(0) > 0) batch.set(row, column("devices.sm_blocks"), *gpu.unit_blocks);
    if (gpu.unit_registers.value_or(0) > 0) batch.set(row, column("devices.sm_regs"), *gpu.unit_registers);
    if (gpu.unit_memory.value_or(0) > 0) batch.set(row, column("devices.sm_smem"), *gpu.unit_memory);
    return;
  }
}

}  // namespace kdiag::adapters::nsys
