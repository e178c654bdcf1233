// SPDX-License-Identifier: Apache-2.0
// Groups of rows as subjects: which there are in a run, and which rows of other tables belong to each.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/facts/fact_store.hpp"
#include "engine/language/subject_spec.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// The table of the single events that a table of totals adds up by name, such as `kernels` of `kernel_stats`; not
/// valid for other tables.
TableId events_of(TableId totals);

/// The rows that a grouped spec tells apart by its keys, in the order of their first rows. A row whose name is not
/// known belongs to no group; one of an unknown device or rank makes a group with others of its name without one.
///
/// Other tables follow by the keys that are no devices or ranks (RunContext narrows by those): the totals of the same
/// things by the same columns (`kernels` and `kernel_stats`), and tables that refer to either by what they refer to
/// (`comms` by their kernel, `kernels` by their operator). Safe to use from several threads.
class SubjectGroups {
 public:
  /// The store must outlive it. `rows`: those of the spec's table that are judged; null: all of them.
  SubjectGroups(const FactStore& store, const SubjectSpec& spec, const RowList& rows);

  /// Whether a row belongs to a group even when this key of it is not known: devices and ranks.
  static bool optional(ColumnId key);

  const SubjectSpec& spec() const { return spec_; }
  std::size_t size() const { return rows_.size(); }
  /// The rows of the spec's own table, ascending; at least one.
  const RowList& own_rows(std::uint32_t group) const { return rows_[group]; }

  /// Whether a table's rows are told apart by these keys.
  bool narrows(TableId table) const { return !places_in(table).empty(); }
  /// The column by which a table would be narrowed and that this run does not record.
  std::optional<ColumnId> missing_in(TableId table) const;
  /// The rows of a table that narrows() and of which nothing is missing, ascending; empty when there are none.
  RowList rows(TableId table, std::uint32_t group) const;

 private:
  /// Where a table says what a key says: a column of its own, or of the row that a reference leads to.
  struct Place {
    std::optional<ColumnId> reference;
    ColumnId column;
  };
  using Key = std::vector<std::uint64_t>;

  std::vector<Place> places_in(TableId table) const;
  /// The key of a row; nothing when a part of it is not known.
  std::optional<Key> key_at(const std::vector<Place>& places, std::uint32_t row) const;

  const FactStore& store_;
  const SubjectSpec spec_;
  std::vector<RowList> rows_;  ///< of the spec's table, by group
  std::vector<Key> names_;     ///< the keys that other tables follow, by group
  mutable std::mutex mutex_;   ///< of what follows
  mutable std::map<std::uint16_t, std::map<Key, RowList>> index_;
};

}  // namespace kdiag
