// SPDX-License-Identifier: Apache-2.0
// The overview of the TensorBoard plugin: devices, steps, their exclusive phases, and the plugin's advice.
#pragma once

#include <cstdint>
#include <optional>

#include <kdiag/fact.hpp>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {

/// Processes of the job, where there are several.
std::optional<std::int64_t> tb_world_size(const JsonValue& overview);

/// Puts `devices`, `steps` and `phases` into the batch. Phases and everything else of the run belong to the device
/// that is returned: the only one the overview names. With several, which of them is meant is not stated. Notes K603
/// unusable steps, K652 advice, K653 the average step stands for all, K655 phases of unknown kind.
std::optional<Row> read_tb_overview(const JsonValue& overview, Batch& batch, FactSink& sink);

}  // namespace kdiag::adapters
