// SPDX-License-Identifier: Apache-2.0
// What the name of a runtime or driver call says: whether it puts work on a device, whether it blocks the host.
#pragma once

#include <string_view>

namespace kdiag::adapters {

/// The function's name without what the profiler or the toolkit appends: `_v7000` (an interface number of four or
/// more digits; `_v2` and `_v3` are part of the name), `_ptsz` and `_ptds` (per-thread default stream).
///     base_call_name("cudaLaunchKernel_v7000_ptsz") == "cudaLaunchKernel"
std::string_view base_call_name(std::string_view name);

/// Whether a name among others is that of a call of the CUDA or HIP runtime or driver: "cuLaunchKernel",
/// "hipMemcpyAsync". No other library's ("cuBLAS", "cuDNN"), and no name with blanks ("cuda Graph"). Takes the base
/// name.
bool is_runtime_call(std::string_view base);

/// Whether the call hands work to a device: kernel and graph launches, copies and fills.
/// Covers CUDA, HIP, HSA, CNRT, ACL, Level Zero, Unified Runtime and MTIA. Takes the base name.
bool is_launch_call(std::string_view base);

/// Whether the call states its grid in work-items, where others of HIP state blocks. In 390 launches of PyTorch traces
/// its grids are whole multiples of the blocks, those of hipLaunchKernel hardly ever. Takes the base name.
bool launches_by_work_items(std::string_view base);

/// Whether the call returns only when the device is done: synchronisations, and copies without `Async`.
/// Allocations (`cudaMalloc`, `cudaFree`) are not meant, although they may wait: the ledger keeps them apart as
/// runtime work. An asynchronous copy of pageable memory waits for its staging; that is a fact of the copy, not of the
/// call's name.
bool is_blocking_call(std::string_view base);

}  // namespace kdiag::adapters
