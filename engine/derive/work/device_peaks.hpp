// SPDX-License-Identifier: Apache-2.0
// What a device can do for operators.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/derive/work/element_type.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::work {

/// Per ns; 0 where it is not known.
struct Peaks {
  double bytes = 0;
  std::array<double, 8> operations{};  ///< by Arithmetic; the last is TF32
  double sparse = 0;                   ///< how many times as much structured sparsity makes
  /// Clocks that were measured while the device was busy over those of the peaks; 1 where they were not measured, or at
  /// another time alone. FP32 and FP64 have their own.
  double clock = 1, scalar_clock = 1, memory_clock = 1;

  static constexpr std::size_t tf32 = 7;
};

/// Run after complete_devices and derive_clocks.
Peaks peaks_of(const FactStore& store, std::uint32_t device);

/// Whether a kernel rounds its floats to TF32: names of cuBLAS, cuDNN and hipBLASLt say so, those of CUTLASS by the
/// shape of the instruction, 16 x 8 x 8.
bool rounds_to_tf32(std::string_view kernel);

}  // namespace kdiag::work
