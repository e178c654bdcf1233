// SPDX-License-Identifier: Apache-2.0
#include "engine/recording/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "engine/facts/fact_store.hpp"
#include "engine/facts/series.hpp"
#include "engine/recording/recording_hints.hpp"
#include "engine/recording/telemetry_alone.hpp"
#include "engine/recording/telemetry_commands.hpp"

namespace kdiag {
namespace {

std::string_view word(const MakerTools& tools, std::string_view name) {
  struct Word {
    std::string_view name, text;
  };
  const Word words[] = {
      {"torch", tools.torch},
      {"activity", tools.activity},
      {"timeline", tools.timeline},
      {"tensor", tools.tensor},
      {"dram", tools.dram},
      {"ranges", "a range around each step that says its number (step 12), with NVTX, roctx or their like"},
      {"operators", "the profiler of the framework, if it records its operators"}};
  const auto* found =
      std::find_if(std::begin(words), std::end(words), [name](const Word& w) { return w.name == name; });
  return found == std::end(words) ? std::string_view{} : found->text;
}

std::string filled(std::string_view how, const MakerTools& tools) {
  std::string out;
  for (std::size_t open = how.find('{'); open != std::string_view::npos; open = how.find('{')) {
    const std::size_t close = how.find('}', open);
    out.append(how.substr(0, open)).append(word(tools, how.substr(open + 1, close - open - 1)));
    how.remove_prefix(close + 1);
  }
  return out.append(how);
}

/// The model of the first device that has a name. What is still missing of it, the device table lacks.
std::string_view named_model(const FactStore& store) {
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row)
    if (const std::string_view name = store.text(column("devices.name"), row); !name.empty()) return name;
  return {};
}

}  // namespace

std::string_view maker_of_tool(std::string_view producer) {
  struct OwnTool {
    std::string_view producer, maker;
  };
  constexpr OwnTool own_tools[] = {
      {"rocprof", "amd"}, {"rocpd", "amd"}, {"Nsight", "nvidia"}, {"nvprof", "nvidia"}, {"Ascend", "ascend"}};
  for (const OwnTool& own : own_tools)
    if (producer.starts_with(own.producer)) return own.maker;
  return {};
}

std::string_view vendor_of(const FactStore& store) {
  std::string_view vendor;
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
    const std::string_view own = store.text(column("devices.vendor"), row);
    if (own.empty()) continue;
    if (!vendor.empty() && own != vendor) return {};
    vendor = own;
  }
  return vendor.empty() ? maker_of_tool(store.text(column("runs.producer"), 0)) : vendor;
}

Framework framework_of(const FactStore& store) {
  const std::string_view producer = store.text(column("runs.producer"), 0);
  if (producer.starts_with("PyTorch") || producer == "torch.profiler") return Framework::pytorch;
  if (producer == "PaddlePaddle" || producer == "ONNX Runtime") return Framework::other;
  // As `uses_torch` of rules/std/pack.yaml does.
  constexpr std::string_view signs[] = {"at::native", "elementwise_kernel", "multi_tensor_apply",
                                        "CatArrayBatchedCopy"};
  for (const std::uint32_t name : store.indices(column("op_stats.name")))
    if (name != absent_index && store.strings[name].starts_with("aten::")) return Framework::pytorch;
  for (const std::uint32_t name : store.indices(column("kernel_stats.name"))) {
    if (name == absent_index) continue;
    const std::string_view kernel = store.strings[name];
    if (kernel.starts_with("triton_")) return Framework::pytorch;
    for (const std::string_view sign : signs)
      if (kernel.find(sign) != std::string_view::npos) return Framework::pytorch;
  }
  // The Ascend profiler serves both, and most of its tables name no operator of the framework.
  if (producer.starts_with("Ascend")) return Framework::unknown;
  const bool of_program = !maker_of_tool(producer).empty() || producer == "nccl-tests";
  const bool named = store.has(column("kernel_stats.name")) || store.has(column("api_stats.name"));
  return of_program || named ? Framework::other : Framework::unknown;
}

namespace {

/// What records a fact of traces; `timeline`: with the maker's own profiler where that records it.
std::string trace_hint(std::string_view fact, const MakerTools& tools, Framework framework, bool timeline) {
  const RecordingHint* const hint = recording_hint(fact);
  if (hint == nullptr) return {};
  const bool own = timeline && hint->other.find("{timeline}") != std::string_view::npos;
  return filled((framework == Framework::other || own) && !hint->other.empty() ? hint->other : hint->how, tools);
}

/// The series that a run's samples are of.
std::set<std::string, std::less<>> series_of(const FactStore& store) {
  std::set<std::uint32_t> names;
  for (const std::uint32_t name : store.indices(column("samples.series")))
    if (name != absent_index) names.insert(name);
  std::set<std::string, std::less<>> out;
  for (const std::uint32_t name : names) out.emplace(store.strings[name]);
  return out;
}

bool made_by_torch(std::string_view producer) {
  return producer.starts_with("PyTorch") || producer.starts_with("TensorBoard");
}

}  // namespace

std::string how_to_record(std::string_view fact, std::string_view vendor, Framework framework) {
  if (is_telemetry_fact(fact)) return telemetry_command(fact, {.vendor = vendor});
  return trace_hint(fact, tools_of_maker(vendor), framework, false);
}

Recorder::Recorder(const FactStore& store, std::vector<std::string> wanted)
    : store_(store),
      wanted_(std::move(wanted)),
      series_(series_of(store)),
      vendor_(vendor_of(store)),
      framework_(framework_of(store)),
      alone_(of_telemetry_alone(store)) {}

