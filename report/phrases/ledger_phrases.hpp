// SPDX-License-Identifier: Apache-2.0
// What a report says of the lines of a time ledger; unescaped, as all phrases are.
#pragma once

#include <string>
#include <vector>

#include <kdiag/report.hpp>

#include "base/phrases.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// What a ledger line is called: "compute", "host sync" for idle.host_sync, "gemm" for kernel.gemm.
std::string ledger_name(const LedgerLine& line);
bool is_idle(const LedgerLine& line);
/// Whether the device was offered no work all the time: a count of such devices says as much.
bool is_unused(const LedgerEntry& entry);
/// "3.9 to 4.5 s" and "62-72 %" of a ledger line; the share may be unknown.
std::string ledger_time(const LedgerLine& line);
std::string ledger_share(const LedgerLine& line);
/// The share to three digits where it is one figure, for tables.
std::string ledger_exact_share(const LedgerLine& line);
/// How a ledger knows: "measured on the timeline", "from stated phases", ...
std::string ledger_basis(LedgerBasis basis);
/// The same of an account, which an input that was cut makes a bound.
std::string ledger_basis(const LedgerEntry& entry);

using kdiag::one_off_phrase;
/// The one-off costs of an account that are part of its wall, and how long it is without them; of an entry that has
/// `rest_ns`.
std::string one_off_phrase(const LedgerEntry& entry);

/// Steps that were set apart from the walls of accounts, said once for all of which it is true.
struct ExcludedSteps {
  std::string phrase;  ///< "warm-up 152 ms (steps 0 to 1), cut-off end 20 ms (step 9)"
  std::vector<const LedgerEntry*> entries;
};
std::vector<ExcludedSteps> excluded_steps(const std::vector<const LedgerEntry*>& entries);
/// "GPU 0 and 3 more"; empty when it is true of each device of the run.
std::string device_phrase(const RunView& view, const ExcludedSteps& apart);
/// The account of what remains without the one-off costs; only of an entry that has `rest_ns`.
LedgerEntry without_one_off(const LedgerEntry& entry);

}  // namespace kdiag::report
