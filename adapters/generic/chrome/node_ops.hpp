// SPDX-License-Identifier: Apache-2.0
// Which operator of TensorFlow's executor started which work: both name the node of the graph.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "adapters/generic/chrome/places.hpp"

namespace kdiag::adapters::chrome {

/// The operators on the rows of executors, numbered from 1; 0 is none. A node runs once a step.
class NodeOps {
 public:
  NodeOps(const Trace& trace, const std::vector<Place>& places);

  /// The operator of a node that began at an instant.
  std::int64_t at(std::uint32_t node, std::int64_t start) const;
  /// The last operator of a node that had begun when its work did.
  std::int64_t before(std::uint32_t node, std::int64_t start) const;

 private:
  struct Starts {
    std::int64_t first_number = 0;
    std::vector<std::int64_t> times;  ///< sorted
  };
  std::map<std::uint32_t, Starts> nodes_;
};

}  // namespace kdiag::adapters::chrome
