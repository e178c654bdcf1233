// SPDX-License-Identifier: Apache-2.0
// Logs of NCCL's inspector plugin: one JSON object a line, for one collective or transfer each, with its communicator
// (`header`), where it was written (`metadata`) and its figures (`coll_perf` or `p2p_perf`): message size in bytes,
// execution time in us. One file per process. Spec: the inspector's README in NCCL (format v4.0). Times of day are
// those of writing, so there are no starts. The inspector leaves out small messages and those it could not time on the
// GPU: what is missing here may have happened.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/comm_names.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t us = 1000;

/// Names of the figures of collectives and of transfers.
struct FigureNames {
  std::string_view group, op, sequence, bytes, time;
};
constexpr FigureNames collective{"coll_perf", "coll", "coll_sn", "coll_msg_size_bytes", "coll_exec_time_us"};
constexpr FigureNames transfer{"p2p_perf", "p2p", "p2p_sn", "p2p_msg_size_bytes", "p2p_exec_time_us"};

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : input_(input), sink_(sink) {}

  Status read() {
    const auto count =
        read_documents(input_, sink_, [this](const JsonValue& document, std::uint64_t) { add_line(document); });
    if (!count) return count.error();
    RunInfo run;
    run.producer = "NCCL inspector";
    run.rank = rank_;
    if (ranks_ > 0) run.world_size = ranks_;
    run.host = host_;
    sink_.run(std::move(run));
    batch_.declare(table("comms"));
    sink_.submit(0, std::move(batch_));
    return ok_status();
  }

 private:
  void add_line(const JsonValue& line) {
    sink_.count_events(1);
    const JsonValue& header = line["header"];
    const FigureNames& names = line[collective.group].kind == JsonValue::Kind::object ? collective : transfer;
    const JsonValue& figures = line[names.group];
    const auto op = collective_name(figures[names.op].text);
    const auto dur = to_ns(Token{figures[names.time].text}, us);
    if (!op || !dur || *dur < 0) return sink_.note(note_id::malformed_value, names.group);
    see_process(header, line["metadata"]);
    const Row row = batch_.add(table("comms"));
    batch_.set(row, column("comms.op"), *op);
    batch_.set(row, column("comms.dur"), *dur);
    if (!header["id"].text.empty()) batch_.set(row, column("comms.group"), header["id"].text);
    if (const auto ranks = header["n_ranks"].integer()) batch_.set(row, column("comms.group_size"), *ranks);
    if (const auto number = figures[names.sequence].integer()) batch_.set(row, column("comms.seq"), *number);
    if (const auto bytes = figures[names.bytes].integer(); bytes && *bytes >= 0)
      batch_.set(row, column("comms.bytes"), *bytes);
  }

  /// The log states ranks inside communicators. That inside the largest is taken for the process's own.
  void see_process(const JsonValue& header, const JsonValue& metadata) {
    if (host_.empty()) host_ = metadata["hostname"].text;
    const auto ranks = header["n_ranks"].integer();
    const auto rank = header["rank"].integer();
    if (!ranks || !rank || *rank < 0 || *ranks <= ranks_) return;
    ranks_ = *ranks;
    rank_ = *rank;
  }

  Input& input_;
  FactSink& sink_;
  Batch batch_;
  std::optional<std::int64_t> rank_;
  std::int64_t ranks_ = 0;
  std::string host_;
};

int sniff(const Head& head) {
  const bool figures = head.has_key("coll_perf") || head.has_key("p2p_perf");
  return head.json == '{' && head.has_key("header") && figures ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"comms.op",    "comms.group", "comms.group_size", "comms.seq",
                                         "comms.bytes", "comms.dur",   "ranks.id",         "ranks.world_size"};

}  // namespace

extern const Adapter nccl_inspector;
const Adapter nccl_inspector{
    .id = "nccl-inspector",
    .title = "Logs of NCCL's inspector plugin: collectives with size and execution time",
    .example = "{\"header\": {\"id\": \"0x...\", \"rank\": 0, \"n_ranks\": 8}, \"coll_perf\": {\"coll\": \"AllReduce\"",
    .record = "NCCL_PROFILER_PLUGIN=libnccl-profiler-inspector.so NCCL_INSPECTOR_ENABLE=1 ./app; one log per process",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
