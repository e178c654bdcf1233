// SPDX-License-Identifier: Apache-2.0
#include "engine/recording/recording_commands.hpp"

#include <algorithm>
#include <vector>

#include "base/phrases.hpp"

namespace kdiag {
namespace {

constexpr std::string_view no_figure = "no figure is known: compare the time of a step with and without it";

/// "ProfilerActivity.CUDA" of "ProfilerActivity.CUDA, which ROCm shares".
std::string_view first_activity(const MakerTools& maker) {
  return maker.activity.substr(0, maker.activity.find_first_of(", "));
}

std::string torch_code(const std::set<Setting>& settings, const MakerTools& maker) {
  const bool ascend = maker.torch == "torch_npu.profiler";
  const bool steps = settings.contains(Setting::schedule);
  const bool counters = settings.contains(Setting::tensor) || settings.contains(Setting::dram);
  std::string with = "with profile(activities=[ProfilerActivity.CPU, " + std::string(first_activity(maker)) + "]";
  if (settings.contains(Setting::shapes)) with += ", record_shapes=True";
  if (settings.contains(Setting::stack)) with += ", with_stack=True";
  if (settings.contains(Setting::memory)) with += ", profile_memory=True";
  std::string code = "from " + std::string(maker.torch) + " import profile, ProfilerActivity" +
                     (steps ? ", schedule" : "") + (steps && ascend ? ", tensorboard_trace_handler" : "") + "\n";
  if (counters) {
    code += "from torch_npu.profiler import AiCMetrics, _ExperimentalConfig\n";
    with += ",\n             experimental_config=_ExperimentalConfig(aic_metrics=AiCMetrics.PipeUtilization)";
  }
  if (!steps)
    return code + with + ") as prof:\n    run()  # some seconds of your program\n" +
           "prof.export_chrome_trace(\"trace.json.gz\")";
  return code + with + ",\n             schedule=schedule(wait=5, warmup=2, active=5, repeat=1),\n" +
         "             on_trace_ready=" +
         (ascend ? "tensorboard_trace_handler(\"prof\")" : "lambda p: p.export_chrome_trace(\"trace.json.gz\")") +
         ") as prof:\n    for batch in batches:  # your loop, of 12 steps or more\n        step(batch)\n" +
         "        prof.step()";
}

std::string torch_words(const std::set<Setting>& settings, const MakerTools& maker) {
  std::vector<std::string> parts;
  if (settings.contains(Setting::shapes)) parts.emplace_back("record_shapes=True");
  if (settings.contains(Setting::stack)) parts.emplace_back("with_stack=True");
  if (settings.contains(Setting::memory)) parts.emplace_back("profile_memory=True");
  if (settings.contains(Setting::schedule)) parts.emplace_back("a schedule with steps");
  if (settings.contains(Setting::tensor) || settings.contains(Setting::dram))
    parts.emplace_back("aic_metrics AiCMetrics.PipeUtilization");
  return std::string(maker.torch) + " with " + std::string(first_activity(maker)) +
         (parts.empty() ? "" : ", " + join(parts, ", ")) +
         (settings.contains(Setting::every_rank) ? ", on every rank of a distributed run" : "");
}

PlannedRecording by_torch(const std::set<Setting>& settings, const MakerTools& maker) {
  PlannedRecording out;
  out.how = torch_words(settings, maker);
  out.command = torch_code(settings, maker);
  const bool dear = settings.contains(Setting::shapes) || settings.contains(Setting::stack);
  out.overhead = dear ? "shapes and stacks cost more time, and shapes hold references to tensors for a while"
                      : "some on the host for each operator and launch: short kernels look further apart";
  // Measured on 12 traces of torch.profiler: 1.5 to 6 KB of JSON for each kernel, with its host rows.
  out.size = settings.contains(Setting::stack)
                 ? "6 to 20 KB of JSON for each kernel, with its stacks; a tenth of it or less as .json.gz"
                 : "2 to 6 KB of JSON for each kernel, a tenth of it or less as .json.gz";
  out.source = dear ? "documentation of torch.profiler, profile(); size measured" : "judgement; size measured";
  return out;
}

PlannedRecording by_timeline(const std::set<Setting>& settings, const MakerTools& maker) {
  PlannedRecording out;
  out.how = maker.timeline;
  out.command = maker.run;
  if (settings.contains(Setting::schedule))
    out.how += ", with a range around each step that says its number (NVTX, roctx or their like)";
  if (settings.contains(Setting::every_rank)) out.how += ", on every rank of a distributed run";
  out.overhead = no_figure;
  out.source = "judgement";
  return out;
}

PlannedRecording by_counters(const std::set<Setting>& settings, const MakerTools& maker) {
  constexpr std::string_view command = "ncu --metrics ";
  std::vector<std::string> metrics;
  const auto add_metrics_of = [&](std::string_view counters) {
    counters.remove_prefix(command.size());
    while (!counters.empty()) {
      const std::string_view metric = counters.substr(0, counters.find(','));
      counters.remove_prefix(std::min(metric.size() + 1, counters.size()));
      // All ask for the duration, without which no kernel can be weighed.
      if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.emplace_back(metric);
    }
  };
  if (settings.contains(Setting::tensor)) add_metrics_of(maker.tensor);
  if (settings.contains(Setting::dram)) add_metrics_of(maker.dram);
  const bool all = settings.contains(Setting::occupancy);  // more than a metric: the sections that state it
  const std::string what = all ? "ncu --set detailed" : std::string(command) + join(metrics, ",");
  PlannedRecording out;
  out.how = "Nsight Compute, of some hundred kernels";
  out.command = what + " --launch-count 200 --csv --page raw ./app > kernels.csv";
  out.overhead =
      "each kernel runs several times, with its memory saved and restored, at a fixed clock: no times of the "
      "program can be read from it";
  out.source = "Nsight Compute, Kernel Profiling Guide, \"Kernel Replay\" and \"Overhead\"";
  return out;
}

}  // namespace

PlannedRecording describe_recording(Tool tool, const std::set<Setting>& settings, const std::string& telemetry,
                                    std::string_view vendor) {
  const MakerTools& maker = tools_of_maker(vendor);
  switch (tool) {
    case Tool::torch: return by_torch(settings, maker);
    case Tool::timeline: return by_timeline(settings, maker);
    case Tool::counters: return by_counters(settings, maker);
    default: break;
  }
  PlannedRecording out;
  if (tool == Tool::baseline) {
    out.how = "the same work when it was good, as this trace was recorded";
    out.command = "kdiag --baseline good.json trace.json";
    out.overhead = "as for this trace";
    return out;
  }
  out.how = "telemetry of the device while it works";
  out.command = telemetry;
  out.overhead = no_figure;
  out.size = "below 1 KB for each sample of a device";
  out.source = "judgement";
  return out;
}

}  // namespace kdiag
