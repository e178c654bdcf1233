// SPDX-License-Identifier: Apache-2.0
// Dumps of PyTorch's flight recorder as JSON: the last collectives of a process with their process group, sizes and
// state. Spec: FlightRecorderDetail of PyTorch (versions 2.x). Files are pickles by default, which are refused with the
// way to convert them. Instants are those of enqueueing and of when the watchdog looked, not of execution: only a
// stated `duration_ms` (with TORCH_NCCL_ENABLE_TIMING) is one. The recorder is a ring: older collectives are lost.
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

constexpr std::int64_t ms = 1'000'000;

/// How many ranks a group has: of an array, or of its text "[0, 1]".
std::optional<std::int64_t> rank_count(const JsonValue& ranks) {
  if (ranks.kind == JsonValue::Kind::array) return static_cast<std::int64_t>(ranks.items.size());
  if (ranks.kind != JsonValue::Kind::string) return std::nullopt;
  const auto list = parse_json(ranks.text);
  return list && list->kind == JsonValue::Kind::array ? rank_count(*list) : std::nullopt;
}

/// Bytes of all inputs: [[1024, 2], [8]] elements of ["Float", "Float"].
std::optional<std::int64_t> message_bytes(const JsonValue& sizes, const JsonValue& types) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < sizes.items.size(); ++i) {
    if (i >= types.items.size()) return std::nullopt;
    std::optional<std::int64_t> product = element_bytes(types.items[i].text);
    for (const JsonValue& extent : sizes.items[i].items) {
      const auto factor = extent.integer();
      std::int64_t next = 0;
      if (!product || !factor || *factor < 0 || __builtin_mul_overflow(*product, *factor, &next)) return std::nullopt;
      product = next;
    }
    if (!product || __builtin_add_overflow(bytes, *product, &bytes)) return std::nullopt;
  }
  return sizes.items.empty() ? std::nullopt : std::optional(bytes);
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : input_(input), sink_(sink) {}

  Status read() {
    const auto count = read_documents(input_, sink_, [this](const JsonValue& dump, std::uint64_t) {
      if (dump["entries"].kind != JsonValue::Kind::array) return;  // a piece of one that could not be read
      RunInfo run;
      run.producer = "PyTorch flight recorder " + dump["version"].text;
      run.rank = dump["rank"].integer();
      sink_.run(std::move(run));
      Batch batch;
      batch.declare(table("comms"));
      for (const JsonValue& entry : dump["entries"].items) add(batch, entry, dump["pg_config"]);
      sink_.submit(0, std::move(batch));
    });
    return count ? ok_status() : Status(count.error());
  }

 private:
  void add(Batch& batch, const JsonValue& entry, const JsonValue& groups) {
    sink_.count_events(1);
    const std::string& stated = entry["profiling_name"].text;  // "nccl:all_reduce"
    const auto op = collective_name(std::string_view(stated).substr(stated.find(':') + 1));
    if (!op) return sink_.note(note_id::unknown_kind, stated);
    const Row row = batch.add(table("comms"));
    batch.set(row, column("comms.op"), *op);
    const JsonValue& names = entry["process_group"];  // [name, description]
    const std::string group = names.items.empty() ? std::string() : names.items.front().text;
    if (!group.empty()) batch.set(row, column("comms.group"), group);
    if (const auto size = rank_count(groups[group]["ranks"])) batch.set(row, column("comms.group_size"), *size);
    const auto number = entry[entry["is_p2p"].boolean ? "p2p_seq_id" : "collective_seq_id"].integer();
    if (number) batch.set(row, column("comms.seq"), *number);
    if (const auto bytes = message_bytes(entry["input_sizes"], entry["input_dtypes"]))
      batch.set(row, column("comms.bytes"), *bytes);
    if (!entry["input_dtypes"].items.empty())
      batch.set(row, column("comms.dtype"), entry["input_dtypes"].items.front().text);
    if (const auto dur = to_ns(Token{entry["duration_ms"].text}, ms); dur && *dur > 0)
      batch.set(row, column("comms.dur"), *dur);
    if (const std::string& state = entry["state"].text; state == "started" || state == "scheduled")
      sink_.note(note_id::unfinished_collectives,
                 *op + ", group " + group + ", number " + (number ? std::to_string(*number) : "?"));
  }

  Input& input_;
  FactSink& sink_;
};

int sniff(const Head& head) {
  if (head.json != '{' || !head.has_key("version")) return 0;
  return head.has_key("pg_config") || head.has_key("pg_status") ? 85 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"comms.op",    "comms.group", "comms.group_size", "comms.seq",
                                         "comms.bytes", "comms.dtype", "comms.dur"};

}  // namespace

extern const Adapter flight_recorder;
const Adapter flight_recorder{
    .id = "flight-recorder",
    .title = "JSON dumps of PyTorch's flight recorder: the last collectives of a process and whether they ended",
    .example =
        "{\"version\": \"2.10\", \"pg_config\": {\"0\": {\"name\": \"0\", \"ranks\": \"[0, 1]\"}}, \"entries\": [",
    .record =
        "TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_ENABLE_TIMING=1, then torch._C._distributed_c10d._dump_nccl_"
        "trace_json() in the program, written to a file per rank",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
