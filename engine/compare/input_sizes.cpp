// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/input_sizes.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {
namespace {

// Judgement.
constexpr std::size_t least_names = 3;
constexpr double most_names_alike = 0.5, most_time_alike = 1.0 / 3, nearly_all_time = 0.9;

/// ns by size; an operator's time may not be known, then how many there are.
using TimeBySize = std::map<std::string, double, std::less<>>;
using Sizes = std::map<std::string_view, TimeBySize>;

std::string launch_size(const FactStore& store, std::uint32_t row) {
  constexpr ColumnId columns[] = {column("kernels.grid_x"),  column("kernels.grid_y"),  column("kernels.grid_z"),
                                  column("kernels.block_x"), column("kernels.block_y"), column("kernels.block_z")};
  std::string size;
  for (const ColumnId id : columns) size += std::to_string(store.small(id, row)) + ',';
  return size;
}

Sizes sizes_of_kernels(const PairSide& side, CancelFlag cancel) {
  Sizes out;
  const FactStore& store = side.store();
  if (side.device == absent_index || !store.has(column("kernels.grid_x"))) return out;
  for (const std::uint32_t row : rows_in_scope(store, table("kernels"))) {
    stop_if(cancel);
    const std::int64_t dur = store.integer(column("kernels.dur"), row);
    if (store.index(column("kernels.device"), row) != side.device || dur == absent_integer || dur <= 0) continue;
    if (store.small(column("kernels.grid_x"), row) == absent_small) continue;
    if (store.text(column("kernels.class"), row) == "communication") continue;
    out[store.text(column("kernels.name"), row)][launch_size(store, row)] += static_cast<double>(dur);
  }
  return out;
}

Sizes sizes_of_operators(const PairSide& side, CancelFlag cancel) {
  Sizes out;
  const FactStore& store = side.store();
  if (!store.has(column("ops.shapes"))) return out;
  const RankSlots slots(store, table("ops"));
  for (const std::uint32_t row : rows_in_scope(store, table("ops"))) {
    stop_if(cancel);
    const std::string_view shapes = store.text(column("ops.shapes"), row);
    if (slots[row] == side.slot && !shapes.empty()) out[store.text(column("ops.name"), row)][std::string(shapes)] += 1;
  }
  return out;
}

/// Of the names in both: their time, and the part of it at sizes that the other run has as well.
double time_alike(const Sizes& own, const Sizes& other) {
  double all = 0, alike = 0;
  for (const auto& [name, sizes] : own) {
    const auto there = other.find(name);
    if (there == other.end()) continue;
    for (const auto& [size, time] : sizes) {
      all += time;
      if (there->second.contains(size)) alike += time;
    }
  }
  return all > 0 ? alike / all : 1;
}

SharedSizes shared(const Sizes& before, const Sizes& after) {
  SharedSizes out;
  for (const auto& [name, sizes] : after) {
    const auto there = before.find(name);
    if (there == before.end()) continue;
    ++out.names;
    const bool common =
        std::any_of(sizes.begin(), sizes.end(), [&](const auto& size) { return there->second.contains(size.first); });
    if (!common) ++out.other;
  }
  out.time = std::min(time_alike(before, after), time_alike(after, before));
  return out;
}

}  // namespace

SharedSizes kernel_sizes(const ComparedPair& pair, CancelFlag cancel) {
  return shared(sizes_of_kernels(pair.normal, cancel), sizes_of_kernels(pair.abnormal, cancel));
}

SharedSizes operator_sizes(const ComparedPair& pair, CancelFlag cancel) {
  return shared(sizes_of_operators(pair.normal, cancel), sizes_of_operators(pair.abnormal, cancel));
}

bool of_other_sizes(const SharedSizes& sizes) {
  return sizes.other >= least_names &&
         static_cast<double>(sizes.other) >= most_names_alike * static_cast<double>(sizes.names) &&
         sizes.time <= most_time_alike;
}

bool of_same_sizes(const SharedSizes& sizes) { return sizes.names >= least_names && sizes.time >= nearly_all_time; }

}  // namespace kdiag
