// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/host_calls.hpp"

#include "adapters/google/xla/details.hpp"
#include "adapters/names/api_names.hpp"

namespace kdiag::adapters::xla {

std::optional<HostCall> host_call(std::string_view name, std::string_view details, bool of_work) {
  if (name == "np.asarray(jax.Array)") return HostCall{.name = name, .blocking = true};  // float(), print() and alike
  const std::string_view base = base_call_name(name.substr(0, name.find(" (")));
  const bool copy = base.starts_with("Memcpy");
  if (of_work && !is_runtime_call(base) && !copy && base != "Memset")
    return HostCall{.name = "LaunchKernel", .launch = true};
  if (!of_work && !is_runtime_call(base) && !is_blocking_call(base)) return std::nullopt;
  const bool queued = copy && parse_copy_details(details).asynchronous == true;
  return HostCall{base, is_launch_call(base), is_blocking_call(base) && !queued};
}

bool waits_for_device(std::string_view frame_text) {
  return frame_text.ends_with(": block_until_ready") &&
         (frame_text.starts_with("api.py(") || frame_text.starts_with("array.py("));
}

}  // namespace kdiag::adapters::xla
