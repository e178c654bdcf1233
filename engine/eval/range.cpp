// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/range.hpp"

#include <cmath>
#include <initializer_list>

namespace kdiag {

namespace {

Range ordered(std::initializer_list<Number> corners) {
  Number low = *corners.begin();
  Number high = low;
  for (Number corner : corners) {
    if (corner < low) low = corner;
    if (corner > high) high = corner;
  }
  return {low, high};
}

/// Scales are powers of ten: dividing by a whole one keeps whole results whole.
Number scaled(Number n, double scale) {
  if (scale == 1.0) return n;
  return scale < 1.0 ? Number(n.real() / std::round(1.0 / scale)) : Number(n.real() * scale);
}

/// 0 * infinity is 0 here: an open end of a count times nothing is nothing.
Number product(Number a, Number b) {
  if (a == Number(0) || b == Number(0)) return 0;
  return a * b;
}

}  // namespace

Range add(Range a, Range b) { return {a.low + b.low, a.high + b.high}; }
Range subtract(Range a, Range b) { return {a.low - b.high, a.high - b.low}; }
Range multiply(Range a, Range b, double scale) {
  if (a.exact() && b.exact()) {
    const Number n = scaled(product(a.low, b.low), scale);
    return {n, n};
  }
  const Range r =
      ordered({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
  return {scaled(r.low, scale), scaled(r.high, scale)};
}
std::optional<Range> divide(Range a, Range b, double scale) {
  if (b.low <= Number(0) && b.high >= Number(0)) return {};
  if (a.exact() && b.exact()) {
    const Number n = scaled(a.low / b.low, scale);
    return Range{n, n};
  }
  const auto quotient = [](Number x, Number y) { return !x.finite() && !y.finite() ? Number(0) : x / y; };
  const Range r =
      ordered({quotient(a.low, b.low), quotient(a.low, b.high), quotient(a.high, b.low), quotient(a.high, b.high)});
  return Range{scaled(r.low, scale), scaled(r.high, scale)};
}

std::uint8_t compare(Range a, Range b, CompareOp op) {
  const auto decide = [](bool surely, bool never) { return surely ? tri_true : never ? tri_false : tri_unknown; };
  switch (op) {
    case CompareOp::less: return decide(a.high < b.low, a.low >= b.high);
    case CompareOp::less_equal: return decide(a.high <= b.low, a.low > b.high);
    case CompareOp::greater: return decide(a.low > b.high, a.high <= b.low);
    case CompareOp::greater_equal: return decide(a.low >= b.high, a.high < b.low);
    case CompareOp::equal: return decide(a.exact() && b.exact() && a.low == b.low, a.high < b.low || a.low > b.high);
    case CompareOp::not_equal:
      return decide(a.high < b.low || a.low > b.high, a.exact() && b.exact() && a.low == b.low);
  }
  return tri_unknown;
}

std::optional<Claim> claim_of(const Value& value) {
  if (const auto* claim = value.as<Claim>()) return *claim;
  if (const auto* range = value.as<Range>()) return Claim{*range, nullptr};
  if (const auto* set = value.as<TimeRange>()) {
    const Range amount{Number(set->low->length()), Number(set->high->length())};
    return Claim{amount, set->high};
  }
  if (const auto* list = value.as<List>(); list && list->size() == 2) {
    const auto* low = (*list)[0].as<Range>();
    const auto* high = (*list)[1].as<Range>();
    if (high == nullptr) return {};
    const Number low_end = low ? low->low : Number(0);
    return Claim{{low_end > high->high ? high->high : low_end, high->high}, nullptr};
  }
  return {};
}

}  // namespace kdiag