std::string Recorder::how_to_record(std::string_view fact, std::string_view why) const {
  if (alone_ && why == no_sample_then) return "the same while the device works";
  if (is_telemetry_fact(fact)) return of_telemetry(fact);
  if (fact == "devices.sms" || fact == "devices.sm_clock_rated")
    if (const std::string_view model = named_model(store_); !model.empty())
      return (fact == "devices.sms" ? "" : "a baseline run, or ") + ("a line for '" + std::string(model)) +
             "' in the device table, which lacks it (docs/devices.md)";
  if (known_table_lacks(fact)) return own_profiler_has(fact) ? std::string(tools_of_maker(vendor_).timeline) : "";
  // Who has a timeline of the maker's profiler is not told to learn another one for what that records, too.
  return trace_hint(fact, tools_of_maker(vendor_), framework_, by_own_profiler());
}

std::vector<RecordingWay> Recorder::ways_to_record(std::string_view fact, std::string_view why) const {
  if (is_telemetry_fact(fact)) {
    std::string command = how_to_record(fact, why);
    if (command.empty()) return {};
    return {{.tool = Tool::telemetry, .command = std::move(command)}};
  }
  const bool of_device_table =
      (fact == "devices.sms" || fact == "devices.sm_clock_rated") && !named_model(store_).empty();
  const RecordingHint* const hint = recording_hint(fact);
  if (hint == nullptr) return {};
  if (known_table_lacks(fact))
    return own_profiler_has(fact) ? std::vector<RecordingWay>{{.tool = Tool::timeline}} : std::vector<RecordingWay>{};
  const MakerTools& maker = tools_of_maker(vendor_);
  const auto can = [&](Tool tool) {
    if (!includes(hint->tools, tool)) return false;
    if (of_device_table && tool != Tool::baseline) return false;  // the trace names the model, the table lacks it
    if (tool == Tool::torch) return framework_ != Framework::other;
    if (tool == Tool::timeline) return !maker.run.empty();
    return true;
  };
  std::vector<RecordingWay> ways;
  for (const Tool tool : {Tool::torch, Tool::timeline, Tool::baseline})
    if (can(tool)) ways.push_back({.tool = tool, .setting = hint->setting});
  if (can(Tool::counters)) {
    const bool has_counters = maker.tensor.starts_with("ncu");
    const std::string_view counter = hint->setting == Setting::dram ? maker.dram : maker.tensor;
    if (has_counters) ways.push_back({.tool = Tool::counters, .setting = hint->setting});
    else if (!counter.empty() && framework_ != Framework::other)  // the framework's profiler reads them
      ways.push_back({.tool = Tool::torch, .setting = hint->setting});
  }
  return ways;
}

Tool Recorder::tool_at_hand() const {
  return by_own_profiler() || framework_ == Framework::other ? Tool::timeline : Tool::torch;
}

bool Recorder::by_own_profiler() const {
  const std::string_view producer = store_.text(column("runs.producer"), 0);
  return store_.has(column("kernels.start")) && !producer.empty() && !made_by_torch(producer);
}

/// Whether the run has the table of a column, and another recording of the same kind would lack the column again.
bool Recorder::known_table_lacks(std::string_view fact) const {
  const RecordingHint* const hint = recording_hint(fact);
  const std::size_t dot = fact.find('.');
  if (dot == std::string_view::npos) return false;
  const ColumnId column_of_fact = find_column(fact.substr(0, dot), fact.substr(dot + 1));
  // Where idle time is explained in part by host and device that were recorded together, launches of the rest were
  // lost.
  const bool linked = store_.has(column("api.thread")) && store_.has(column("kernels.launch")) &&
                      (store_.rows(table("copies")) == 0 || store_.has(column("copies.launch")));
  if (linked && fact.starts_with("idle.") && column_of_fact.valid() && store_.has(column_of_fact)) return true;
  if (hint != nullptr && hint->fact == fact) return false;
  return column_of_fact.valid() && store_.rows(find_table(fact.substr(0, dot))) > 0 &&
         (store_.has(column_of_fact) || store_.has(column("kernels.start")));
}

/// Of a column that the run's table lacks altogether: whether the maker's profiler, which did not make it, states it.
bool Recorder::own_profiler_has(std::string_view fact) const {
  const std::size_t dot = fact.find('.');
  const std::string_view producer = store_.text(column("runs.producer"), 0);
  return timeline_states(fact) && tools_of_maker(vendor_).states_launches &&
         !store_.has(find_column(fact.substr(0, dot), fact.substr(dot + 1))) &&
         !producer.starts_with("Nsight Systems") && !producer.starts_with("rocprofv3");
}

std::string Recorder::of_telemetry(std::string_view fact) const {
  const auto wanted = [this](std::string_view other) {
    return std::find(wanted_.begin(), wanted_.end(), other) != wanted_.end();
  };
  const auto recorded = [this](std::string_view other) {
    constexpr std::string_view prefix = "samples:";
    if (other.starts_with(prefix)) return series_.contains(other.substr(prefix.size()));
    const std::size_t dot = other.find('.');
    return alone_ && store_.has(find_column(other.substr(0, dot), other.substr(dot + 1)));
  };
  TelemetryWish wish{.vendor = vendor_, .adapter = {}, .producer = {}, .wanted = wanted, .recorded = recorded};
  if (alone_) {
    wish.adapter = store_.text(column("runs.format"), 0);
    wish.producer = store_.text(column("runs.producer"), 0);
  }
  std::string command = telemetry_command(fact, wish);
  if (!alone_ && command.find(" > gpu.csv") != std::string::npos)
    command += " while it runs, then kdiag trace.json gpu.csv";
  return command;
}

}  // namespace kdiag
