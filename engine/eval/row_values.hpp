// SPDX-License-Identifier: Apache-2.0
// What is done with the values of one expression for many rows, whatever they are stored as.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/eval/range.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

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
