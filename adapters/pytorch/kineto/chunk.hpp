// SPDX-License-Identifier: Apache-2.0
// What one chunk of events becomes: rows, and what can only be settled once the whole file was read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/io/kept_records.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/pytorch/kineto/event.hpp"
#include "adapters/rows/numbered.hpp"
#include "base/text_hash.hpp"

namespace kdiag::adapters::kineto {

/// A host thread or a stream: two numbers of the input.
using Key = std::pair<std::int64_t, std::int64_t>;  ///< (process, thread) or (device, stream)

/// A `ProfilerStep#N` range of one thread.
struct StepRange {
  std::int64_t index = 0;
  std::int64_t start = 0;
  std::int64_t dur = 0;
};

/// A Python call, kept out of the tables: a trace may hold a million.
struct PythonEvent {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint32_t thread = 0;  ///< index into Chunk::threads
  std::uint32_t name = 0;    ///< index into Chunk::python_names
};

/// An operator that waits for its Python frame.
struct OpMoment {
  std::int64_t start = 0;
  std::uint32_t row = 0;
  std::uint32_t thread = 0;
};

/// The number that a call and the work it starts have in common.
struct WorkId {
  std::int64_t number = 0;
  bool external = false;  ///< the event states none but the number of an operator, perhaps
};

/// What a HIP call says of the work it starts; roctracer's device events lack it.
struct CallDetails {
  WorkId id;
  std::int64_t bytes = absent_integer;
  Dim3 grid = {}, block = {};  ///< in blocks; x of 0: not stated
  bool work_items = false;     ///< the call, and so the device's event, states the grid in work-items
};

/// A kernel without grid, or a copy without size.
struct Undetailed {
  WorkId id;
  Row row;
};

/// A kernel that states its grid, perhaps in work-items.
struct Shaped {
  WorkId id;
  Row row;
  Dim3 grid, block;
};

/// A row of an event that states an external id and no correlation.
struct ExternalOnly {
  Row row;
  ColumnId correlation, external;
  std::int64_t id = 0;
  bool launch = false;  ///< it is a call that starts work
};

/// Fills a batch from events in order. Not thread-safe: every chunk has its own; sink and classes are shared.
class Chunk {
 public:
  Chunk(FactSink& sink, KernelClasses& classes) : sink_(&sink), classes_(&classes) {}

  void add(const Event& event);
  /// No event comes any more: forgets what it remembered to add them faster, which is as large as a third of the rows.
  void close();
  /// What it keeps beside the batch until all events are known.
  Kept kept() const;

  /// Rows of devices and streams that events name, by id and by (device, stream).
  const std::map<std::int64_t, Row>& devices() const { return device_rows_; }
  const std::map<Key, Row>& streams() const { return stream_rows_; }
  Row device(std::int64_t id);
  /// Row of the thread with an index into `threads`; absent when no row names it.
  Row thread_row(std::uint32_t index) const { return thread_rows_[index]; }
  /// As thread_row, which it makes where there is none.
  Row thread(std::uint32_t index);

  Batch batch;
  std::vector<Key> threads;  ///< by the index that PythonEvent and OpMoment use
  std::vector<StepRange> steps;
  std::vector<PythonEvent> python;
  Numbered python_names;
  std::vector<OpMoment> ops;
  /// Allocations and the device that each names; which row that is depends on the whole file.
  std::vector<std::pair<Row, std::int64_t>> allocation_devices;
  std::vector<std::pair<Row, ColumnId>> zero_starts;  ///< rows that state time 0
  std::vector<CallDetails> call_details;
  std::vector<Undetailed> undetailed;
  std::vector<Shaped> shaped;
  std::vector<ExternalOnly> external_only;
  std::map<Key, std::string> thread_names;  ///< of threads and of streams
  DeviceMaker maker;                        ///< what categories and calls say
  std::int64_t earliest = absent_integer;   ///< first start other than 0, relative to the base time
  bool calls = false;                       ///< a runtime call was recorded
  bool correlated = false;                  ///< an event states its correlation
  bool launches = false;                    ///< one that hands work to a device
  bool of_paddle = false;                   ///< an event is in the dialect of PaddlePaddle

