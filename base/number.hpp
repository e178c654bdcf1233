// SPDX-License-Identifier: Apache-2.0
// A number that stays an exact integer as long as it can: times above 2^53 ns must not pass through a double.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace kdiag {

class Number {
 public:
  constexpr Number() = default;
  constexpr Number(std::int64_t value) : integer_(value), exact_(true) {}    // NOLINT(google-explicit-constructor)
  constexpr Number(int value) : Number(static_cast<std::int64_t>(value)) {}  // NOLINT(google-explicit-constructor)
  constexpr Number(double value) : real_(value), exact_(false) {}            // NOLINT(google-explicit-constructor)

  static constexpr Number infinity() { return Number(std::numeric_limits<double>::infinity()); }

  constexpr bool exact() const { return exact_; }
  constexpr std::int64_t integer() const { return integer_; }
  constexpr double real() const { return exact_ ? static_cast<double>(integer_) : real_; }
  bool finite() const { return exact_ || std::isfinite(real_); }
  bool is_nan() const { return !exact_ && std::isnan(real_); }
  /// Nearest integer, saturated.
  std::int64_t rounded() const {
    if (exact_) return integer_;
    if (real_ >= 9.2233720368547748e18) return std::numeric_limits<std::int64_t>::max();
    if (real_ <= -9.2233720368547748e18) return std::numeric_limits<std::int64_t>::min() + 1;
    return std::llround(real_);
  }

  // Exact when both are and the result fits, otherwise double.
  friend Number operator+(Number a, Number b) {
    std::int64_t out = 0;
    if (a.exact_ && b.exact_ && !__builtin_add_overflow(a.integer_, b.integer_, &out)) return out;
    return a.real() + b.real();
  }
  friend Number operator-(Number a, Number b) {
    std::int64_t out = 0;
    if (a.exact_ && b.exact_ && !__builtin_sub_overflow(a.integer_, b.integer_, &out)) return out;
    return a.real() - b.real();
  }
  friend Number operator*(Number a, Number b) {
    std::int64_t out = 0;
    if (a.exact_ && b.exact_ && !__builtin_mul_overflow(a.integer_, b.integer_, &out)) return out;
    return a.real() * b.real();
  }
  friend Number operator/(Number a, Number b) {
    if (a.exact_ && b.exact_ && b.integer_ != 0 && b.integer_ != -1 && a.integer_ % b.integer_ == 0)
      return a.integer_ / b.integer_;
    return a.real() / b.real();
  }
  friend Number operator-(Number a) { return Number(0) - a; }

  friend std::partial_ordering operator<=>(Number a, Number b) {
    if (a.exact_ && b.exact_) return a.integer_ <=> b.integer_;
    return a.real() <=> b.real();
  }
  friend bool operator==(Number a, Number b) { return std::is_eq(a <=> b); }

 private:
  std::int64_t integer_ = 0;
  double real_ = 0;
  bool exact_ = true;
};

}  // namespace kdiag
