// SPDX-License-Identifier: Apache-2.0
// The known numbers among the values of rows: what aggregates work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/language/value.hpp"

namespace kdiag {

struct Numbers {
  std::vector<std::int64_t> integers;  ///< in use when `exact`
  std::vector<double> reals;
  bool exact = false;
  std::size_t unknown = 0;

  explicit Numbers(const RowValues& values);
  explicit Numbers(std::vector<std::int64_t> known) : integers(std::move(known)), exact(true) {}
  explicit Numbers(std::vector<double> known) : reals(std::move(known)) {}
  std::size_t size() const { return exact ? integers.size() : reals.size(); }
  Number at(std::size_t i) const { return exact ? Number(integers[i]) : Number(reals[i]); }
  Number sum() const;
  /// The number that stands at a place in ascending order, and the one behind it (of the last place itself). Moves the
  /// others about.
  std::pair<Number, Number> at_place(std::size_t place);
};

}  // namespace kdiag
