// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of numbers that lie between two ends, and the claims that values make.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/language/plan.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

Range add(Range a, Range b);
Range subtract(Range a, Range b);
Range multiply(Range a, Range b, double scale);
/// Nothing when the divisor can be zero.
std::optional<Range> divide(Range a, Range b, double scale);
/// 0, 1 or 2 (unknown): the comparison when the whole ranges agree.
std::uint8_t compare(Range a, Range b, CompareOp op);

/// Intersection, union or difference (PlanOp::intersect, unite, subtract) of sets known between two ends.
TimeRange combine(const TimeRange& a, const TimeRange& b, PlanOp op);

/// The claim that a value makes (duration, [low, high], intervals); nothing when it is unknown.
std::optional<Claim> claim_of(const Value& value);

}  // namespace kdiag
