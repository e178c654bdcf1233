// SPDX-License-Identifier: Apache-2.0
// The commands that bring missing telemetry: what they would print is what the adapters read as the missing facts.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "adapters/nvidia/dcgm/fields.hpp"
#include "adapters/nvidia/nvidia_smi/query_header.hpp"
#include "adapters/text/units.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/recording/recording.hpp"
#include "engine/recording/telemetry_commands.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// What stands behind `option` up to the next blank.
std::string_view argument(std::string_view command, std::string_view option) {
  const std::size_t at = command.find(option);
  if (at == std::string_view::npos) return {};
  command.remove_prefix(at + option.size());
  return command.substr(0, command.find(' '));
}

/// Facts that kdiag reads from a column or field, "samples:power" or "devices.power_limit".
std::string fact_of(std::string_view series, ColumnId column) {
  if (!series.empty()) return "samples:" + std::string(series);
  return std::string(info(column).table) + "." + std::string(info(column).name);
}

// Numbers of DCGM's fields (dcgm_fields.h) and the short names that dmon prints for them (dcgm_fields.cpp).
const std::map<std::string, std::string, std::less<>> dcgm_shorts = {
    {"100", "SMCLK"},  {"101", "MMCLK"},  {"110", "SACLK"},  {"112", "DVCCTR"}, {"113", "SMMAX"},  {"114", "MMMAX"},
    {"140", "MMTMP"},  {"150", "TMPTR"},  {"151", "GMMOT"},  {"155", "POWER"},  {"158", "SDTMP"},  {"163", "PMDEF"},
    {"164", "EPLMT"},  {"202", "RPCTR"},  {"203", "GPUTL"},  {"204", "MCUTL"},  {"230", "XIDER"},  {"235", "PCIMG"},
    {"236", "PCIMW"},  {"237", "PCILG"},  {"238", "PCILW"},  {"250", "FBTTL"},  {"252", "FBUSD"},  {"310", "ESVTL"},
    {"311", "EDVTL"},  {"312", "ESATL"},  {"313", "EDATL"},  {"393", "URMPS"},  {"395", "RRF"},    {"396", "RRP"},
    {"409", "NFELT"},  {"419", "NDELT"},  {"429", "NRELT"},  {"439", "NRCLT"},  {"1002", "SMACT"}, {"1003", "SMOCC"},
    {"1004", "TENSO"}, {"1005", "DRAMA"}, {"1009", "PCITX"}, {"1010", "PCIRX"}, {"1011", "NVLTX"}, {"1012", "NVLRX"}};

/// The facts that a command brings, as far as it names them.
std::vector<std::string> brought_by(const std::string& command) {
  std::vector<std::string> facts;
  if (const std::string_view list = argument(command, "--query-gpu="); !list.empty()) {
    const auto header = adapters::QueryHeader::parse(adapters::words(list, ","));
    REQUIRE(header);
    for (const adapters::QueryColumn& column : header->columns()) {
      CAPTURE(column.name);
      CHECK(column.role != adapters::QueryRole::unused);
      CHECK(column.role != adapters::QueryRole::unknown);
      if (column.role == adapters::QueryRole::reason) facts.emplace_back("samples:throttle_reasons");
      if (column.role == adapters::QueryRole::sample || column.role == adapters::QueryRole::device)
        facts.push_back(fact_of(column.series, column.column));
    }
  }
  for (const std::string_view number : adapters::words(argument(command, "dmon -e "), ",")) {
    CAPTURE(number);
    const auto short_name = dcgm_shorts.find(number);
    REQUIRE(short_name != dcgm_shorts.end());
    const auto* known = adapters::find_telemetry(adapters::dcgm::short_names(), short_name->second);
    REQUIRE(known != nullptr);
    facts.push_back(fact_of(known->series, known->column));
  }
  if (const std::size_t at = command.find("with DCGM_FI_"); at != std::string::npos)
    for (std::string_view name : adapters::words(std::string_view(command).substr(at + 5), ", ")) {
      if (!name.starts_with("DCGM_FI_")) break;
      const auto* known = adapters::dcgm::find_metric(name.substr(8));
      CAPTURE(name);
      REQUIRE(known != nullptr);
      facts.push_back(fact_of(known->series, known->column));
    }
  return facts;
}

bool brings(const std::string& command, const std::string& fact) {
  // Derived from clock samples, and reports hold everything that nvidia-smi states.
  const std::string_view source = fact == "devices.sm_clock_avg"    ? "samples:sm_clock"
                                  : fact == "devices.mem_clock_avg" ? "samples:mem_clock"
                                                                    : std::string_view(fact);
  if (mentions(command, "nvidia-smi -q -x")) return true;
  const std::vector<std::string> facts = brought_by(command);
  return std::find(facts.begin(), facts.end(), source) != facts.end();
}

std::vector<std::string> telemetry_facts() {
  std::vector<std::string> facts;
  for (const SeriesInfo& series : catalogue_series) facts.push_back("samples:" + std::string(series.name));
  for (const ColumnInfo& column : catalogue_columns)
    if (column.table == "devices") facts.push_back("devices." + std::string(column.name));
  std::erase_if(facts, [](const std::string& fact) { return !is_telemetry_fact(fact); });
  return facts;
}

}  // namespace

TEST_CASE("monitoring tools state every series of devices", "[engine][recording]") {
  for (const SeriesInfo& series : catalogue_series) {
    CAPTURE(series.name);
    // What a process holds, and shares of memory, come from tools that watch the processes of a run.
    const bool of_runs = series.name == "process_memory" || series.name == "memory_share";
    CHECK(is_telemetry_fact("samples:" + std::string(series.name)) == (!series.name.starts_with("cpu_") && !of_runs));
  }
  CHECK_FALSE(is_telemetry_fact("kernels"));
  CHECK_FALSE(is_telemetry_fact("devices.sms"));
}

