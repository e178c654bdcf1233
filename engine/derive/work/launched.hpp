// SPDX-License-Identifier: Apache-2.0
// What operators launched themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag::work {

/// The longest kernel of an operator, and how long all of its kernels take, in ns.
struct Launched {
  std::uint32_t longest = absent_index;
  std::int64_t longest_time = -1;
  double all = 0;
};

/// Of each row of `ops`. Run after link_facts. O(rows).
std::vector<Launched> launched_by_op(const FactStore& store);

}  // namespace kdiag::work
