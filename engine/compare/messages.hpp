// SPDX-License-Identifier: Apache-2.0
// Two benchmarks of collectives (nccl-tests, rccl-tests): runs without cycles or a wall, whose messages have sizes.
#pragma once

#include <optional>

#include "base/interrupt.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// What messages of the same operation and size say in place of cycles; nothing where fewer than three kinds of them
/// (judgement) are in both runs. Of each kind the shortest time counts. Where all sizes from 1 MiB on change by half
/// and more in the same direction, three of them at least, that is a regression or an improvement. Else one benchmark
/// against another does not tell change from chance, so it is inconclusive, with the median of the changes; so it is
/// between different numbers of ranks, and where the operation is not stated. Neutral where all take exactly as long.
/// Messages of 0 bytes are left out. Throws Interrupted.
std::optional<Judged> judge_messages(const FactStore& normal, const FactStore& abnormal, CancelFlag cancel = nullptr);

}  // namespace kdiag
