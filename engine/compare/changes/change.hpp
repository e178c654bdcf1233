// SPDX-License-Identifier: Apache-2.0
// One row of the table `changes`, and the two runs that it is made of.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <kdiag/changes.hpp>
#include <kdiag/report.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/changes/placed_rows.hpp"
#include "engine/facts/match_runs.hpp"

namespace kdiag {

/// The catalogue says what the columns mean. Times in ns; what is not known is absent, never 0.
struct Change {
  ChangeRowKind kind = ChangeRowKind::kernel;
  std::string name = {};
  std::string group = {};  ///< changes.class
  std::uint32_t device = absent_index, rank = absent_index;
  ChangeBasis basis = ChangeBasis::none;
  ChangePresent present = ChangePresent::unknown;
  std::optional<double> calls = {}, calls_before = {};
  std::optional<double> each = {}, each_before = {};
  std::optional<double> total = {}, total_before = {};
  std::optional<double> share = {}, share_before = {};
  std::optional<double> longer = {}, more = {};  ///< by share, else by each, where they are not set
  std::optional<double> together = {}, slower_names = {};
  std::optional<bool> alike = {};
  std::optional<double> blocks = {}, blocks_before = {};
  std::optional<double> threads = {}, threads_before = {};
  std::optional<double> value = {}, value_before = {};
  std::string missing = {};  ///< the facts for want of which values of the row are not known, by blanks
};

/// A device or rank of the run with its counterpart; both absent where a run states none.
struct ComparedPlace {
  std::uint32_t device = absent_index, device_before = absent_index;
  std::uint32_t rank = absent_index, rank_before = absent_index;
  std::optional<double> repetitions = {};  ///< how many times the work of the counterpart it did
  std::optional<double> wall = {};         ///< ns that are judged there
};

/// The runs that are compared; all must outlive what is made of them.
struct ComparedRuns {
  const FactStore& run;
  const FactStore& baseline;
  const RunMatch& match;
  const PlacedRows& rows;         ///< of the run
  const PlacedRows& rows_before;  ///< of the baseline
  CancelFlag cancel = nullptr;
};

/// "kernels functions": the tables of a list, by blanks, that one of the runs does not record.
std::string not_in_both(const ComparedRuns& runs, std::initializer_list<TableId> tables);

/// A part over the whole; nothing where one is not known or there is no whole.
inline std::optional<double> over(std::optional<double> part, std::optional<double> whole) {
  return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}
inline std::optional<double> times(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a * *b) : std::nullopt;
}

/// Fills share and share_before of a row by its calls and what each takes. `calls`: as many as there are, not rounded.
void set_shares(Change& change, std::optional<double> calls, std::optional<double> whole);

/// Whether something is called about as often as before, so that it may be taken for the same work where nothing else
/// tells: within a tenth (judgement).
inline bool about_as_often(double calls, double before) { return calls < 1.1 * before && calls > 0.9 * before; }

}  // namespace kdiag
