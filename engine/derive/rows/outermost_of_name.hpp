// SPDX-License-Identifier: Apache-2.0
// Which operators count where times include what an operator calls: a recursive one once.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Whether each of these rows of `ops`, ascending or not, lies in no other of them of its name on its thread. Rows
/// without a time or a name count as outermost.
///
/// Example: an aten::conv1d of 3 ms that calls another aten::conv1d of 2 ms
///     outermost_of_name(store, {0, 1});  // {true, false}: together they take 3 ms, not 5
std::vector<bool> outermost_of_name(const FactStore& store, const std::vector<std::uint32_t>& rows);

}  // namespace kdiag
