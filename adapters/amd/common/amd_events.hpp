// SPDX-License-Identifier: Apache-2.0
// What AMD's profilers record, as facts, whichever of their formats says it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

#include "adapters/names/kernel_class.hpp"
#include "adapters/rows/step_ranges.hpp"

namespace kdiag::adapters::amd {

using Number = std::optional<std::int64_t>;

struct Times {
  std::int64_t start = 0, dur = 0;
};

struct Thread {
  std::int64_t process = 0, id = 0;
};

/// A kernel that a device ran. Without a start where it says nothing of the program.
struct Dispatch {
  std::string_view name;
  Number device, queue, start, dur, correlation;
  std::array<Number, 3> blocks, threads;
  Number shared_memory, vector_registers, accumulation_registers;
};

struct Copy {
  std::string_view direction;   ///< its name: "MEMORY_COPY_HOST_TO_DEVICE", "CopyDeviceToHost"
  Number source, destination;   ///< agents; hosts share the numbering with devices
  Number device, queue, bytes;  ///< the device where it is stated as such
  Times when;
  Number correlation;
};

struct Fill {
  Number device, queue;
  Times when;
  Number correlation;
};

struct Call {
  std::string_view name;
  Times when;
  std::optional<Thread> thread;
  Number correlation;
};

/// A range that the program named; a mark has the duration 0.
struct Range {
  std::string_view name;
  Times when;
  std::optional<Thread> thread;
};

/// Whether a name is that of a call: "hipMalloc", "__hipPushCallConfiguration", "hsa_signal_wait", "ncclAllReduce".
/// "hip" in front of a small letter begins the name of a kernel, and `ncclDevKernel_...` is one.
bool is_call_name(std::string_view name);

/// Whether a name is that of a packet that makes a queue wait, which v1 lists among the kernels: "<barrier packet>".
bool is_queue_packet(std::string_view name);

/// The name of a kernel as the source has it: without the mark of the kernel descriptor that the loader appends.
std::string_view without_descriptor_mark(std::string_view name);

/// Makes facts of records and hands them on in batches. Not thread-safe.
class Events {
 public:
  explicit Events(FactSink& facts) : sink(facts) {}

  FactSink& sink;
  Batch batch;
  std::string_view vendor = "amd";
  Number rank;  ///< whose devices and threads the next records are of; nothing: the run's own

  /// Counts a record of the input, and hands the batch on once it is large: call it before the record's facts are set.
  /// False once the host asked to stop.
  bool begin_record();

  /// When something ran; nothing, after noting it, where it lacks a time (K603) or ends before it starts (K606).
  std::optional<Times> times(Number start, Number end, std::string_view what);

  Row device(std::int64_t number);
  /// Returns the kernel's row.
  Row add(const Dispatch& dispatch);
  void add(const Copy& copy);
  void add(const Fill& fill);
  void add(const Call& call);
  /// Operators that PyTorch marks are operators; ranges whose names count iterations become steps.
  void add(const Range& range);
  void add_overhead(const Range& range);

  /// Whether calls put work on devices of which nothing was recorded.
  bool work_is_missing() const { return launches_ && !work_; }
  /// Hands on rows that were made elsewhere.
  void hand_on(Batch rows) { sink.submit(sequence_++, std::move(rows)); }
  /// Adds the steps, and hands the last rows on.
  void finish();

 private:
  void annotation(const Range& range, std::string_view kind);
  Row rank_row() { return rank ? batch.rank(*rank) : Row{}; }
  Row thread(const Thread& thread) { return batch.thread(thread.process, thread.id, rank_row()); }
  void set_place(Row row, ColumnId device_column, ColumnId stream_column, Number number, Number queue);

  KernelClasses classes_;
  StepRanges steps_;
  bool launches_ = false;
  bool work_ = false;
  std::uint64_t records_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace kdiag::adapters::amd
