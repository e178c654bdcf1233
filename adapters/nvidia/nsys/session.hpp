// SPDX-License-Identifier: Apache-2.0
// What the readers of an export's tables share: where facts go, and who did what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

#include "adapters/io/sqlite.hpp"
#include "adapters/nvidia/nsys/gpus.hpp"

namespace kdiag::adapters::nsys {

/// Processes and threads are packed into one number: host and virtual machine << 48, process << 24, thread.
constexpr std::int64_t process_of(std::int64_t global_id) { return (global_id >> 24) & 0xFFFFFF; }
constexpr std::int64_t thread_of(std::int64_t global_id) { return global_id & 0xFFFFFF; }
constexpr std::int64_t global_process(std::int64_t global_id) { return global_id & ~std::int64_t{0xFFFFFF}; }

struct Times {
  std::optional<std::int64_t> start, dur;
};

/// One export while it is read. Not thread-safe.
class Session {
 public:
  using Id = std::optional<std::int64_t>;

  /// `origin`: ns since 1970 at which the capture began; times become absolute with it.
  Session(const Database& database, FactSink& sink, Id origin);

  const Database& database;
  FactSink& sink;
  TextTable strings;  ///< StringIds: texts that occur more than once
  Batch batch;

  /// Counts a row of the export, and hands the batch on once it is large: call it before the row's facts are set.
  /// False once the host asked to stop.
  bool begin_row();
  void submit();

  /// Times of a row from its start and its end; what is no time is absent.
  Times times(Id start, Id end) const;
  /// Times of host work, which is nothing without: what lacks them is noted (K603, K606).
  std::optional<Times> host_times(Id start, Id end, std::string_view what) const;

  /// Rows of the batch for devices as a process numbers them, and as the profiler does.
  Row device(Id global_pid, std::int64_t number);
  Row device_of_gpu(std::int64_t gpu);
  Row thread(std::int64_t global_tid);

  /// A call's number, unique in the whole export: every process counts from 1, so that all but the first one seen get
  /// their place in the upper half. Absent for 0, which marks work without a call.
  Id correlation(Id global_id, Id number);

  /// Describes the devices and names the threads of all rows. Call it last.
  void describe_places();

  /// The MPI rank of the export, when it holds one.
  Id only_rank() const;
  Id origin() const { return origin_; }

 private:
  Row rank(std::int64_t global_id);
  Row device_row(const std::pair<std::int64_t, std::int64_t>& place);

  Id origin_;
  Gpus gpus_;
  std::map<std::int64_t, std::int64_t> ranks_;               ///< MPI ranks by process, when there are several
  std::map<std::int64_t, std::int64_t> process_places_;      ///< in order of appearance
  std::set<std::int64_t> threads_;                           ///< that rows name
  std::set<std::pair<std::int64_t, std::int64_t>> devices_;  ///< that rows name: number, rank
  std::uint64_t sequence_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace kdiag::adapters::nsys
