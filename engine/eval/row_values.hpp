// SPDX-License-Identifier: Apache-2.0
// What is done with the values of one expression for many rows, whatever they are stored as.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "engine/eval/range.hpp"
#include "engine/facts/absent_value.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

template <class T>
constexpr T absent_cell() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return tri_unknown;
  else return absent_value<T>();
}

/// Of what is true, false or unknown; of other values there is one beside absent_value().
inline bool is_absent(std::uint8_t truth) { return truth == tri_unknown; }

/// What `f` gives for the function that compares two known values by `op`.
template <class F>
auto with_comparison(CompareOp op, F f) {
  switch (op) {
    case CompareOp::equal: return f(std::equal_to<>());
    case CompareOp::not_equal: return f(std::not_equal_to<>());
    case CompareOp::less: return f(std::less<>());
    case CompareOp::less_equal: return f(std::less_equal<>());
    case CompareOp::greater: return f(std::greater<>());
    default: return f(std::greater_equal<>());
  }
}

bool is_known(const RowValues& values, std::size_t i);
/// Numbers as reals.
std::vector<double> to_reals(const RowValues& values);
/// Row by row: 0, 1 or 2 (unknown).
std::vector<std::uint8_t> compare_values(const RowValues& a, const RowValues& b, CompareOp op);
/// Two columns of numbers as one kind: both integers, or both reals.
void unify(RowValues& a, RowValues& b);

/// For each row the value of `a`, or that of `b` where `take_second(i)`.
template <class Choose>
RowValues merge_rows(RowValues a, RowValues b, Choose take_second) {
  unify(a, b);
  std::visit(
      [&](auto& x) {
        const auto& y = std::get<std::decay_t<decltype(x)>>(b.data);
        for (std::size_t i = 0; i < x.size(); ++i)
          if (take_second(i)) x[i] = y[i];
      },
      a.data);
  merge_causes(a.causes, b.causes);
  return a;
}

}  // namespace kdiag
