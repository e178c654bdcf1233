// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/kernel_rows.hpp"

#include <cstddef>
#include <string>

#include "adapters/names/comm_names.hpp"

namespace kdiag::adapters {
namespace {

constexpr ColumnId grid_columns[] = {column("kernels.grid_x"), column("kernels.grid_y"), column("kernels.grid_z")};
constexpr ColumnId block_columns[] = {column("kernels.block_x"), column("kernels.block_y"), column("kernels.block_z")};

void set_extent(Batch& batch, Row kernel, const Extent& extent, const ColumnId (&columns)[3]) {
  for (std::size_t i = 0; i < extent.size(); ++i)
    if (extent[i] > 0) batch.set(kernel, columns[i], extent[i]);
}

}  // namespace

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

std::optional<std::int64_t> blocks_of(std::optional<std::int64_t> work_items, std::optional<std::int64_t> block_size) {
  if (!work_items || !block_size || *work_items <= 0 || *block_size <= 0) return std::nullopt;
  return (*work_items - 1) / *block_size + 1;
}

void set_grid(Batch& batch, Row kernel, const Extent& blocks) { set_extent(batch, kernel, blocks, grid_columns); }

void set_block(Batch& batch, Row kernel, const Extent& threads) { set_extent(batch, kernel, threads, block_columns); }

}  // namespace kdiag::adapters
