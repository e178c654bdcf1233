// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/host_calls.hpp"

#include "adapters/google/xla/details.hpp"
#include "adapters/names/api_names.hpp"

namespace kdiag::adapters::xla {
namespace {

constexpr std::string_view array_read = "np.asarray(jax.Array)";  // float(), print() and alike

}  // namespace

std::optional<HostCall> host_call(std::string_view name, std::string_view details, bool of_work) {
  if (name == array_read) return HostCall{.name = array_read, .blocking = true};
  const std::string_view base = base_call_name(name.substr(0, name.find(" (")));
  const bool copy = base.starts_with("Memcpy");
  if (of_work && !is_runtime_call(base) && !copy && base != "Memset")
    return HostCall{.name = "LaunchKernel", .launch = true};
  if (!of_work && !is_runtime_call(base) && !is_blocking_call(base)) return std::nullopt;
  const bool queued = copy && parse_copy_details(details).asynchronous == true;
  return HostCall{base, is_launch_call(base), is_blocking_call(base) && !queued};
}

bool waits_for_device(std::string_view name) {
  if (name == array_read) return true;
  return name.ends_with(" block_until_ready") && (name.starts_with("$api.py:") || name.starts_with("$array.py:"));
}

}  // namespace kdiag::adapters::xla
