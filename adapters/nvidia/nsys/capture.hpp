// SPDX-License-Identifier: Apache-2.0
// How an export was recorded: what was traced, for how long, and what the profiler said meanwhile.
#pragma once

#include "adapters/nvidia/nsys/session.hpp"

namespace kdiag::adapters::nsys {

/// Whether the profiler was told to trace CUDA (META_DATA_CAPTURE, since 2021); false where the export does not say.
bool traced_cuda(const Database& database);

/// The time of the whole recording (ANALYSIS_DETAILS) as an annotation of kind `window`, where it is stated.
void add_window(Session& session);

/// The profiler's messages (DIAGNOSTIC_EVENT): records that it lost, drivers and libraries that it does not support,
/// errors, warnings. Returns whether one of them says that CUDA's records may be incomplete.
bool note_messages(Session& session);

}  // namespace kdiag::adapters::nsys
