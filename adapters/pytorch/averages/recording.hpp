// SPDX-License-Identifier: Apache-2.0
// Tables of one recording of torch.profiler, added up and written as facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/pytorch/averages/table.hpp"
#include "adapters/rows/stated_shares.hpp"

namespace kdiag::adapters::averages {

/// The rows of a table, and the totals below it.
struct Table {
  struct Row {
    std::string name;
    Totals totals;
  };
  std::string device;  ///< as in its header
  std::vector<Row> rows;
  std::optional<std::int64_t> host_total, device_total;
  StatedShares host_shares, device_shares;
  bool derived = false;  ///< a total was not printed

  /// Takes totals that were not printed from the shares that rows state.
  void derive_totals();

  /// Tables of one recording in another order have the same totals, as printed, or where those are missing the same
  /// rows.
  bool same_recording(const Table& other) const;
  /// Whether all totals are there: they end what is printed.
  bool complete() const { return host_total && (device.empty() || device_total); }

 private:
  /// Whether nearly all rows whose names both have took exactly as long.
  bool has_rows_of(const Table& other) const;
};

class Recording {
 public:
  explicit Recording(FactSink& sink) : sink_(&sink) {}

  void add(Table table);
  /// The one that was added last; there is one.
  const Table& last() const { return tables_.back(); }

  /// Hands over the run. Rows of a name are added up: they differ in the shapes of their inputs; not those of kernels
  /// whose names are cut. What an earlier table said is not added (K637). Rows that row_limit left out are noted: K782
  /// of the host, K778 of the device, K777 where it has no row at all. Launches without any work of the device are
  /// noted, too (K628).
  void submit(std::string label);

 private:
  struct Entry {
    Subject subject;
    std::string name;
    Totals totals;
    std::size_t table;  ///< the first that has it
  };

  void classify();
  void write(Batch& batch, const Entry& entry);
  void write_device(Batch& batch) const;
  void write_totals(Batch& batch) const;
  bool has_self_times() const;
  double time_of(std::initializer_list<Subject> subjects, std::optional<std::int64_t> Totals::*time) const;
  std::int64_t host_time() const;
  std::int64_t profilers_own() const;
  double listed_work() const;
  double device_work() const;
  double ranges_in_total() const;
  double ranges_and_steps() const;
  bool too_many_rows_missing(double rest) const;
  void find_ranges_of_their_own();
  void find_ranges_beyond_total();
  bool host_rows_missing() const;
  bool operators_have_the_rest() const;
  void write_rest(Batch& batch);
  bool ranges_among_kernels() const;
  bool device_missing() const;

  FactSink* sink_;
  std::vector<Table> tables_;
  std::vector<Entry> entries_;
  std::map<std::pair<Subject, std::string>, std::size_t> places_;
  std::string device_;
  std::optional<std::int64_t> host_total_, device_total_;
};

}  // namespace kdiag::adapters::averages
