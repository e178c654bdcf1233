// SPDX-License-Identifier: Apache-2.0
// Runs of which samples are all that is known.
#pragma once

namespace kdiag {

class FactStore;

/// Whether a run holds samples of its devices and no work: no event, no total, no step.
bool of_telemetry_alone(const FactStore& store);

}  // namespace kdiag
