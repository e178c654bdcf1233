// SPDX-License-Identifier: Apache-2.0
// Which ranges of the host are calls of the runtime or driver, or wait for the device like one.
#pragma once

#include <optional>
#include <string_view>

namespace kdiag::adapters::xla {

struct HostCall {
  std::string_view name;  ///< of a static text, or a part of the range's name
  bool launch = false;
  bool blocking = false;
};

/// "cuLaunchKernel", "cuGraphLaunch (CudaGraph:48)", "BlockHostUntilReady"; nothing for other ranges. XLA names calls
/// of CUDA and HIP after what they launch ("loop_fusion", "MemcpyH2D"): `of_work` says that work of a device has the
/// number of the range, `details` is what the range says of a copy.
std::optional<HostCall> host_call(std::string_view name, std::string_view details, bool of_work);

/// Whether a range is a call of JAX that waits for the device: "$api.py:2757 block_until_ready",
/// "np.asarray(jax.Array)".
bool waits_for_device(std::string_view name);

}  // namespace kdiag::adapters::xla
