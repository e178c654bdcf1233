// SPDX-License-Identifier: Apache-2.0
// What a function of a device does, by its name: for inputs that give functions no class.
#pragma once

#include <cstdint>
#include <string_view>

namespace kdiag {

enum class FunctionClass : std::uint8_t { compute, communication, copy };

/// Communication between devices by the names of the libraries (NCCL, RCCL, HCCL, CNCL, oneCCL, NVSHMEM, DeepEP) and of
/// collectives; moving of data by the names that runtimes give copies and fills. All else is compute.
FunctionClass class_of_function(std::string_view name);

}  // namespace kdiag