 private:
  /// What depends on a kernel's or a call's name alone, by the index of the name's text in the batch.
  struct KernelName {
    Text kind, op, algorithm;
    bool communication = false;
  };
  struct CallName {
    Text base;
    bool launch = false, blocking = false;
  };
  /// The columns that kernels, copies and fills have in common.
  struct WorkColumns {
    TableId table;
    ColumnId start, dur, device, stream, correlation, external;
  };
  struct Work {
    Row row;
    std::optional<WorkId> id;
  };
  struct Times {
    std::int64_t start = 0;
    std::int64_t dur = 0;
  };
  /// Where a range lies.
  enum class Place : std::uint8_t { none, thread, device };

  // device_events.cpp
  void add_kernel(const Event& event);
  void add_copy(const Event& event);
  void add_memset(const Event& event);
  void add_device_range(const Event& event);
  void add_collective(const Event& event, Row kernel, const KernelName& known);
  void set_launch_shape(const Event& event, Row row, const std::optional<WorkId>& id);
  Work device_work(const Event& event, const WorkColumns& columns);
  std::optional<std::int64_t> device_id(const Event& event) const;
  Row stream(std::int64_t device_id, std::int64_t id);
  /// Sets the device and stream that an event on a device's row names.
  void set_place(const Event& event, Row row, ColumnId device_column, ColumnId stream_column);
  KernelName& kernel_name(Text name, std::string_view text);

  // host_events.cpp
  void add_op(const Event& event);
  void add_inputs(const Event& event, Row row, Token dims);
  Text input_list(Token list);
  void add_call(const Event& event);
  void add_call_details(const Event& event, WorkId id, std::string_view call);
  void add_host_range(const Event& event);
  void add_range(const Event& event, std::string_view kind, Place place);
  void add_python_call(const Event& event);
  void add_allocation(const Event& event);
  void add_thread_name(const Event& event);
  CallName& call_name(Text name, std::string_view text);
  /// The kind of range that an operator is; "user": of none.
  std::string_view op_kind(Text name, std::string_view text);
  Row stack(Token token);

  // collectives.cpp
  /// Whether the event's arguments describe a transfer; a wait is none.
  bool names_collective(const Event& event);
  void describe_collective(const Event& event, Row comm);

  // counters.cpp
  void add_counter(const Event& event);

  // chunk.cpp
  void add_plain(const Event& event);
  /// Sets what an event states of which call is whose; nothing where it is no number.
  std::optional<WorkId> set_work_id(const Event& event, Row row, ColumnId correlation, ColumnId external, bool launch);
  /// Times of a host event; nothing (and a note) when they are missing, malformed or negative.
  std::optional<Times> host_times(const Event& event);
  void set_start(Row row, ColumnId column, std::int64_t start);
  void see_back_end(const Event& event) {
    if (maker.vendor.empty()) maker = maker_of_category(decode(event.cat, scratch_));
  }
  std::uint32_t thread_index(const Event& event);
  Row thread(const Event& event);
  Text name(Token token) { return batch.text(decode(token, scratch_)); }
  void set_integer(Row row, ColumnId column, Token token);

  FactSink* sink_;
  KernelClasses* classes_;
  std::string scratch_;
  std::map<Key, std::uint32_t> thread_ids_;
  std::vector<Row> thread_rows_;
  std::string last_process_, last_thread_;  ///< as the last event wrote them: the next one mostly has the same
  std::optional<std::uint32_t> last_thread_index_;
  std::map<std::int64_t, Row> device_rows_;
  std::map<Key, Row> stream_rows_;  // by device id and stream id
  using Stacks = std::unordered_map<std::string, Row, TextHash, std::equal_to<>>;
  /// What names and texts of the input came to before.
  struct Memory {
    std::vector<KernelName> kernel_names;
    std::vector<CallName> call_names;
    std::vector<std::string_view> op_kinds;
    Stacks stacks;
    const Stacks::value_type* last_stack = nullptr;  ///< three in four operators have that of the one before
    std::unordered_map<std::string, Text, TextHash, std::equal_to<>> input_lists;  ///< by what the input has
  };
  Memory memory_;
};

/// A grid that is stated in work-items.
Dim3 in_blocks(const Dim3& work_items, const Dim3& block);
/// Grid and block of a kernel, from its own event or from its launch.
void set_launch(Batch& batch, Row kernel, const Dim3& grid, const std::optional<Dim3>& block);

}  // namespace kdiag::adapters::kineto
