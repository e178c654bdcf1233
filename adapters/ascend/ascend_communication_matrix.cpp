// SPDX-License-Identifier: Apache-2.0
// communication_matrix.json of Ascend's profilers, and cluster_communication_matrix.json of mstt's analysis: of each
// kind of collective what went over each link, and how fast. No table of facts has links: they are counted, and the
// collectives themselves stand in communication.json beside it.
#include <cstdint>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {
namespace {

/// How many links are described at any depth below a value.
std::uint64_t links_of(const JsonValue& value) {
  if (value["Transport Type"].kind == JsonValue::Kind::string) return 1;
  std::uint64_t links = 0;
  for (const JsonMember& member : value.members) links += links_of(member.value);
  return links;
}

int sniff(const Head& head) {
  const auto names = [&head](std::string_view key) { return head.bytes.find(key) != std::string_view::npos; };
  return head.json == '{' && names("\"Transport Type\"") && names("\"Transit Size(MB)\"") &&
                 !names("\"Communication Time Info\"")
             ? 90
             : 0;
}

Status read(Input& input, FactSink& sink) {
  std::uint64_t links = 0;
  const auto documents =
      read_documents(input, sink, [&links](const JsonValue& document, std::uint64_t) { links += links_of(document); });
  if (!documents) return documents.error();
  sink.count_events(links);
  if (links > 0) sink.note(note_id::unused_report, "bandwidths of single links", links);
  RunInfo run;
  run.producer = "Ascend profiler";
  sink.run(std::move(run));
  sink.submit(0, Batch());
  return ok_status();
}

constexpr std::string_view provides[] = {"notes"};

}  // namespace

extern const Adapter ascend_communication_matrix;
const Adapter ascend_communication_matrix{
    .id = "ascend-communication-matrix",
    .title = "communication_matrix.json of Ascend's profilers: bandwidths of links, which are counted",
    .example = "{\"step50\": {\"collective\": {\"allreduce-top1@...\": {\"0-1\": {\"Transport Type\": \"HCCS\", ...",
    .record = "torch_npu.profiler.profile(...) on several ranks writes communication_matrix.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
