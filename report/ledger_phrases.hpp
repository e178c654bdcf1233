// SPDX-License-Identifier: Apache-2.0
// What a report says of the lines of a time ledger; unescaped, as all phrases are.
#pragma once

#include <string>

#include <kdiag/report.hpp>

namespace kdiag::report {

/// What a ledger line is called: "compute", "host sync" for idle.host_sync, "gemm" for kernel.gemm.
std::string ledger_name(const LedgerLine& line);
bool is_idle(const LedgerLine& line);
/// "3.9 to 4.5 s" and "62-72 %" of a ledger line; the share may be unknown.
std::string ledger_time(const LedgerLine& line);
std::string ledger_share(const LedgerLine& line);
/// The share to three digits where it is one figure, for tables.
std::string ledger_exact_share(const LedgerLine& line);
/// How a ledger knows: "measured on the timeline", "from stated phases", ...
std::string ledger_basis(const LedgerEntry& entry);

}  // namespace kdiag::report
