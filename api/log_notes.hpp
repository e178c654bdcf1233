// SPDX-License-Identifier: Apache-2.0
// Telling a host's log what was odd.
#pragma once

#include <kdiag/kdiag.hpp>

namespace kdiag {

// `log` may be null. What it throws ends the telling, but for std::bad_alloc, which is passed on.

/// The notes of inputs.
void log_notes(Log* log, const Facts& facts);
void log_warnings(Log* log, const Diagnostics& warnings);

}  // namespace kdiag
