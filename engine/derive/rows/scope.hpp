// SPDX-License-Identifier: Apache-2.0
// What is judged: the scope options applied to devices, ranks and rows.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Whether scope options choose steps or times, so that no steps are set apart as one-off costs.
bool chooses_time(const Scope& scope);
/// Whether scope options leave a device (row) in. A device of an unknown rank is out as soon as a rank is chosen.
bool device_in_scope(const FactStore& store, std::uint32_t device);
/// Whether scope options leave a rank (row) in.
bool rank_in_scope(const FactStore& store, std::uint32_t rank);
/// Whether scope options leave a step (row) in: by its number, else by its position among those of its rank.
bool step_in_scope(const FactStore& store, std::uint32_t step, std::size_t position);

/// The rows of a table that row aggregates take, ascending: those whose step is in the window of their rank, or,
/// without step or in a window of other bounds, whose launching call, else whose start is, and whose device and rank
/// are in scope. `steps` keeps those that are only set apart. All rows when the store is not scoped; a table without
/// any times loses none by its times.
///
/// Example:
///     for (std::uint32_t row : rows_in_scope(store, table("kernels"))) sum += dur[row];
std::vector<std::uint32_t> rows_in_scope(const FactStore& store, TableId table);
/// The rows in scope where options chose a part of the run, else all of them: with steps that are only set apart.
std::vector<std::uint32_t> rows_in_part(const FactStore& store, TableId table);

}  // namespace kdiag
