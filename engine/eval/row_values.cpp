// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/row_values.hpp"

#include <cmath>

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

std::size_t size_of(const RowValues& values) {
  return std::visit([](const auto& data) { return data.size(); }, values.data);
}

std::uint8_t compare_numbers(double a, double b, CompareOp op) {
  if (std::isnan(a) || std::isnan(b)) return tri_unknown;
  switch (op) {
    case CompareOp::equal: return a == b;
    case CompareOp::not_equal: return a != b;
    case CompareOp::less: return a < b;
    case CompareOp::less_equal: return a <= b;
    case CompareOp::greater: return a > b;
    case CompareOp::greater_equal: return a >= b;
  }
  return tri_unknown;
}

std::uint8_t compare_integers(std::int64_t a, std::int64_t b, CompareOp op) {
  if (a == absent_integer || b == absent_integer) return tri_unknown;
  switch (op) {
    case CompareOp::equal: return a == b;
    case CompareOp::not_equal: return a != b;
    case CompareOp::less: return a < b;
    case CompareOp::less_equal: return a <= b;
    case CompareOp::greater: return a > b;
    case CompareOp::greater_equal: return a >= b;
  }
  return tri_unknown;
}

}  // namespace

std::vector<double> to_reals(const RowValues& values) {
  if (const auto* reals = std::get_if<Reals>(&values.data)) return *reals;
  const auto& integers = std::get<Integers>(values.data);
  Reals out(integers.size());
  for (std::size_t i = 0; i < integers.size(); ++i)
    out[i] = integers[i] == absent_integer ? absent_real : static_cast<double>(integers[i]);
  return out;
}

std::vector<std::uint8_t> compare_values(const RowValues& a, const RowValues& b, CompareOp op) {
  const std::size_t size = size_of(a);
  Tris out(size);
  if (const auto* x = std::get_if<Indices>(&a.data)) {
    const auto& y = std::get<Indices>(b.data);
    const bool want = op == CompareOp::equal;
    for (std::size_t i = 0; i < size; ++i)
      out[i] = (*x)[i] == absent_index || y[i] == absent_index ? tri_unknown
                                                               : static_cast<std::uint8_t>(((*x)[i] == y[i]) == want);
  } else if (const auto* tri = std::get_if<Tris>(&a.data)) {
    const auto& y = std::get<Tris>(b.data);
    const bool want = op == CompareOp::equal;
    for (std::size_t i = 0; i < size; ++i)
      out[i] = (*tri)[i] == tri_unknown || y[i] == tri_unknown ? tri_unknown
                                                               : static_cast<std::uint8_t>(((*tri)[i] == y[i]) == want);
  } else if (std::holds_alternative<Integers>(a.data) && std::holds_alternative<Integers>(b.data)) {
    const auto& x = std::get<Integers>(a.data);
    const auto& y = std::get<Integers>(b.data);
    for (std::size_t i = 0; i < size; ++i) out[i] = compare_integers(x[i], y[i], op);
  } else {
    const Reals x = to_reals(a);
    const Reals y = to_reals(b);
    for (std::size_t i = 0; i < size; ++i) out[i] = compare_numbers(x[i], y[i], op);
  }
  return out;
}

bool is_known(const RowValues& values, std::size_t i) {
  return std::visit(
      [i](const auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        if constexpr (std::is_same_v<T, double>) return !std::isnan(data[i]);
        else if constexpr (std::is_same_v<T, std::int64_t>) return data[i] != absent_integer;
        else if constexpr (std::is_same_v<T, std::uint32_t>) return data[i] != absent_index;
        else return data[i] != tri_unknown;
      },
      values.data);
}

void unify(RowValues& a, RowValues& b) {
  if (a.data.index() == b.data.index()) return;
  if (a.data.index() > 1 || b.data.index() > 1) return;
  a.data = to_reals(a);
  b.data = to_reals(b);
}

}  // namespace kdiag
