// SPDX-License-Identifier: Apache-2.0
// Rows of facts from slices and stages, in batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/google/perfetto/places.hpp"
#include "adapters/google/perfetto/slices.hpp"
#include "adapters/google/perfetto/trace.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/rows/call_rows.hpp"

namespace kdiag::adapters::perfetto {

class Rows {
 public:
  Rows(const Trace& trace, const std::vector<Place>& places, FactSink& sink);

  /// What an event of this kind is, on its track. `groups`: it has others inside.
  void add(const Slice& slice, std::uint32_t track, bool groups);
  void add(const Stage& stage, bool groups);
  void add(const Sample& sample);
  void add_gpus();
  /// States that the trace records this table.
  void declare(TableId table) { batch_.declare(table); }

  bool guessed(std::uint32_t track) const { return guessed_[track]; }
  /// To be called once, behind the last row. Returns the number of the next batch.
  std::uint64_t finish();

 private:
  /// Where and when work of a device ran.
  struct Work {
    std::int64_t start = 0, dur = 0;
    std::optional<std::int64_t> device, queue;
    std::uint32_t queue_name = none;
    std::int64_t correlation = absent_integer;
    bool amd = false;
  };
  struct Columns {
    TableId table;
    ColumnId start, dur, device, stream, correlation;
  };
  // Rows of the batch that most events share with the one before; without index where there was none.
  struct LastThread {
    std::uint32_t track = none;
    std::int64_t stated = absent_integer;
    Row row;
  };
  struct LastQueue {
    std::optional<std::int64_t> device, queue;
    std::uint32_t queue_name = none;
    bool amd = false;
    Row on, stream;

    bool is_of(const Work& work) const {
      return on.index != absent_index && device == work.device && queue == work.queue &&
             queue_name == work.queue_name && amd == work.amd;
    }
  };

  void add_annotation(const Slice& slice, std::uint32_t track);
  void add_step(const Slice& slice);
  void add_op(const Slice& slice, std::uint32_t track);
  void add_call(const Slice& slice, std::uint32_t track);
  void add_dispatch(const Slice& slice, std::uint32_t track);
  void add_agent_copy(const Slice& slice, std::uint32_t track);
  void add_guessed_work(const Slice& slice, std::uint32_t track);
  void add_own_work(const Slice& slice, std::uint32_t track);
  Work work_of_row(const Slice& slice, std::uint32_t track) const;

  /// Work that is a copy or a fill if its name says so, else a kernel: the row, of either table.
  Row add_named_work(const Work& work, std::string_view name);
  Row add_kernel(const Work& work, std::string_view name);
  Row add_memset(const Work& work);
  Row add_copy(const Work& work, const CopyName& copy);
  Row add_work(const Work& work, const Columns& columns);
  void add_launch(Row kernel, const Stage& stage);
  Row device(const Work& work);
  Row thread(std::uint32_t track, std::int64_t stated);
  Text text(std::uint32_t index);
  const Details& details(const Slice& slice) const;
  void submit_when_full();
  void submit();

  const Trace& trace_;
  const std::vector<Place>& places_;
  FactSink& sink_;
  KernelClasses classes_;
  Batch batch_;
  std::unordered_map<std::uint32_t, Text> texts_;       ///< of the batch
  std::unordered_map<std::uint32_t, NamedCall> calls_;  ///< of the batch, by the names of their slices
  LastThread last_thread_;
  LastQueue last_queue_;
  std::optional<std::int64_t> only_agent_;  ///< device of all kernels of AMD's profilers
  std::vector<bool> guessed_;               ///< tracks whose slices became work because of their names
  std::size_t rows_in_batch_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace kdiag::adapters::perfetto
