// SPDX-License-Identifier: Apache-2.0
// communication.json of Ascend's profilers: per step the collectives and transfers of a rank, with start (us, UTC) and
// elapsed time (ms). cluster_communication.json of mstt's analysis holds the same of all ranks of a group, with the
// rank between name and figures. Spec: documents of CANN and of mstt. The bandwidths state what went over each kind of
// link, not the size of the message: they are left out.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/accounts.hpp"
#include "adapters/json/json.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t us = 1000;
constexpr std::int64_t ms = 1'000'000;
constexpr std::string_view times_key = "Communication Time Info";

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : input_(input), sink_(sink) {}

  Status read() {
    RunInfo run;
    run.producer = "Ascend profiler";
    run.clock = ClockDomain::unix_ns;
    sink_.run(std::move(run));
    const auto documents = read_documents(input_, sink_, [this](const JsonValue& document, std::uint64_t) {
      batch_.declare(table("comms"));
      add_groups(document);
    });
    if (!documents) return documents.error();
    sink_.submit(0, std::move(batch_));
    return ok_status();
  }

 private:
  /// Steps of a rank's file hold "p2p" and "collective"; groups of a cluster's file hold steps. What holds times is a
  /// collective, wherever it stands.
  void add_groups(const JsonValue& value) {
    for (const JsonMember& member : value.members) {
      if (member.key == ascend::all_collectives) continue;
      if (member.value[times_key].kind == JsonValue::Kind::object) add(member.key, member.value, std::nullopt);
      else if (const auto rank = rank_of(member.value)) add_ranks(member.key, member.value);
      else add_groups(member.value);
    }
  }

  /// Whether the members of a value are the ranks of one collective.
  static std::optional<std::int64_t> rank_of(const JsonValue& value) {
    if (value.members.empty() || value.members.front().value[times_key].kind != JsonValue::Kind::object)
      return std::nullopt;
    return to_integer(Token{value.members.front().key});
  }

  void add_ranks(std::string_view name, const JsonValue& ranks) {
    for (const JsonMember& member : ranks.members)
      if (const auto rank = to_integer(Token{member.key})) add(name, member.value, rank);
  }

  void add(std::string_view name, const JsonValue& details, std::optional<std::int64_t> rank) {
    sink_.count_events(1);
    const JsonValue& times = details[times_key];
    const auto start = to_ns(Token{times["Start Timestamp(us)"].text}, us);
    const auto dur = to_ns(Token{times["Elapse Time(ms)"].text}, ms);
    if (!dur) return sink_.note(note_id::malformed_value, "Elapse Time(ms)");
    if (*dur < 0) return sink_.note(note_id::negative_duration);
    const std::size_t at = name.find('@');
    const std::string_view group = at == std::string_view::npos ? std::string_view{} : name.substr(at + 1);
    ascend::add_collective_account(batch_, {name.substr(0, at), group, start, *dur}, rank ? batch_.rank(*rank) : Row{});
  }

  Input& input_;
  FactSink& sink_;
  Batch batch_;
};

int sniff(const Head& head) {
  if (head.json != '{') return 0;
  return head.bytes.find("\"Communication Time Info\"") != std::string_view::npos ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"comms.op",  "comms.group", "comms.seq",    "comms.start",
                                         "comms.dur", "comms.rank",  "comms.device", "ranks.id"};

}  // namespace

extern const Adapter ascend_communication;
const Adapter ascend_communication{
    .id = "ascend-communication",
    .title = "Collectives of Ascend's profilers: communication.json and cluster_communication.json",
    .example = "{\"step50\": {\"p2p\": {}, \"collective\": {\"hcom_allReduce__586_0_1@...\": ...",
    .record =
        "torch_npu.profiler.profile(...) on several ranks writes *_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
