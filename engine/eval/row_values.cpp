// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/row_values.hpp"

#include <type_traits>
#include <utility>

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Tris = std::vector<std::uint8_t>;

template <class T>
Tris compare_each(const std::vector<T>& a, const std::vector<T>& b, CompareOp op) {
  Tris out(a.size());
  with_comparison(op, [&](auto holds) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = is_absent(a[i]) || is_absent(b[i]) ? tri_unknown : static_cast<std::uint8_t>(holds(a[i], b[i]));
  });
  return out;
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
  if (a.data.index() != b.data.index()) return compare_each(to_reals(a), to_reals(b), op);
  return std::visit([&](const auto& x) { return compare_each(x, std::get<std::decay_t<decltype(x)>>(b.data), op); },
                    a.data);
}

bool is_known(const RowValues& values, std::size_t i) {
  return std::visit([i](const auto& data) { return !is_absent(data[i]); }, values.data);
}

void unify(RowValues& a, RowValues& b) {
  if (a.data.index() == b.data.index()) return;
  if (a.data.index() > 1 || b.data.index() > 1) return;
  a.data = to_reals(a);
  b.data = to_reals(b);
}

}  // namespace kdiag
