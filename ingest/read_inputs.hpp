// SPDX-License-Identifier: Apache-2.0
// Inputs as the user names them -> what they hold, ready to be joined to runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <kdiag/input.hpp>
#include <kdiag/kdiag.hpp>

#include "ingest/assemble.hpp"

namespace kdiag {

/// What inputs hold: an entry for each, and the fragments of all.
struct ReadInputs {
  std::vector<InputEntry> entries;
  std::vector<SourceFragment> fragments;
  double seconds = 0;  ///< that reading them took
};

/// Reads files, folders, archives, "-" and `FILE#2`. An input that cannot be read is a note of its entry (K609) when
/// another one can; otherwise the errors of all are returned, K696 without any input, K690 once the host asked to stop.
Result<ReadInputs> read_inputs(std::span<const std::string> paths, const LoadOptions& options);
/// The same of inputs from anywhere.
Result<ReadInputs> read_inputs(std::span<const TraceInput> inputs, const LoadOptions& options);

Diagnostic cancelled_error();
bool cancelled(const LoadOptions& options);

}  // namespace kdiag
