// SPDX-License-Identifier: Apache-2.0
// profiler_metadata.json, which Ascend's profilers write beside the recording of each rank: variables of the
// environment, what the program added, and the groups of ranks that communicate (`parallel_group_info`). It is no
// recording itself.
#include <utility>

#include <kdiag/adapter.hpp>

#include "adapters/ascend/parts/parallel_groups.hpp"
#include "adapters/json/json.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view groups_key = "parallel_group_info";

int sniff(const Head& head) {
  if (head.json != '{' || head.has_key("traceEvents")) return 0;
  return head.has_key(groups_key) || head.has_key("ENV_VARIABLES") ? 85 : 0;
}

Status read(Input& input, FactSink& sink) {
  RunInfo run;
  run.producer = "Ascend profiler";
  Batch batch;
  const auto documents = read_documents(input, sink, [&](const JsonValue& document, std::uint64_t) {
    sink.count_events(1);
    const ascend::ParallelPlace place = ascend::parallel_place(document[groups_key]);
    if (!run.rank) run.rank = place.rank;
    if (!run.world_size) run.world_size = place.world_size;
    ascend::set_stage(batch, place);
  });
  if (!documents) return documents.error();
  sink.run(std::move(run));
  sink.submit(0, std::move(batch));
  return ok_status();
}

constexpr std::string_view provides[] = {"ranks.id", "ranks.world_size", "ranks.stage"};

}  // namespace

extern const Adapter ascend_profiler_metadata;
const Adapter ascend_profiler_metadata{
    .id = "ascend-profiler-metadata",
    .title = "profiler_metadata.json of Ascend's profilers: how the job of a recording is parallel",
    .example =
        "{\"parallel_group_info\": {\"...\": {\"group_name\": \"pp\", \"group_rank\": 0, \"global_ranks\": [0, 1]}}}",
    .record = "torch_npu.profiler.profile(...) writes *_ascend_pt/profiler_metadata.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
