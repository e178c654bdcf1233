// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kdiag {

Numbers::Numbers(const RowValues& values) {
  if (const auto* v = std::get_if<std::vector<std::int64_t>>(&values.data)) {
    exact = true;
    for (const std::int64_t x : *v) {
      if (x == absent_integer) ++unknown;
      else integers.push_back(x);
    }
  } else {
    for (const double x : std::get<std::vector<double>>(values.data)) {
      if (std::isnan(x)) ++unknown;
      else reals.push_back(x);
    }
  }
}

Number Numbers::sum() const {
  if (!exact) return Number(std::accumulate(reals.begin(), reals.end(), 0.0));
  Number total = 0;
  for (const std::int64_t x : integers) total = total + Number(x);
  return total;
}

std::pair<Number, Number> Numbers::at_place(std::size_t place) {
  const auto select = [place](auto& numbers) -> std::pair<Number, Number> {
    const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(numbers.begin(), at, numbers.end());
    const auto next = std::min_element(at + 1, numbers.end());
    return {Number(*at), Number(next == numbers.end() ? *at : *next)};
  };
  return exact ? select(integers) : select(reals);
}

}  // namespace kdiag
