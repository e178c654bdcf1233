// SPDX-License-Identifier: Apache-2.0
// What must hold for the time account of any report, whatever the input.
#pragma once

#include <kdiag/report.hpp>

namespace kdiag::tests {

/// The lines of each account add up to its wall; each lies within it, and its low end within itself.
void check_account(const Report& report);

/// No finding claims more time than the lines of the account from which its rule takes it, on any of its devices.
void check_claims(const Report& report);

/// No two findings about the same subject promise the same time: all that they promise together is at most the wall.
void check_promises(const Report& report);

}  // namespace kdiag::tests
