// SPDX-License-Identifier: Apache-2.0
// Positions of many places of a text, as people count.
#pragma once

#include <cstddef>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// Counts from the line that was asked for before: asking in order of places goes through a text once. A source must
/// live as long as it is asked for.
class PositionCounter {
 public:
  Position of(const Source& source, std::size_t offset);

 private:
  const Source* source_ = nullptr;
  std::size_t begin_ = 0;  ///< of the line that was asked for last
  std::size_t line_ = 1;
};

}  // namespace kdiag