TEST_CASE("each command for NVIDIA's devices brings the fact that it is for", "[engine][recording]") {
  const std::string_view adapter = GENERATE("", "nvidia-smi-csv", "dcgmi-dmon", "gpu-prometheus");
  const std::string_view producer = adapter == "gpu-prometheus" ? "dcgm-exporter" : "";
  for (const std::string& fact : telemetry_facts()) {
    const TelemetryWish wish{
        .vendor = "nvidia", .adapter = adapter, .producer = producer, .wanted = {}, .recorded = {}};
    const std::string command = telemetry_command(fact, wish);
    CAPTURE(adapter, fact, command);
    const bool of_dcgm = adapter == "dcgmi-dmon" || adapter == "gpu-prometheus";
    // DCGM does not state it; what dcgmi calls its columns of video is not known.
    const bool unstated =
        (of_dcgm && fact == "samples:temperature_margin") || (adapter == "dcgmi-dmon" && fact.ends_with("coder_util"));
    if (unstated) CHECK(command.empty());
    else CHECK(brings(command, fact));
    CHECK_FALSE(mentions(command, "amd"));
  }
}

TEST_CASE("one command brings all that is wanted, and what the telemetry at hand had", "[engine][recording]") {
  const auto wanted = [](std::string_view fact) {
    return fact == "samples:power" || fact == "devices.power_limit" || fact == "samples:ecc_corrected";
  };
  const auto recorded = [](std::string_view fact) { return fact == "samples:memory_used"; };
  const std::string command =
      telemetry_command("samples:temperature",
                        {.vendor = "nvidia", .adapter = {}, .producer = {}, .wanted = wanted, .recorded = recorded});
  CHECK(command ==
        "nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,clocks.sm,clocks.max.sm,"
        "clocks_throttle_reasons.active,power.draw,enforced.power.limit,"
        "temperature.gpu,memory.used,ecc.errors.corrected.volatile.total --format=csv -lms 200 > gpu.csv");
}

TEST_CASE("a report that holds everything is asked for again only to see growth", "[engine][recording]") {
  const auto recorded = [](std::string_view fact) { return fact == "samples:pcie_replays"; };
  const TelemetryWish wish{
      .vendor = "nvidia", .adapter = "nvidia-smi-xml", .producer = {}, .wanted = {}, .recorded = recorded};
  CHECK(telemetry_command("samples:ecc_corrected", wish).empty());
  CHECK(telemetry_command("samples:pcie_replays", wish) == "nvidia-smi -q -x -l 1 > gpu.xml");
  CHECK(mentions(telemetry_command("samples:xid", wish), "dcgmi dmon"));
}

TEST_CASE("no maker's device is sent to another maker's tool", "[engine][recording]") {
  for (const std::string& fact : telemetry_facts()) {
    const std::string amd = telemetry_command(fact, {.vendor = "amd"});
    const std::string ascend = telemetry_command(fact, {.vendor = "ascend"});
    const std::string cambricon = telemetry_command(fact, {.vendor = "cambricon"});
    const std::string intel = telemetry_command(fact, {.vendor = "intel"});
    CAPTURE(fact, amd, ascend, cambricon, intel);
    CHECK((intel.empty() || mentions(intel, "xpu-smi")));
    CHECK((amd.empty() || mentions(amd, "amd-smi") || mentions(amd, "rocm-smi")));
    CHECK((mentions(ascend, "npu-smi") || mentions(ascend, "torch_npu")));
    CHECK(mentions(cambricon, "cnmon"));
    for (const std::string& command : {amd, ascend, cambricon, intel}) {
      CHECK_FALSE(mentions(command, "nvidia-smi"));
      CHECK_FALSE(mentions(command, "dcgm"));
    }
  }
  CHECK(telemetry_command("samples:xid", {.vendor = "amd"}).empty());
  CHECK(telemetry_command("samples:power", {.vendor = "amd", .adapter = "amd-smi"}).empty());
}

TEST_CASE("who recorded with the maker's profiler is told to use that one again", "[engine][recording]") {
  const auto recorder_hint = [](std::string_view producer, std::string_view vendor, std::string_view fact) {
    FactStore store;
    store.resize(table("runs"), 1);
    store.mutable_indices(column("runs.producer"), "test")[0] = store.strings.intern(producer);
    store.resize(table("devices"), 1);
    store.mutable_indices(column("devices.vendor"), "test")[0] = store.strings.intern(vendor);
    store.resize(table("kernel_stats"), 1);
    store.mutable_indices(column("kernel_stats.name"), "test")[0] =
        store.strings.intern("void at::native::vectorized_elementwise_kernel<4>");
    store.resize(table("kernels"), 1);
    store.mutable_integers(column("kernels.start"), "test")[0] = 8;
    return Recorder(store).how_to_record(fact);
  };
  CHECK_FALSE(mentions(recorder_hint("rocprofv3", "amd", "api"), "torch"));
  CHECK(mentions(recorder_hint("rocprofv3", "amd", "api"), "rocprofv3"));
  CHECK(mentions(recorder_hint("Nsight Systems 2024.5", "nvidia", "copies"), "nsys"));
  CHECK_FALSE(mentions(recorder_hint("Nsight Systems 2024.5", "nvidia", "copies"), "torch"));
  CHECK(mentions(recorder_hint("PyTorch Profiler", "nvidia", "api"), "torch.profiler"));
  // The operators of a PyTorch program only its own profiler records.
  CHECK(mentions(recorder_hint("rocprofv3", "amd", "ops"), "torch.profiler"));
}
