// SPDX-License-Identifier: Apache-2.0
// Values that are of two kinds, of which no middle says anything.
#pragma once

#include <optional>
#include <vector>

namespace kdiag::fleet {

/// Two groups of values with nothing between them.
struct Modes {
  double lower = 0, upper = 0;  ///< their middle values
  double bound = 0;             ///< the least value of the upper one
};

/// Nothing where the values are of one kind. Of two kinds they are where at least a quarter of them lies on either side
/// of the widest gap, six at least, and that gap is six times as wide as the robust deviation of either side
/// (judgement: of fewer values, or nearer ones, chance makes such gaps). `floor`: the least deviation.
std::optional<Modes> modes_of(std::vector<double> values, double floor);

}  // namespace kdiag::fleet
