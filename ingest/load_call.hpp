// SPDX-License-Identifier: Apache-2.0
// What all inputs of one call of loading share: its options, and what they may cost together.
#pragma once

#include <memory>

#include <kdiag/kdiag.hpp>

#include "adapters/io/unpack_budget.hpp"
#include "engine/facts/load_budget.hpp"

namespace kdiag {

struct LoadCall {
  explicit LoadCall(const LoadOptions& given) : options(given), unpacking(given.limits.unpacked, given.limits.bytes) {
    if (given.limits.rows > 0 || given.limits.bytes > 0)
      facts = std::make_shared<LoadBudget>(given.limits.rows, given.limits.bytes);
  }

  const LoadOptions& options;
  adapters::UnpackBudget unpacking;
  std::shared_ptr<LoadBudget> facts;  ///< null without limits
};

}  // namespace kdiag
