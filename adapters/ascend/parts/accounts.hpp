// SPDX-License-Identifier: Apache-2.0
// What Ascend's profilers state as sums: how the time of a step was spent, and how long each collective took. Texts and
// databases hold the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <kdiag/fact.hpp>

namespace kdiag::adapters::ascend {

/// A step of a rank: while computing, while only communicating, and while the device did nothing. The parts exclude one
/// another and make up the step.
struct StepAccount {
  std::optional<std::int64_t> index;
  std::optional<std::int64_t> computing, communication, free;  ///< ns
  /// Whether all parts are there and none is negative.
  bool is_complete() const;
};

/// Adds a step and its phases; the account is complete.
void add_step_account(Batch& batch, const StepAccount& account, Row rank, Row device);

struct CollectiveAccount {
  std::string_view name;  ///< "hcom_allReduce__586_0_1"
  std::string_view group;
  std::optional<std::int64_t> start;
  std::int64_t dur = 0;
};

/// Adds a row of `comms`; without rank it is of the input's own.
void add_collective_account(Batch& batch, const CollectiveAccount& account, Row rank);

/// The name of the row that sums up all others.
inline constexpr std::string_view all_collectives = "Total Op Info";

}  // namespace kdiag::adapters::ascend
