// SPDX-License-Identifier: Apache-2.0
// What an expression evaluates to. Every value can be unknown, with causes; numbers and interval sets are ranges
// when the data behind them is partial.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <kdiag/variant.hpp>

#include "base/intervals.hpp"
#include "base/number.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/language/type.hpp"

namespace kdiag {

/// Why a value is not known. `fact` names what was not recorded ("devices.sm_clock_avg", "samples:sm_clock",
/// "kernels") and is empty for other reasons (empty input, division by zero, no baseline).
struct Cause {
  std::string fact;
  std::string reason;
  std::string instead_of = {};  ///< the fact without which this one would do, too; empty: it is needed
  friend bool operator==(const Cause&, const Cause&) = default;
  bool says_the_same(const Cause& other) const { return fact == other.fact && reason == other.reason; }
};
using Causes = std::vector<Cause>;
/// Adds those of `more` that are not there yet. What one of them needs is needed.
void merge_causes(Causes& into, const Causes& more);
/// Adds the causes of one more source of what `into` lacks: any of the two would do.
void merge_alternative(Causes& into, Causes more);

struct Unknown {
  Causes causes;
};

/// A number between two ends (equal when all data is known). Ends may be infinite: open.
struct Range {
  Number low, high;
  bool exact() const { return low == high; }
};

/// A set of time between two ends: `low` is surely in it, nothing outside `high` can be.
struct TimeRange {
  std::shared_ptr<const IntervalSet> low, high;
  bool exact() const { return low == high || *low == *high; }
  static TimeRange of(IntervalSet set) {
    auto shared = std::make_shared<const IntervalSet>(std::move(set));
    return {shared, shared};
  }
};

/// Values of one expression for many rows. Strings and references are ids (absent_index: unknown), booleans 0, 1
/// or 2 (unknown), integers and reals with their absent values.
struct RowValues {
  Variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::uint32_t>, std::vector<std::uint8_t>> data;
  Causes causes;  ///< behind the unknown ones
};
inline constexpr std::uint8_t tri_false = 0;
inline constexpr std::uint8_t tri_true = 1;
inline constexpr std::uint8_t tri_unknown = 2;

/// A table that `group by` or `select` made: columns as in its schema.
struct DerivedTable {
  std::shared_ptr<const Schema> schema;
  std::size_t rows = 0;
  std::vector<RowValues> columns;
};

using RowList = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Rows of a table: those that surely belong to it, and those whose predicate is unknown.
struct TableRows {
  TableId base{};                               ///< of catalogue tables
  std::shared_ptr<const DerivedTable> derived;  ///< of derived ones
  RowList rows;                                 ///< null: every row of the table
  RowList maybe;                                ///< null: none
  std::size_t total = 0;                        ///< rows of the underlying table
  double coverage = 1;                          ///< share of the input whose predicate is known
  bool open = false;                            ///< rows were lost while the trace was written or read
  bool complement = false;                      ///< rows are what others leave: lost events make them fewer, not more
  Causes causes;                                ///< behind `maybe` and `open`
  std::size_t left_out = 0;  ///< rows that `top` did not take; of its result and what selects from it
  std::size_t size() const { return rows ? rows->size() : total; }
};

/// Samples of one series on one device; each value holds until the next.
struct Series {
  std::string name;
  std::vector<std::pair<Interval, double>> spans;  ///< sorted, disjoint
  bool aligned = true;                             ///< its clock compares with that of the run's events
  Dimension dimension;
};

struct RowRef {
  TableId table{};
  std::uint32_t row = absent_index;
  friend bool operator==(RowRef, RowRef) = default;
};

/// A claim of time: an amount between two ends, and the set of it when known.
struct Claim {
  Range amount;
  std::shared_ptr<const IntervalSet> intervals;  ///< null for plain durations
};

struct Value;
using List = std::vector<Value>;

class Regex;
using RegexPtr = std::shared_ptr<const Regex>;

struct Value {
  std::variant<Unknown, bool, std::string, RegexPtr, Range, List, TableRows, RowRef, Series, TimeRange, Claim> data;
  /// Lowest share of known data among what it was computed from.
  double coverage = 1;
  /// Columns it was computed from, sorted, without repetition.
  std::vector<std::uint16_t> columns;
  /// What is not known of the data behind it: why the ends of a range differ.
  Causes doubts;
  /// Whether it rests on the baseline run, too.
  bool compared = false;

  bool known() const { return data.index() != 0; }
  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  const Causes& causes() const {
    static const Causes none;
    const auto* unknown = as<Unknown>();
    return unknown ? unknown->causes : none;
  }
};

Value unknown(Causes causes);
Value unknown_fact(std::string fact, std::string reason = "not recorded");
Value unknown_reason(std::string reason);
inline Value of(Number number) { return {.data = Range{number, number}}; }
inline Value of(Range range) { return {.data = range}; }
inline Value of(bool value) { return {.data = value}; }
inline Value of(std::string value) { return {.data = std::move(value)}; }
inline Value of(RegexPtr value) { return {.data = std::move(value)}; }

/// Why the ends of some values differ: their doubts; where none were noted, that the data is partial.
Causes doubts_of(std::initializer_list<const Value*> values);

/// Takes over what `from` rests on: its columns and doubts, its coverage when lower, and whether it was compared.
void inherit(Value& into, const Value& from);

}  // namespace kdiag
