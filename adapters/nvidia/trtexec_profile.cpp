// SPDX-License-Identifier: Apache-2.0
// What `trtexec --exportProfile=FILE` writes, and programs that report with TensorRT's IProfiler in the same form: a
// JSON array whose first object counts the inferences, and one object per layer of the engine with its time in
// milliseconds:
//
//   [ { "count" : 11 }, { "name" : "conv1 + relu1", "timeMs" : 657.6, "averageMs" : 59.8, "medianMs" : 58.7,
//   "percentage" : 14.8 } ]
//
// A layer is one kernel or a few, fused from nodes of the model, whose names it joins; it is taken for one here. Nodes
// of PyTorch's models are named by their path, "/layer1/conv1/Conv": modules, and behind the last slash the work. Times
// are of one stream, so that their sum is the device's. Layers without time launch nothing. Spec: sampleReporting.cpp
// of TensorRT; before TensorRT 8.5 there is no median.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/io/kept_records.hpp"
#include "adapters/json/json.hpp"
#include "adapters/nvidia/trtexec/layer_class.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t ms = 1'000'000;

struct Layer {
  std::string name;
  std::int64_t total = 0;
  std::optional<std::int64_t> mean;
};

/// What one piece of the input holds.
struct Part {
  std::vector<Layer> layers;
  std::optional<std::int64_t> inferences;  ///< in the first object without a name, which is the first of all
};

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : input_(input), sink_(sink), kept_(sink) {}

  Status read() {
    const auto read = read_events(input_, sink_, {}, [this](EventCursor& events, std::uint64_t sequence) {
      Part part;
      while (events.next()) add(events.members(), part);
      keep(std::move(part), sequence);
    });
    if (!read) return read.error();
    RunInfo run;
    run.producer = "TensorRT";
    run.clock = ClockDomain::device;
    sink_.run(std::move(run));
    submit();
    return ok_status();
  }

 private:
  void add(std::span<const Member> members, Part& part) {
    Token name, total, mean, count;
    for (const Member& member : members) {
      if (member.key == "name") name = member.value;
      else if (member.key == "timeMs") total = member.value;
      else if (member.key == "averageMs") mean = member.value;
      else if (member.key == "count") count = member.value;
    }
    if (name.text.empty()) {
      if (const auto inferences = to_integer(count); inferences && *inferences > 0 && !part.inferences)
        part.inferences = *inferences;
      return;
    }
    std::string scratch;
    const auto time = to_ns(total, ms);
    if (!time || *time < 0) return sink_.note(note_id::malformed_value, "timeMs");
    if (*time > 0) part.layers.push_back({std::string(decode(name, scratch)), *time, to_ns(mean, ms)});
  }

  void keep(Part part, std::uint64_t sequence) {
    const std::lock_guard lock(mutex_);
    kept_in_all_.add(part.layers);
    for (const Layer& layer : part.layers) kept_in_all_.add_bytes(layer.name.size());
    kept_.count(kept_in_all_);
    if (parts_.size() <= sequence) parts_.resize(sequence + 1);
    parts_[sequence] = std::move(part);
  }

  void submit() {
    std::optional<std::int64_t> inferences;
    std::uint64_t sequence = 0;
    for (const Part& part : parts_) {
      if (!inferences) inferences = part.inferences;
      Batch batch;
      batch.declare(table("kernel_stats"));
      const Row device = batch.device(0);
      batch.set(device, column("devices.vendor"), "nvidia");
      batch.set(device, column("devices.kind"), "GPU");
      for (const Layer& layer : part.layers) {
        const Row row = batch.add(table("kernel_stats"));
        batch.set(row, column("kernel_stats.name"), layer.name);
        batch.set(row, column("kernel_stats.class"), trtexec::layer_class(layer.name));
        batch.set(row, column("kernel_stats.device"), device);
        batch.set(row, column("kernel_stats.total"), layer.total);
        if (layer.mean) batch.set(row, column("kernel_stats.mean"), *layer.mean);
        if (inferences) batch.set(row, column("kernel_stats.calls"), *inferences);
      }
      sink_.submit(sequence++, std::move(batch));
    }
  }

  Input& input_;
  FactSink& sink_;
  KeptRecords kept_;
  Kept kept_in_all_;
  std::mutex mutex_;
  std::vector<Part> parts_;  ///< in order of the input
};

int sniff(const Head& head) {
  if (head.json != '[') return 0;
  const auto names = [&head](std::string_view key) { return head.bytes.find(key) != std::string_view::npos; };
  return names("\"timeMs\"") && names("\"averageMs\"") ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"kernel_stats.name",  "kernel_stats.class", "kernel_stats.device",
                                         "kernel_stats.calls", "kernel_stats.total", "kernel_stats.mean",
                                         "devices.vendor"};

}  // namespace

extern const Adapter trtexec_profile;
const Adapter trtexec_profile{
    .id = "trtexec-profile",
    .title = "Profiles of TensorRT's layers (trtexec --exportProfile): calls and times",
    .example = "[ { \"count\" : 11 }, { \"name\" : \"conv1 + relu1\", \"timeMs\" : 657.6, \"averageMs\" : 59.8, ...",
    .record = "trtexec --loadEngine=model.engine --separateProfileRun --exportProfile=profile.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
