// SPDX-License-Identifier: Apache-2.0
// Which idle time comes again, and which is paid once.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/derive/blame/idle_rows.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// For each row 1 (recurs), 0 (paid once) or absent_index (cannot be told).
///
/// With at least three steps, a row recurs when time of its device, blame and culprit, together at least a quarter as
/// long as the row, comes in at least half of them; else it is paid once. Fewer steps do not say what the next one
/// would repeat. Without steps, it recurs when at least three such rows, each at least a quarter as long, leave no half
/// of the window without one; else it is paid once if its kind recurs, only shorter, or if it begins in the first fifth
/// of the window: a later one may come again with each image, batch or request, unless something longer is paid once in
/// the same run of its operator. A quarter, a half, three and a fifth are judgement.
std::vector<std::uint32_t> recurrence(const FactStore& store, const IdleRows& rows);

}  // namespace kdiag
