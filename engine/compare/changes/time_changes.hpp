// SPDX-License-Identifier: Apache-2.0
// Where the time of a device went in both runs: parts of the ledger, and what it was idle for.
#pragma once

#include <span>
#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// The lines of the ledgers of a device, those of the baseline for as much work. Nothing where one run has none, or
/// they rest on different things (a timeline and stated phases).
std::vector<Change> part_changes(const ComparedRuns& runs, const ComparedPlace& place,
                                 std::span<const LedgerEntry> ledger, std::span<const LedgerEntry> ledger_before);

/// Idle time of a device by blame and culprit; nothing where one run does not know what its device was idle for.
std::vector<Change> idle_changes(const ComparedRuns& runs, const ComparedPlace& place);

}  // namespace kdiag
