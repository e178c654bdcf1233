// SPDX-License-Identifier: Apache-2.0
// Finds the things of one run in another run of the same work; docs/baselines.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// How a thing was found in the other run.
enum class MatchBasis : std::uint8_t {
  none,      ///< it was not
  key,       ///< by what tells it from others: rank and id of a device, the full name of a kernel
  only_one,  ///< each run has one thing of its kind
  position,  ///< by its place among the devices of its model
  family,    ///< by the name of a kernel without sizes (kernel_family)
};

struct Counterpart {
  std::uint32_t row = absent_index;  ///< in the baseline run; of kernel names the id of the string there
  MatchBasis basis = MatchBasis::none;
  explicit operator bool() const { return row != absent_index; }
};

/// How much of the kernel time of a run each way of matching covers, in ns.
struct MatchedTime {
  std::int64_t by_name = 0, by_family = 0, unmatched = 0;
};

/// Where the rows of a run are in the baseline run. No row of the baseline answers for two. Safe to use from several
/// threads. Making it costs a pass over the rows of both runs; a table costs one more when it is first asked for.
///
/// Example:
///     const RunMatch match(abnormal, normal);
///     for (std::uint32_t row = 0; row < abnormal.rows(table("kernel_stats")); ++row)
///       if (const Counterpart before = match.row(table("kernel_stats"), row))
///         slower += abnormal.integer(total, row) - normal.integer(total, before.row);
class RunMatch {
 public:
  /// Both must outlive it. This and row() throw Interrupted once `cancel` is true.
  RunMatch(const FactStore& run, const FactStore& baseline, CancelFlag cancel = nullptr);

  const FactStore& run() const { return run_; }
  const FactStore& baseline() const { return baseline_; }

  /// By id, else the only one of each run.
  Counterpart rank(std::uint32_t row) const { return at(ranks_, row); }
  /// By rank and id, else the only one with work of each run, else by rank and place among the devices of its model
  /// that no key matches; where no model is known, the last one of its rank. A device with work never matches an idle
  /// one.
  Counterpart device(std::uint32_t row) const { return at(devices_, row); }
  /// A kernel's name, as an id of the run's strings: by full name, else by family where it is the only one of its
  /// family on each side that no full name matches.
  Counterpart kernel(std::uint32_t name) const;

  /// Whether rows of a table have a key that says which row of another run is theirs: single events have none.
  static bool has_key(TableId table);
  /// A row of a table with a key: ranks, devices and kernels as above, any other by the columns of its key (names,
  /// kinds, ids) and the devices, ranks and steps they lie on. Rows whose key is not unique match nothing.
  Counterpart row(TableId table, std::uint32_t row) const;

  /// What a row of either run says in some columns, in terms of the baseline's strings and rows: equal keys of the two
  /// runs mean the same thing. Nothing when the baseline has no such string or row.
  using Key = std::vector<std::uint64_t>;
  std::optional<Key> key_in_run(std::span<const ColumnId> columns, std::uint32_t row) const;
  std::optional<Key> key_in_baseline(std::span<const ColumnId> columns, std::uint32_t row) const;

  /// Of the kernel time of the run (kernel_stats.total).
  const MatchedTime& matched_time() const { return matched_time_; }

 private:
  using RowMatches = std::vector<Counterpart>;

  static Counterpart at(const RowMatches& matches, std::uint32_t row) {
    return row < matches.size() ? matches[row] : Counterpart{};
  }
  void match_ranks();
  void match_devices();
  void match_kernels();
  RowMatches match_by_key(TableId table, std::span<const ColumnId> columns) const;
  bool add_to_key(Key& key, ColumnId column, std::uint32_t row, bool in_run) const;

  const FactStore& run_;
  const FactStore& baseline_;
  CancelFlag cancel_;
  RowMatches ranks_, devices_;
  std::unordered_map<std::uint32_t, Counterpart> kernels_;  ///< by id of the run's strings
  MatchedTime matched_time_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint16_t, RowMatches> rows_;  ///< by table
};

/// For each run the baseline run that it is compared with, as an index: the one that shares most ranks with it; of
/// equal ones that at its place when there are as many baselines as runs, else the first. `baselines` must not be
/// empty.
std::vector<std::size_t> pair_runs(std::span<const FactStore* const> runs, std::span<const FactStore* const> baselines);

}  // namespace kdiag
