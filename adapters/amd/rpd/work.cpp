// SPDX-License-Identifier: Apache-2.0
// What devices did: kernels, copies, fills.
#include <string>
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "adapters/amd/rpd/tables.hpp"

namespace kdiag::adapters::rpd {
namespace {

using amd::Times;

constexpr std::string_view work_table = "rocpd_op";
constexpr std::string_view counter_table = "rocpd_counter";

enum class Kind : std::uint8_t { kernel, copy, fill, other };

/// "KernelExecution", "CopyHostToDevice", "FillBuffer" of roctracer; "MEMORY_COPY_HOST_TO_DEVICE" of rocprofiler;
/// "ConcurrentKernel", "Memcpy", "Memset" of CUPTI.
Kind kind_of(std::string_view type) {
  const auto has = [type](std::string_view part) { return type.find(part) != type.npos; };
  if (has("Kernel")) return Kind::kernel;
  if (has("Copy") || has("COPY") || has("Memcpy") || has("_TO_")) return Kind::copy;
  return has("Fill") || has("Memset") ? Kind::fill : Kind::other;
}

/// The direction that a call asked for, as hipMemcpyKind and cudaMemcpyKind number it.
std::string_view requested_direction(const CopyRequest* request) {
  constexpr std::string_view names[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice"};
  if (request == nullptr || !request->kind || *request->kind < 0 || *request->kind > 3) return {};
  return names[*request->kind];
}

/// Where a piece of work ran, and the call that asked for it.
struct Origin {
  Number device, queue, call;
};

class Reader {
 public:
  explicit Reader(Session& session)
      : session_(session), events_(session.events), counted_(session.database.has_rows(counter_table)) {}

  void read() {
    if (counted_) note_counters();
    if (session_.source == Source::rocprofiler) find_kernel_devices();
    enum Place : int { id, gpu, queue, sequence, start, end, description, type };
    Query rows = session_.database.select(
        work_table, {"id", "gpuId", "queueId", "sequenceId", "start", "end", "description_id", "opType_id"});
    const Place stream = session_.source == Source::cupti ? sequence : queue;  // a queue is a context there
    while (rows.next() && events_.begin_record()) {
      const std::string_view type_name = session_.strings(rows.integer(type));
      const Kind kind = kind_of(type_name);
      if (kind == Kind::other) {
        events_.sink.note(note_id::unknown_kind, "operation " + std::string(type_name));
        continue;
      }
      const auto when = events_.times(rows.integer(start), rows.integer(end), work_table);
      if (!when) continue;
      const Origin origin{rows.integer(gpu), rows.integer(stream),
                          session_.launches.call_of(rows.integer(id).value_or(-1))};
      if (kind == Kind::kernel) add_kernel(session_.strings(rows.integer(description)), origin, *when);
      else if (kind == Kind::copy) add_copy(type_name, origin, *when);
      else events_.add(amd::Fill{origin.device, origin.queue, *when, origin.call});
    }
  }

 private:
  /// Kernels ran one at a time so that their counters could be read.
  void note_counters() {
    events_.sink.note(note_id::serialised_kernels);
    Query rows = session_.database.select(counter_table, {"name_id"});
    while (rows.next()) events_.sink.note(note_id::unknown_counter, session_.strings(rows.integer(0)));
  }

  /// This source states the device of kernels only; of copies it writes 0.
  void find_kernel_devices() {
    Query rows = session_.database.select(work_table, {"gpuId", "opType_id"});
    while (rows.next())
      if (const Number device = rows.integer(0); device && kind_of(session_.strings(rows.integer(1))) == Kind::kernel)
        session_.devices.insert(*device);
  }

  void add_kernel(std::string_view name, const Origin& origin, const Times& when) {
    amd::Dispatch kernel{.name = name,
                         .device = origin.device,
                         .queue = origin.queue,
                         .start = counted_ ? Number() : when.start,
                         .dur = when.dur,
                         .correlation = origin.call};
    if (const KernelLaunch* launch = session_.launches.kernel(origin.call))
      session_.launches.set_shape(kernel, *launch);
    if (origin.device) session_.devices.insert(*origin.device);
    events_.add(kernel);
  }

  void add_copy(std::string_view type, const Origin& origin, const Times& when) {
    const CopyRequest* request = session_.launches.copy(origin.call);
    amd::Copy copy{.direction = type == "Memcpy" ? requested_direction(request) : type,
                   .device = origin.device,
                   .queue = origin.queue,
                   .when = when,
                   .correlation = origin.call};
    if (session_.source == Source::rocprofiler) {
      copy.device = session_.devices.size() == 1 ? Number(*session_.devices.begin()) : std::nullopt;
      copy.queue = std::nullopt;
    } else if (origin.device) {
      session_.devices.insert(*origin.device);
    }
    if (request != nullptr) {
      copy.bytes = request->bytes;
      copy.source = request->source;
      copy.destination = request->destination;
    }
    events_.add(copy);
  }

  Session& session_;
  amd::Events& events_;
  bool counted_;
};

}  // namespace

void read_work(Session& session) { Reader(session).read(); }

}  // namespace kdiag::adapters::rpd
