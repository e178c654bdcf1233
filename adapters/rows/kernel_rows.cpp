// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/kernel_rows.hpp"

#include <string>

#include "adapters/names/comm_names.hpp"

namespace kdiag::adapters {

Row name_kernel(Batch& batch, Row kernel, std::string_view name, KernelClasses& classes, Collective collective) {
  const std::string_view kind = collective == Collective::stated ? "communication" : classes(name);
  batch.set(kernel, column("kernels.name"), name);
  batch.set(kernel, column("kernels.class"), kind);
  if (kind != "communication") return {};
  const Row comm = batch.add(table("comms"));
  batch.set(comm, column("comms.kernel"), kernel);
  // The collective stands before any parameter: "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)".
  if (const auto op = collective_name(name.substr(0, name.find('(')))) batch.set(comm, column("comms.op"), *op);
  if (const std::string algorithm = collective_algorithm(name); !algorithm.empty())
    batch.set(comm, column("comms.algorithm"), algorithm);
  return comm;
}

}  // namespace kdiag::adapters
