// SPDX-License-Identifier: Apache-2.0
// Tables of totals by name, as rocprof --stats and rocprofv3 --stats write them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/amd/rocprof/columns.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/rows/stated_shares.hpp"

namespace kdiag::adapters::rocprof {

/// Holds the rows of a table until it ends: only its names tell whether it is of the run of the tables before it.
class Totals {
 public:
  explicit Totals(FactSink& sink) : sink_(sink) {}

  /// A row of the table. Totals of whole domains, which hold other rows again, and what is no work are noted.
  void add(const Header& header, std::span<const std::string_view> fields);
  /// Whether a table before it in the run states one of its kernels, calls or copies, too: then it is of another
  /// process or recording.
  bool repeats() const;
  /// Forgets the names of the run that ended.
  void start_run() { names_.clear(); }
  /// Writes the rows of the table, which ends. Where the shares of kernels are of more time than its rows have, the
  /// rest is a row of kernel_stats without a name (K778).
  void end_table(Batch& batch);

 private:
  enum class Subject : std::uint8_t { kernels, calls, copies };
  struct Total {
    Subject subject;
    std::string name;
    std::int64_t calls, total;
    std::optional<std::int64_t> mean, min, max;
  };

  void submit(const Total& row, Batch& batch);

  FactSink& sink_;
  KernelClasses classes_;
  std::vector<Total> rows_;      ///< of the table
  std::int64_t kept_bytes_ = 0;  ///< of these
  StatedShares shares_;
  std::set<std::pair<Subject, std::string>> names_;  ///< of the tables before it in the run
};

}  // namespace kdiag::adapters::rocprof
