// SPDX-License-Identifier: Apache-2.0
// What XLA's names of planes and lines and its texts of details say.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters::xla {

/// "/device:GPU:3 NVIDIA A100": the device's kind, number and model. Nothing for planes of the host.
struct DevicePlane {
  std::string_view kind;
  std::int64_t id = 0;
  std::string_view model;
};
std::optional<DevicePlane> parse_device_plane(std::string_view name);

enum class Line : std::uint8_t {
  stream,  ///< executions: "Stream #13(Compute)"
  ops,     ///< "XLA Ops": executions where a device has no streams (TPU), else the same work again
  steps,
  derived,  ///< sums and groups of the above
};
Line line_kind(std::string_view name);

/// 13 of "Stream #13(Compute)".
std::optional<std::int64_t> stream_number(std::string_view name);

/// Whether a stream does nothing but copy, as XLA names it: "Stream #8(MemcpyOther)", "Stream #2(MemcpyH2D,MemcpyD2H)".
/// What ROCm runs there is called "CopyDeviceToDevice".
bool is_copy_line(std::string_view name);

/// "regs:32 static_shared:0 dynamic_shared:0 grid:80,1,1 block:256,1,1 occ_pct:100", in any order.
struct KernelDetails {
  std::optional<std::int64_t> registers, shared_memory;
  std::optional<std::array<std::int64_t, 3>> grid, block;
};
KernelDetails parse_kernel_details(std::string_view text);

/// "kind_src:pinned kind_dst:device size:4096 dest:0 async:1".
struct CopyDetails {
  std::string_view src, dst;  ///< as `copies.src`; empty when not known
  std::optional<std::int64_t> bytes;
  std::optional<bool> asynchronous;
};
CopyDetails parse_copy_details(std::string_view text);

}  // namespace kdiag::adapters::xla
