// SPDX-License-Identifier: Apache-2.0
// What a comparison of two runs says of them, as Markdown report and as CSV.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/generic/latencyprism/device_clocks.hpp"

namespace kdiag::adapters {

/// The header of the table of functions: `β_normal(%)` and its like name the runs, the one that is held for good first.
class ComparisonHeader {
 public:
  static std::optional<ComparisonHeader> parse(std::span<const std::string_view> names);

  enum class Meaning : std::uint8_t {
    text,
    number,
    share,   ///< a number in percent
    change,  ///< follows from the columns beside it
    unknown
  };
  struct Column {
    Meaning meaning = Meaning::unknown;
    ColumnId fact;
    std::string name;
  };
  const std::vector<Column>& columns() const { return columns_; }
  const std::array<std::string, 2>& runs() const { return runs_; }

 private:
  std::vector<Column> columns_;
  std::array<std::string, 2> runs_;
};

/// Collects both runs of a comparison and hands them over: first the one held for good, then the one compared with it,
/// which has the table of functions.
class ComparedRuns {
 public:
  explicit ComparedRuns(FactSink& sink) : sink_(sink) {}

  /// Begins the table of functions.
  void set_header(ComparisonHeader header);
  const ComparisonHeader* header() const { return header_ ? &*header_ : nullptr; }
  /// A row of the table of functions, with as many cells as its header.
  void add_row(std::span<const std::string_view> cells);

  /// Names a run where the table of functions has not done so.
  void set_name(std::size_t side, std::string_view name) { names_.at(side) = name; }
  /// The length of a cycle. Reports sort cycles by length: when they ran is not known.
  void add_cycle(std::size_t side, std::int64_t dur_ns);

  /// Hands both runs over, if there is anything to say of them. `number` counts the comparisons of the input from 1.
  void submit(std::size_t number);

 private:
  struct Side {
    Batch batch;
    DeviceClocks clocks;
    std::vector<std::int64_t> cycles;  ///< their lengths, ns
  };

  std::string_view text_of(std::span<const std::string_view> cells, ColumnId fact) const;
  std::optional<double> number_of(const ComparisonHeader::Column& column, std::string_view cell);

  FactSink& sink_;
  std::optional<ComparisonHeader> header_;
  std::array<std::string, 2> names_ = {"normal", "abnormal"};
  std::array<Side, 2> sides_;
  std::set<std::string, std::less<>> devices_;
};

}  // namespace kdiag::adapters
