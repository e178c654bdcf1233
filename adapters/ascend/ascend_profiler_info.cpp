// SPDX-License-Identifier: Apache-2.0
// profiler_info_<rank>.json, which Ascend's profilers write beside the recording of each rank: how it was recorded, and
// its rank. A program without ranks has -1. It is no recording itself: it tells whose the files beside it are.
#include <optional>

#include <kdiag/adapter.hpp>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) {
  return head.json == '{' && head.has_key("rank_id") && (head.has_key("config") || head.has_key("start_info")) ? 90 : 0;
}

Status read(Input& input, FactSink& sink) {
  RunInfo run;
  run.producer = "Ascend profiler";
  const auto documents = read_documents(input, sink, [&](const JsonValue& document, std::uint64_t) {
    sink.count_events(1);
    const auto rank = to_integer(Token{document["rank_id"].text});
    if (rank && *rank >= 0) run.rank = *rank;
  });
  if (!documents) return documents.error();
  sink.run(std::move(run));
  sink.submit(0, Batch());
  return ok_status();
}

constexpr std::string_view provides[] = {"ranks.id"};

}  // namespace

extern const Adapter ascend_profiler_info;
const Adapter ascend_profiler_info{
    .id = "ascend-profiler-info",
    .title = "profiler_info_<rank>.json of Ascend's profilers: the rank of a recording",
    .example = "{\"config\": {\"common_config\": ...}, \"start_info\": ..., \"end_info\": ..., \"rank_id\": 0}",
    .record = "torch_npu.profiler.profile(...) writes *_ascend_pt/profiler_info_<rank>.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
