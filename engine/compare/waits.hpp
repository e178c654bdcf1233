// SPDX-License-Identifier: Apache-2.0
// How much of the time of calls and operators is waiting for the device: that time tells what the device did.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

class Waits {
 public:
  /// Throws Interrupted.
  explicit Waits(const FactStore& store, CancelFlag cancel = nullptr);

  /// Part of the time of a runtime call, or of an operator, by its name (id of the run's strings): calls that block,
  /// and those that start a copy which blocks, as the input says (api.is_sync, copies.sync). Where it does not say,
  /// calls are not told by operator, or only totals are known, all of what bears the name of a blocking call, or of an
  /// operator that reads a value back.
  double of_call(std::uint32_t name) const { return share(calls_, name); }
  double of_operator(std::uint32_t name) const { return share(operators_, name); }

 private:
  struct Part {
    std::int64_t waited = 0, all = 0;
  };
  using Parts = std::map<std::uint32_t, Part>;
  using ByOperator = std::vector<std::int64_t>;  ///< ns by row of ops
  ByOperator add_calls(CancelFlag cancel);       ///< what waited in the innermost operators around the calls
  void add_operators(ByOperator waited, CancelFlag cancel);
  double share(const Parts& parts, std::uint32_t name) const;

  const FactStore& store_;
  Parts calls_, operators_;
};

}  // namespace kdiag
