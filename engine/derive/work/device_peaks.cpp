// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/device_peaks.hpp"

#include <utility>

namespace kdiag::work {
namespace {

/// How much of a clock was measured.
double share_of(double measured, double clock) { return measured > 0 && clock > 0 ? measured / clock : 1; }

/// The clock of the busy device, of the time that is judged: samples of another time say nothing of it, what the input
/// states does.
double measured_clock(const FactStore& store, ColumnId id, std::uint32_t device) {
  return store.samples_aligned || store.provider(id) != "derived" ? store.real(id, device) : absent_real;
}

/// The clock at which FP32 and FP64 have their peaks. Hopper's matrix units have a lower one than its other units and
/// FP64 (docs/devices.md), which run at the highest that can be set. Absent: not known.
double scalar_clock(const FactStore& store, std::uint32_t device) {
  const bool hopper = store.text(column("devices.compute_capability"), device).starts_with("9.");
  return store.real(hopper ? column("devices.sm_clock_max") : column("devices.peak_clock"), device);
}

}  // namespace

Peaks peaks_of(const FactStore& store, std::uint32_t device) {
  constexpr std::pair<Arithmetic, ColumnId> columns[] = {
      {Arithmetic::fp64, column("devices.peak_fp64")}, {Arithmetic::fp32, column("devices.peak_fp32")},
      {Arithmetic::fp16, column("devices.peak_fp16")}, {Arithmetic::bf16, column("devices.peak_bf16")},
      {Arithmetic::fp8, column("devices.peak_fp8")},   {Arithmetic::int8, column("devices.peak_int8")}};
  const auto per_ns = [&](ColumnId id) {
    const double value = store.real(id, device);
    return value > 0 ? value / 1e9 : 0;
  };
  Peaks peaks{.bytes = per_ns(column("devices.dram_bw"))};
  for (const auto& [arithmetic, id] : columns) peaks.operations[static_cast<std::size_t>(arithmetic)] = per_ns(id);
  peaks.operations[Peaks::tf32] = per_ns(column("devices.peak_tf32"));
  if (const double sparse = store.real(column("devices.sparse_speedup"), device); sparse > 0) peaks.sparse = sparse;
  const double clock = measured_clock(store, column("devices.sm_clock_avg"), device);
  peaks.clock = share_of(clock, store.real(column("devices.peak_clock"), device));
  peaks.scalar_clock = share_of(clock, scalar_clock(store, device));
  peaks.memory_clock = share_of(measured_clock(store, column("devices.mem_clock_avg"), device),
                                store.real(column("devices.mem_clock_max"), device));
  return peaks;
}

bool rounds_to_tf32(std::string_view kernel) {
  for (const std::string_view word : {"tf32", "TF32", "xf32", "s1688"})
    if (kernel.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace kdiag::work
