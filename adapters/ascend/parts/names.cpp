// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/names.hpp"

#include "adapters/names/api_names.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/range_names.hpp"

namespace kdiag::adapters::ascend {

bool is_step(std::string_view name) {
  const auto step = parse_step_name(name);
  return step && step->family == "ProfilerStep#";
}

void add_step(Batch& batch, std::int64_t index, std::int64_t start, std::int64_t dur) {
  const Row row = batch.add(table("steps"));
  batch.set(row, column("steps.index"), index);
  batch.set(row, column("steps.start"), start);
  batch.set(row, column("steps.dur"), dur);
}

std::string_view call_name(std::string_view name) {
  constexpr std::string_view layer = "AscendCL@";
  return name.starts_with(layer) ? name.substr(layer.size()) : name;
}

bool launches(std::string_view name) { return is_launch_call(name) || name == "Node@launch"; }

void describe_device(Batch& batch, Row device) {
  batch.set(device, column("devices.vendor"), "ascend");
  batch.set(device, column("devices.kind"), "NPU");
}

void set_message(Batch& batch, Row comm, std::string_view dtype, std::int64_t elements) {
  if (!dtype.empty()) batch.set(comm, column("comms.dtype"), dtype);
  const auto size = element_bytes(dtype);
  constexpr std::int64_t most_elements = std::int64_t{1} << 56;
  if (size && elements >= 0 && elements < most_elements) batch.set(comm, column("comms.bytes"), elements * *size);
}

}  // namespace kdiag::adapters::ascend
