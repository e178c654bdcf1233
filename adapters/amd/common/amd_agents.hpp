// SPDX-License-Identifier: Apache-2.0
// What rocprofiler-sdk says of agents and of its own settings, in JSON documents and databases alike.
#pragma once

#include <cstdint>
#include <string>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/json/json.hpp"

namespace kdiag::adapters::amd {

/// A processor, device or host: all of a machine share one numbering.
struct Agent {
  std::int64_t number = 0;
  bool is_device = false;
  std::string name;
  Number compute_units, clock_max_mhz;
};

/// Properties as rocprofiler-sdk writes them: cu_count, max_engine_clk_fcompute.
void set_properties(Agent& agent, const JsonValue& properties);

/// Sets what is known of a device.
void describe(Events& events, const Agent& agent);

/// States what the profiler was told to record, so that tables without rows are empty instead of absent, and notes
/// (K628) that calls launched work of which nothing was recorded.
void declare_recorded(Events& events, const JsonValue& settings);

struct RankOfJob {
  std::int64_t rank = 0, size = 0;
};
/// The rank of a process by the profiler's settings, or by the environment of what started it (MPI, Slurm, torchrun);
/// nothing for a job of one.
std::optional<RankOfJob> rank_of_job(const JsonValue& settings, const JsonValue& environment);

}  // namespace kdiag::adapters::amd
