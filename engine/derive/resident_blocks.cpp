// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/resident_blocks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/facts/compute_capability.hpp"
#include "engine/facts/known_column.hpp"

namespace kdiag {
namespace {

// CUDA Occupancy Calculator, the granularities that all architectures since Maxwell share.
constexpr std::int64_t warp = 32;
constexpr std::int64_t register_unit = 256;  // registers of a warp
constexpr std::int64_t warp_unit = 4;
constexpr std::int64_t memory_unit = 128;  // bytes of shared memory; 256 before 8.0 changes no count of whole blocks

std::int64_t round_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

/// By device row; without value where a figure is not known.
std::vector<std::optional<UnitResources>> units_of(const FactStore& store) {
  std::vector<std::optional<UnitResources>> units(store.rows(table("devices")));
  for (std::uint32_t device = 0; device < units.size(); ++device) {
    const UnitResources unit{
        .threads = store.small(column("devices.sm_threads"), device),
        .blocks = store.small(column("devices.sm_blocks"), device),
        .registers = store.small(column("devices.sm_regs"), device),
        .shared_memory = store.small(column("devices.sm_smem"), device),
        .reserved = reserved_shared_memory(store.text(column("devices.compute_capability"), device))};
    const bool known = std::min({unit.threads, unit.blocks, unit.registers, unit.shared_memory}) > 0;
    if (known && store.text(column("devices.vendor"), device) == "nvidia") units[device] = unit;
  }
  return units;
}

}  // namespace

std::optional<std::int32_t> resident_blocks(const BlockNeeds& block, const UnitResources& unit) {
  if (block.threads <= 0 || block.threads > unit.threads || block.registers < 0 || block.shared_memory < 0)
    return std::nullopt;
  const std::int64_t warps = (block.threads + warp - 1) / warp;
  std::int64_t blocks = std::min<std::int64_t>(unit.blocks, unit.threads / (warps * warp));
  if (const std::int64_t of_warp = round_up(block.registers * warp, register_unit); of_warp > 0)
    blocks = std::min(blocks, unit.registers / of_warp / warp_unit * warp_unit / warps);
  const std::int64_t memory = round_up(std::int64_t{block.shared_memory} + unit.reserved, memory_unit);
  if (memory > 0) blocks = std::min(blocks, unit.shared_memory / memory);
  if (blocks < 1) return std::nullopt;
  return static_cast<std::int32_t>(blocks);
}

void derive_resident_blocks(FactStore& store) {
  if (store.has(column("kernels.blocks_per_sm"))) return;
  const std::vector<std::optional<UnitResources>> units = units_of(store);
  if (std::none_of(units.begin(), units.end(), [](const auto& unit) { return unit.has_value(); })) return;
  const auto devices = store.indices(column("kernels.device"));
  const auto x = store.smalls(column("kernels.block_x"));
  const auto y = store.smalls(column("kernels.block_y"));
  const auto z = store.smalls(column("kernels.block_z"));
  const auto registers = store.smalls(column("kernels.regs"));
  const auto memory = store.smalls(column("kernels.smem"));
  if (devices.empty() || x.empty() || y.empty() || z.empty() || registers.empty() || memory.empty()) return;
  std::vector<std::int32_t> fit(devices.size(), absent_small);
  for (std::size_t row = 0; row < devices.size(); ++row) {
    if (devices[row] == absent_index || !units[devices[row]] || std::min({x[row], y[row], z[row]}) <= 0) continue;
    const std::int64_t most = units[devices[row]]->threads;  // keeps hostile products within the range
    const std::int64_t threads = std::min<std::int64_t>(x[row], most + 1) * std::min<std::int64_t>(y[row], most + 1) *
                                 std::min<std::int64_t>(z[row], most + 1);
    const BlockNeeds block{.threads = threads, .registers = registers[row], .shared_memory = memory[row]};
    if (const auto blocks = resident_blocks(block, *units[devices[row]])) fit[row] = *blocks;
  }
  replace_known(store, column("kernels.blocks_per_sm"), std::move(fit));
}

}  // namespace kdiag
