// SPDX-License-Identifier: Apache-2.0
// How a device is used, as far as it decides what short gaps are for.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Gaps up to this long are the price of a launch where kernels are short; an operator takes no longer. Judgement.
inline constexpr std::int64_t short_gap = 200'000;  // ns

/// Whether short gaps of a device are for launching: most of its kernels, collectives aside, are shorter than a launch
/// takes (20 us: an eager operator costs the host 10 to 20 us), or the threads that launch on it wait for the device at
/// least half as often as they launch (msprof-analyze: 0.5). By device row; at least 20 kernels show a habit
/// (judgement).
std::vector<bool> bound_by_launches(const FactStore& store);

}  // namespace kdiag
