// SPDX-License-Identifier: Apache-2.0
// Tables of nvprof, as text or CSV: what their columns are, and their rows as reports of `nsys stats` have them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/nvidia/nsys/stats_report.hpp"

namespace kdiag::adapters::nvprof {

/// A unit of nvprof as kdiag spells it: its KB are 1024 bytes.
std::string binary_unit(std::string_view unit);

/// A row in the words of `nsys stats`.
struct ReportRow {
  const nsys::StatsReport* report;
  std::vector<std::string> cells;
};

class Table {
 public:
  enum class Kind : std::uint8_t { summary, gpu_trace, api_trace };

  /// Nothing when the cells are no header.
  static std::optional<Table> parse(std::span<const std::string_view> cells);

  Kind kind() const { return kind_; }
  std::size_t columns() const { return names_.size(); }
  /// Whether a summary has a column of types.
  bool states_type() const { return !names_.empty() && names_.front() == "Type"; }
  /// Whether the columns alone tell whose table it is.
  bool is_of_nvprof() const;
  /// Takes the line below the header of a CSV table, which has the units; false for any other line.
  bool take_units(std::span<const std::string_view> cells);

  /// Whether a row of a summary is of work on the device. Tables before CUDA 9 have no column of types: there calls of
  /// the runtime are told by their names.
  bool is_of_device(std::span<const std::string_view> cells, std::string_view type) const;
  /// What a row says. Of summaries: `type` is what the row is of, where it does not say so itself. Nothing for lines
  /// that are no rows, and for types that have no place among the facts (K639).
  std::optional<ReportRow> row(std::span<const std::string_view> cells, std::string_view type, FactSink& sink);

 private:
  using Cells = std::span<const std::string_view>;
  std::string_view cell(Cells cells, std::string_view name) const;
  std::string time(Cells cells, std::string_view name) const;
  std::string calls(Cells cells) const;
  std::string bytes(Cells cells) const;
  std::string device(std::string_view text, FactSink& sink);
  std::optional<ReportRow> summary(Cells cells, std::string_view type, FactSink& sink) const;
  std::optional<ReportRow> work(Cells cells, FactSink& sink);
  std::optional<ReportRow> call(Cells cells) const;

  Kind kind_ = Kind::summary;
  std::vector<std::string> names_, units_;
  std::vector<std::string> cut_devices_;  ///< whose numbers are not printed
};

}  // namespace kdiag::adapters::nvprof
