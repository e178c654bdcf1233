// SPDX-License-Identifier: Apache-2.0
// What the readers of a database's tables share: where facts go, and who did what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include <kdiag/fact.hpp>

#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters::ascend {

using Id = std::optional<std::int64_t>;

struct Times {
  std::int64_t start = 0, dur = 0;
};

/// One database while it is read. All facts go into one batch: tasks refer to the operators that issued them.
class Session {
 public:
  Session(const Database& opened, FactSink& facts);

  const Database& database;
  FactSink& sink;
  TextTable strings;  ///< STRING_IDS: all texts
  Batch batch;

  /// Counts a row of the database. False once the host asked to stop.
  bool begin_row();
  /// Hands the facts on, unless the database holds no records.
  void submit();

  /// Times of a row from its start and its end. A row without them, or with an end before its start, is noted (K603,
  /// K606) and has none.
  std::optional<Times> times(Id start, Id end, std::string_view what) const;

  /// The row of a device, as CANN numbers them.
  Row device(std::int64_t number);
  /// The row of a thread: process << 32 | thread.
  Row thread(std::int64_t global_tid);

  /// Operators by the connections that they issued, for the tasks that have these.
  std::unordered_map<std::int64_t, Row> issuers;

 private:
  std::map<std::int64_t, std::string> models_;  ///< by device
  std::uint64_t rows_ = 0;
};

/// Columns that hold no connection have this instead.
inline constexpr std::int64_t no_connection = 4'294'967'295;

// The tables that become facts. A table that is missing is read as one without rows; one that is there is declared.

/// Framework operators, ranges, steps, garbage collections. To be called before read_tasks.
void read_host_ranges(Session& session);
/// Calls of CANN.
void read_calls(Session& session);
/// Kernels, collectives, copies and fills.
void read_tasks(Session& session);
/// Clocks, memory in use, allocations.
void read_counters(Session& session);

}  // namespace kdiag::adapters::ascend
