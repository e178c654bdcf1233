// SPDX-License-Identifier: Apache-2.0
// The fewest recordings that settle the rules which could not tell.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "engine/facts/fact_store.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/plan_recordings.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

/// A timeline of PyTorch on a device of a maker.
FactStore timeline(std::string_view vendor) {
  FactStore store;
  store.resize(table("devices"), 1);
  store.mutable_indices(column("devices.vendor"), "test")[0] = store.strings.intern(vendor);
  store.resize(table("runs"), 1);
  store.mutable_indices(column("runs.producer"), "test")[0] = store.strings.intern("PyTorch Profiler");
  store.resize(table("kernels"), 1);
  store.mutable_integers(column("kernels.start"), "test")[0] = 5;
  return store;
}

OpenQuestion lacks(std::string rule, std::initializer_list<const char*> facts) {
  OpenQuestion question{.rule = std::move(rule), .causes = {}, .reason = {}};
  for (const char* fact : facts) {
    question.causes.push_back({fact, "not recorded"});
    question.reason += std::string(question.reason.empty() ? "" : "; ") + fact + " not recorded";
  }
  return question;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("one recording is asked for all that it brings, with the settings that are needed", "[engine][plan]") {
  const FactStore store = timeline("nvidia");
  const RunPlan plan =
      plan_recordings({lacks("a", {"ops.shapes"}), lacks("b", {"api"}), lacks("c", {"ops.frame", "api"})}, store);
  REQUIRE(plan.recordings.size() == 1);
  const PlannedRecording& only = plan.recordings[0];
  CHECK(only.settles == Words{"a", "b", "c"});
  CHECK(only.facts == Words{"ops.shapes", "api", "ops.frame"});
  CHECK(has(only.command, "record_shapes=True"));
  CHECK(has(only.command, "with_stack=True"));
  CHECK_FALSE(has(only.command, "profile_memory"));
  CHECK_FALSE(has(only.command, "schedule"));
  CHECK(plan.open.empty());
}

TEST_CASE("a setting that no settled rule needs is not asked for", "[engine][plan]") {
  const FactStore store = timeline("amd");  // whose kernels no tool states this of
  const RunPlan plan = plan_recordings({lacks("a", {"api"}), lacks("b", {"ops.shapes", "kernels.tensor_util"})}, store);
  REQUIRE(plan.recordings.size() == 1);
  CHECK_FALSE(has(plan.recordings[0].command, "record_shapes"));
  REQUIRE(plan.open.size() == 1);
  CHECK(plan.open[0].rule == "b");
  CHECK(has(plan.open[0].reason, "kernels.tensor_util"));
}

TEST_CASE("rules that need several recordings get them, and count with the last one", "[engine][plan]") {
  const FactStore store = timeline("nvidia");
  const RunPlan plan = plan_recordings({lacks("a", {"api"}), lacks("b", {"samples:sm_clock"}),
                                        lacks("c", {"api", "samples:power"}), lacks("d", {"kernels.tensor_util"})},
                                       store);
  REQUIRE(plan.recordings.size() == 3);
  Words settled;
  for (const PlannedRecording& one : plan.recordings)
    settled.insert(settled.end(), one.settles.begin(), one.settles.end());
  std::sort(settled.begin(), settled.end());
  CHECK(settled == Words{"a", "b", "c", "d"});
  const auto smi = std::find_if(plan.recordings.begin(), plan.recordings.end(),
                                [](const PlannedRecording& one) { return has(one.command, "nvidia-smi"); });
  REQUIRE(smi != plan.recordings.end());
  CHECK(has(smi->command, "power.draw"));
  CHECK(has(smi->command, "clocks.sm"));
}

TEST_CASE("any of several sources of a fact settles a rule, and the fewest recordings are chosen", "[engine][plan]") {
  const FactStore store = timeline("nvidia");
  OpenQuestion either = lacks("either", {"kernels.tensor_util"});
  Causes other = {{"ops.flops", "not recorded"}};
  merge_alternative(either.causes, other);
  const RunPlan plan = plan_recordings({either, lacks("shapes", {"ops.shapes"})}, store);
  REQUIRE(plan.recordings.size() == 1);
  CHECK(plan.recordings[0].settles == Words{"either", "shapes"});
  CHECK(has(plan.recordings[0].command, "record_shapes=True"));
}

TEST_CASE("what is not missing because it was not recorded stays open", "[engine][plan]") {
  const FactStore store = timeline("nvidia");
  OpenQuestion partial = lacks("partial", {"api"});
  partial.causes.push_back({"", "partial data: both answers are possible"});
  const RunPlan plan = plan_recordings({partial, lacks("odd", {"no.such"})}, store);
  CHECK(plan.recordings.empty());
  REQUIRE(plan.open.size() == 2);
}

TEST_CASE("recordings are those of the maker and of the framework", "[engine][plan]") {
  const auto command = [](std::string_view vendor, const char* fact) {
    const FactStore store = timeline(vendor);
    const RunPlan plan = plan_recordings({lacks("a", {fact})}, store);
    return plan.recordings.empty() ? std::string() : plan.recordings[0].command;
  };
  CHECK(has(command("ascend", "api"), "from torch_npu.profiler import"));
  CHECK(has(command("ascend", "kernels.tensor_util"), "AiCMetrics"));
  CHECK(has(command("amd", "os_calls"), "rocprofv3"));
  CHECK(has(command("nvidia", "os_calls"), "nsys profile"));
  CHECK(has(command("nvidia", "kernels.tensor_util"), ",sm__pipe_tensor"));
  CHECK(command("amd", "kernels.tensor_util").empty());
  CHECK(has(command("cambricon", "steps"), "schedule=schedule("));
  FactStore other = timeline("nvidia");
  other.mutable_indices(column("runs.producer"), "test")[0] = other.strings.intern("PaddlePaddle");
  const RunPlan plan = plan_recordings({lacks("a", {"api"})}, other);
  REQUIRE(plan.recordings.size() == 1);
  CHECK(has(plan.recordings[0].command, "nsys profile"));
}

TEST_CASE("runs that lack the same share a plan", "[engine][plan]") {
  const FactStore store = timeline("nvidia");
  RecordingPlan plan;
  for (const char* run : {"A", "B"}) add_plan(plan, plan_recordings({lacks("a", {"api"})}, store), run);
  add_plan(plan, plan_recordings({lacks("b", {"api"})}, store), "C");
  REQUIRE(plan.runs.size() == 2);
  CHECK(plan.runs[0].runs == Words{"A", "B"});
}

TEST_CASE("the metrics of a suggested profile are those that its reader knows, with the duration", "[engine][plan]") {
  const FactStore store = timeline("nvidia");
  const RunPlan plan =
      plan_recordings({lacks("a", {"kernels.compute_util"}), lacks("b", {"kernels.memory_util"})}, store);
  REQUIRE(plan.recordings.size() == 1);
  const std::string& command = plan.recordings[0].command;
  const std::size_t begin = command.find("--metrics ") + 10;
  std::string header = "\"ID\",\"Process ID\",\"Kernel Name\",\"Device\"", values = "\"0\",\"1\",\"gemm\",\"0\"";
  std::string metrics = command.substr(begin, command.find(' ', begin) - begin) + ",";
  for (std::size_t at = 0; at < metrics.size(); at = metrics.find(',', at) + 1) {
    header += ",\"" + metrics.substr(at, metrics.find(',', at) - at) + "\"";
    values += ",\"50\"";
  }
  const std::string csv = header + "\n" + values + "\n";
  const auto facts = load_trace("kernels.csv", std::span<const char>(csv));
  REQUIRE(facts);
  const FactStore& read = *facts->loaded().runs.front().store;
  for (const ColumnId measured : {column("kernels.dur"), column("kernels.compute_util"), column("kernels.tensor_util"),
                                  column("kernels.memory_util"), column("kernels.dram_util")})
    CHECK(read.has(measured));
}
