// SPDX-License-Identifier: Apache-2.0
// A count of operations or bytes: known, between two ends, or not known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace kdiag::work {

/// Never negative. What does not fit 63 bits is not known: sizes that nobody can allocate give no figure.
class Amount {
 public:
  constexpr Amount() = default;
  constexpr Amount(std::int64_t exact) : least_(exact), most_(exact) {}  // NOLINT(google-explicit-constructor)

  /// Either of two, or anything between.
  static constexpr Amount between(Amount a, Amount b) {
    if (!a.known() || !b.known()) return {};
    Amount range;
    range.least_ = std::min(a.least_, b.least_);
    range.most_ = std::max(a.most_, b.most_);
    return range;
  }

  /// So much or any more.
  static constexpr Amount at_least(Amount least) {
    if (least.known()) least.most_ = std::numeric_limits<std::int64_t>::max();
    return least;
  }

  constexpr bool known() const { return least_ >= 0; }
  constexpr bool exact() const { return known() && least_ == most_; }
  constexpr std::int64_t least() const { return least_; }  ///< meaningless when not known
  constexpr std::int64_t most() const { return most_; }

  friend constexpr Amount operator+(Amount a, Amount b) {
    Amount sum;
    if (!a.known() || !b.known() || __builtin_add_overflow(a.most_, b.most_, &sum.most_)) return {};
    sum.least_ = a.least_ + b.least_;
    return sum;
  }
  friend constexpr Amount operator*(Amount a, Amount b) {
    Amount product;
    if (!a.known() || !b.known() || __builtin_mul_overflow(a.most_, b.most_, &product.most_)) return {};
    product.least_ = a.least_ * b.least_;
    return product;
  }
  friend constexpr bool operator==(Amount a, Amount b) {
    return a.known() == b.known() && (!a.known() || (a.least_ == b.least_ && a.most_ == b.most_));
  }

 private:
  std::int64_t least_ = -1;
  std::int64_t most_ = -1;
};

/// The product of sizes: how many elements a tensor has. 1 for none, 0 where any is 0.
constexpr Amount product(std::span<const std::int64_t> sizes) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  Amount out = 1;
  for (const std::int64_t size : sizes) out = out * Amount(size);
  return out;
}

}  // namespace kdiag::work
