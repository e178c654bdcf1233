// SPDX-License-Identifier: Apache-2.0
// HOST.xplane.pb of the XLA profiler (JAX, TensorFlow 2, PyTorch/XLA): one XSpace message of Protocol Buffers,
// specified by tsl/profiler/protobuf/xplane.proto. Planes (/device:GPU:0, /host:CPU) of lines (streams, threads) of
// events, whose starts are ps from the line's ns since 1970; kept to the ns. What the profiler itself writes has no
// lines of steps on GPUs: the step annotations of the host stand for them. Parts: adapters/google/xla/, with the reader
// of trace.json.gz.
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/google/xla/finish.hpp"
#include "adapters/google/xla/planes.hpp"
#include "adapters/google/xla/records.hpp"
#include "adapters/io/kept_records.hpp"
#include "adapters/io/protobuf.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t largest_plane = std::size_t{1} << 31;  // Protocol Buffers allow no larger message

enum SpaceField : std::uint32_t { planes = 1, errors = 2, warnings = 3, hosts = 4 };

int sniff(const Head& head) {
  for (const Field& field : Fields(head.bytes)) {
    if (field.number > hosts || !field.is_bytes()) return 0;
    if (field.number == planes && xla::is_plane(field.message())) return 85;
  }
  return 0;
}

Status read(Input& input, FactSink& sink) {
  auto records = std::make_unique<xla::Records>(sink);
  std::optional<KeptRecords> kept(std::in_place, sink);
  FieldStream space(input, sink, largest_plane);
  std::int64_t position = 0;
  while (const Field* field = space.next()) {
    if (sink.cancelled()) return ok_status();
    switch (field->number) {
      case planes: xla::add_plane(field->message(), ++position, *records, *kept, sink); break;
      case errors: sink.note(note_id::profiler_errors, field->text()); break;
      case warnings: sink.note(note_id::profiler_warnings, field->text()); break;
      case hosts:
        if (records->host.empty()) records->host = field->text();
        break;
      default: break;
    }
  }
  kept.reset();
  if (sink.cancelled()) return ok_status();
  std::vector<std::unique_ptr<xla::Records>> all;
  all.push_back(std::move(records));
  xla::finish(std::move(all), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"devices", "streams",     "threads", "steps", "kernels",     "copies",
                                         "memsets", "annotations", "api",     "comms", "python_calls"};

}  // namespace

extern const Adapter xla_xplane;
const Adapter xla_xplane{
    .id = "xla-xplane",
    .title = "XLA profiler's xplane.pb (JAX, TensorFlow): kernels and copies by stream, runtime calls, steps",
    .example = "host.xplane.pb: XSpace of Protocol Buffers with planes /host:CPU, /device:GPU:0",
    .record = "with jax.profiler.trace('log'): ... with jax.profiler.StepTraceAnnotation('train', step_num=n): step()",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
