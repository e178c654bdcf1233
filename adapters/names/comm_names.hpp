// SPDX-License-Identifier: Apache-2.0
// Names of collective communication: calls, collectives, element types. Kernels: base/names/communication_names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kdiag::adapters {

/// Whether a host range is a communication call: `nccl:all_reduce`, `gloo:broadcast`, `cncl:...`.
bool is_communication_range(std::string_view name);

/// One name per collective, whatever the library or the framework's method calls it: all_reduce, all_gather,
/// reduce_scatter, all_to_all, broadcast, reduce, gather, scatter, send, recv, send_recv, barrier; other names in
/// lower case. Nothing for records that move no data: wait, init, the brackets of a coalesced call; and for kernels
/// that do not say what they do: `ncclDevKernel_Generic_4`.
///     collective_name("_allgather_base") == "all_gather"
std::optional<std::string> collective_name(std::string_view stated);

/// Algorithm and protocol of an NCCL-like kernel: "RING LL" of `ncclKernel_AllReduce_RING_LL_Sum_float`; empty when
/// the name has none.
std::string collective_algorithm(std::string_view kernel);

/// Size of an element of the named type (c10 scalar types: "Float", "BFloat16"; NCCL's: "float", "ncclFloat32"; HCCL's:
/// "FP32", "BFP16").
std::optional<std::int64_t> element_bytes(std::string_view dtype);

}  // namespace kdiag::adapters
