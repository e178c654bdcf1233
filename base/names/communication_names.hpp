// SPDX-License-Identifier: Apache-2.0
// Which kernels communicate between devices, by their names: the one list of such names.
#pragma once

#include <string_view>

namespace kdiag {

/// Whether a kernel's name is that of a communication library (NCCL, RCCL, CNCL, HCCL, oneCCL, NVSHMEM, DeepEP) or of
/// a custom all-reduce (`cross_device_reduce`).
bool is_communication_kernel(std::string_view name);

}  // namespace kdiag
