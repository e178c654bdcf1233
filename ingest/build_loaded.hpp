// SPDX-License-Identifier: Apache-2.0
// From what inputs hold to Facts: the second half of every way to load.
#pragma once

#include <kdiag/kdiag.hpp>

#include "ingest/read_inputs.hpp"

namespace kdiag {

/// Joins fragments to runs, builds them and checks the scope. Errors: those of `inputs`, K690, K694.
Result<Facts> build_loaded(Result<ReadInputs> inputs, const LoadOptions& options);

}  // namespace kdiag
