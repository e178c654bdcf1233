// SPDX-License-Identifier: Apache-2.0
// How facts enter: an adapter fills Batches of rows and submits them to a FactSink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/export.hpp>
#include <kdiag/variant.hpp>

namespace kdiag {

// The values that stand for "absent" in storage. Missing is not zero: a column that no row sets is not even stored.
inline constexpr std::int64_t absent_integer = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int32_t absent_small = std::numeric_limits<std::int32_t>::min();
inline constexpr double absent_real = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::uint32_t absent_index = 0xFFFFFFFFU;  // strings, references and booleans

/// The values of one column, one per row, or nothing when no row has any.
/// integer -> int64, small_integer -> int32, real -> double, string/reference/boolean -> uint32.
using ColumnData = Variant<std::monostate, std::vector<std::int64_t>, std::vector<std::int32_t>, std::vector<double>,
                           std::vector<std::uint32_t>>;

/// A row of a batch: of a table, counted from 0 in this batch.
struct Row {
  TableId table;
  std::uint32_t index = absent_index;
};

/// A string of a batch, to be set in many rows without hashing it again.
struct Text {
  std::uint32_t index = absent_index;
};

/// Rows of any tables, with a string dictionary of its own, so that several threads can fill batches without locks.
///
/// Entities (devices, streams, threads, ranks, steps, frames) are rows that are found by key: asking twice for
/// device 0 gives the same row, in a batch and across batches, and what any of them sets is merged (first value
/// wins). A reference column takes such a row, or a row of the same batch. Not thread-safe; movable: what was moved
/// from is an empty batch.
///
/// What does not fit the catalogue or the batch is left out: an id of no table or column, a row or text that the batch
/// has not, a value of another type than the column's. Who takes the batch over then says what the first such mistake
/// was: K762 for an adapter of the host, K221 for a FactsBuilder.
///
/// Example:
///     Batch batch;
///     Row kernel = batch.add(table("kernels"));
///     batch.set(kernel, column("kernels.name"), batch.text("gemm"));
///     batch.set(kernel, column("kernels.dur"), std::int64_t{4192});
///     batch.set(kernel, column("kernels.device"), batch.device(0));
class KDIAG_API Batch {
 public:
  Batch() : Batch(catalogue_hash) {}
  /// Of a program that was compiled with a catalogue of this hash. With another one than that of the library its ids
  /// mean other columns: all that is put in is left out, and what takes the batch over says so.
  explicit Batch(std::uint64_t catalogue);
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  /// Interns a string in the batch.
  Text text(std::string_view value);

  /// Appends a row to a table that is no entity table; of another one a row of no table.
  Row add(TableId table);

  // Entities by key. Without a rank they belong to the input's own rank.
  Row run();  ///< the run's one row
  Row rank(std::int64_t id);
  Row device(std::int64_t id, Row rank = {});
  Row stream(Row device, std::int64_t id);  ///< a row of no table without a device
  Row thread(std::int64_t process, std::int64_t id, Row rank = {});
  /// A source position; `parent` is the caller's frame of this batch, or none. line <= 0 means unknown.
  Row frame(std::string_view file, std::int64_t line, std::string_view function, std::string_view how, Row parent = {});

  // Sets one value. A whole number may stand for a real one; one that does not fit into 32 bits is left out where the
  // column holds such, as is a real one that is not finite. A Row or Text without index is an absent value.
  void set(Row row, ColumnId column, std::int64_t value);
  void set(Row row, ColumnId column, double value);
  void set(Row row, ColumnId column, bool value);
  void set(Row row, ColumnId column, Text value);
  void set(Row row, ColumnId column, std::string_view value) { set(row, column, text(value)); }
  void set(Row row, ColumnId column, const char* value) { set(row, column, text(value)); }
  void set(Row row, ColumnId column, Row value);

  /// Adds to every instant set so far: for inputs that state the origin of their times after the events.
  /// An instant that leaves the range of 64 bits becomes absent.
  void shift_times(std::int64_t ns);

  /// States that the input records this table: without rows it is then empty, not absent.
  void declare(TableId table);

  std::size_t rows(TableId table) const;

  /// What the fact store reads when it takes a batch over. Not for adapters.
  struct Data;
  Data& data();
  const Data& data() const;

 private:
  std::unique_ptr<Data> data_;  // null once moved from, until it is filled again
};

/// How the times of an input relate to the world.
enum class ClockDomain : std::uint8_t {
  none,      ///< no times, or durations only
  unix_ns,   ///< ns since 1970 UTC
  local_ns,  ///< ns since 1970 in a local time zone that the input does not state
  device,    ///< ns since some unknown instant
};

/// What an input says of a run as a whole.
struct RunInfo {
  std::string label;     ///< empty: the file's name stands for it
  std::string producer;  ///< "PyTorch Profiler", "nvidia-smi", ... with version when stated
  ClockDomain clock = ClockDomain::none;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::string host;
  bool telemetry = false;  ///< only samples: joins another input's run
};

/// Where an adapter puts what it reads. Owned by the library; lives as long as the read call.
class KDIAG_API FactSink {
 public:
  virtual ~FactSink() = default;

  /// Describes the run that the following batches belong to. A second call starts another run of the same input.
  /// Not thread-safe: no submit may be in flight.
  virtual void run(RunInfo info) = 0;

  /// Takes rows over. Thread-safe. Rows end up in order of `sequence` (per run, any start, no number twice), so
  /// the result does not depend on which thread was faster.
  virtual void submit(std::uint64_t sequence, Batch batch) = 0;

  /// Counts an oddity of the input. `id` is a K6xx id of engine/facts/note_table.cpp, which holds severity and advice;
  /// `detail` distinguishes cases (a category's name, "byte 5120"); equal (id, detail) are counted together.
  /// Thread-safe.
  virtual void note(std::string_view id, std::string_view detail = {}, std::uint64_t count = 1) = 0;

  /// Counts input records read, for the report. Thread-safe.
  virtual void count_events(std::uint64_t events) = 0;

  /// True once the host asked to stop, or the input brings more than it may: return as soon as possible; what was read
  /// is dropped.
  virtual bool cancelled() const = 0;

  /// Worker threads the adapter may use in all, at least 1.
  virtual unsigned threads() const = 0;

  /// By how much that changed what the adapter keeps beside batches until it can make rows of it: it counts against the
  /// limits of the call, two records as a row. Thread-safe.
  virtual void keeps([[maybe_unused]] std::int64_t records, [[maybe_unused]] std::int64_t bytes) {}

  /// For a thread that the adapter starts and ends, before it makes batches: these count while they are filled, as
  /// those of the thread that called the adapter do. Those of other threads count when they are submitted.
  virtual void enter_thread() {}
};

}  // namespace kdiag
