// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/common/amd_agents.hpp"

#include <optional>
#include <string_view>

#include <kdiag/note_ids.hpp>

namespace kdiag::adapters::amd {
namespace {

struct RankNames {
  std::string_view rank, size;
};
constexpr RankNames environment_names[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                           {"RANK", "WORLD_SIZE"},
                                           {"SLURM_PROCID", "SLURM_NTASKS"}};

std::optional<RankOfJob> rank_in(const JsonValue& holder, const RankNames& names) {
  const Number rank = holder[names.rank].integer();
  const Number size = holder[names.size].integer();
  if (!rank || !size || *size < 2 || *rank < 0 || *rank >= *size) return std::nullopt;
  return RankOfJob{*rank, *size};
}

struct Setting {
  std::string_view name;
  TableId table;
};
constexpr Setting settings_of_tables[] = {
    {"kernel_trace", table("kernels")},         {"kernel_trace", table("comms")},
    {"memory_copy_trace", table("copies")},     {"hip_runtime_api_trace", table("api")},
    {"hsa_core_api_trace", table("api")},       {"rccl_api_trace", table("api")},
    {"marker_api_trace", table("annotations")},
};

}  // namespace

void set_properties(Agent& agent, const JsonValue& properties) {
  agent.compute_units = properties["cu_count"].integer();
  agent.clock_max_mhz = properties["max_engine_clk_fcompute"].integer();
}

void describe(Events& events, const Agent& agent) {
  const Row row = events.device(agent.number);
  if (!agent.name.empty()) events.batch.set(row, column("devices.name"), agent.name);
  if (agent.compute_units.value_or(0) > 0) events.batch.set(row, column("devices.sms"), *agent.compute_units);
  if (agent.clock_max_mhz.value_or(0) > 0)
    events.batch.set(row, column("devices.sm_clock_max"), static_cast<double>(*agent.clock_max_mhz) * 1e6);
}

void declare_recorded(Events& events, const JsonValue& settings) {
  if (events.work_is_missing()) return events.sink.note(note_id::no_device_work);
  for (const Setting& setting : settings_of_tables)
    if (settings[setting.name].boolean) events.batch.declare(setting.table);
}

std::optional<RankOfJob> rank_of_job(const JsonValue& settings, const JsonValue& environment) {
  if (const auto found = rank_in(settings, {"mpi_rank", "mpi_size"})) return found;
  for (const RankNames& names : environment_names)
    if (const auto found = rank_in(environment, names)) return found;
  return std::nullopt;
}

}  // namespace kdiag::adapters::amd
