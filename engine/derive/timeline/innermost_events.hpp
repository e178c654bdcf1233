// SPDX-License-Identifier: Apache-2.0
// What went on during a span: the innermost of the nested events around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/interrupt.hpp"
#include "base/intervals.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {

/// For each span the row of the innermost event of the same owner that fills more than half of it; absent_index where
/// there is none. Owners are rows of some table, threads for example: `event_owners` has one for each row of `events`
/// (absent_index leaves it out; empty: none has one), `span_owners` one for each span. An event that ends behind the
/// one around it counts up to its end. One sweep of each owner. Throws Interrupted once `cancel` is true.
std::vector<std::uint32_t> innermost_events(const SpanColumns& events, std::span<const std::uint32_t> event_owners,
                                            std::span<const Interval> spans, std::span<const std::uint32_t> span_owners,
                                            std::size_t owner_count, CancelFlag cancel);

}  // namespace kdiag
