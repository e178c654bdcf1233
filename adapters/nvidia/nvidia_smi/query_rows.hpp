// SPDX-License-Identifier: Apache-2.0
// Rows of an `nvidia-smi --query-gpu` log, alone or among other output: which GPU and instant they are of.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <kdiag/fact.hpp>

#include "adapters/nvidia/nvidia_smi/gpu_rows.hpp"
#include "adapters/nvidia/nvidia_smi/query_header.hpp"
#include "adapters/text/calendar_time.hpp"

namespace kdiag::adapters {

constexpr std::size_t sniffed_query_lines = 64;  ///< noise that may stand before the header; judgement

/// Whether the fields of one of the first lines pass a test; some noise may stand before what is looked for.
bool any_first_line(std::string_view text, const std::function<bool(std::span<const std::string_view>)>& test,
                    char separator = ',', std::size_t lines = sniffed_query_lines);
/// Whether a value of a script's log shows that a utilization whose name does not say so is in percent.
bool shows_percent(std::string_view text, char separator);
/// What divides the fields of such a log, by its header among the first lines; nothing when there is none. nvidia-smi
/// writes commas, spreadsheets semicolons and tabs.
std::optional<char> query_separator(std::string_view text);

/// Whether one of the first lines is a command of such a log without a header, and a row of as many fields follows.
bool has_rows_below_command(std::string_view text);

/// The name of the column that tells GPUs apart where what should name them does not: rows of the first instant have
/// the same index, uuid or bus id (or none), and another number in that column. Empty when there is none.
std::string naming_column(std::string_view text, char separator);

class QueryRows {
 public:
  /// The table that begins is that of `rows`.
  QueryRows(FactSink& sink, GpuRows& rows) : sink_(sink), rows_(rows) {}

  /// Columns of the rows to come. Notes when they name no time (K662) or no GPU (K663).
  void start_table(QueryHeader table);
  /// Whether a row has as many fields as the header.
  bool complete(std::span<const std::string_view> fields) const { return fields.size() == header().columns().size(); }
  bool names_times() const { return rows_.header().find(QueryRole::timestamp).has_value(); }

  struct Place {
    std::int64_t gpu = 0;
    std::optional<std::int64_t> time;  ///< nothing when the log names none
  };
  /// Where a row belongs; nothing for one that is malformed (K603).
  std::optional<Place> place_of(std::span<const std::string_view> fields);

  /// Whether the times of the rows so far name their zone, and so are UTC. nvidia-smi's own do not.
  bool zoned() const { return zoned_.value_or(false); }

  /// Whether no time of the rows so far could be read, though they have some.
  bool no_time_read() const { return unread_time_ && !zoned_; }

  /// The number of the GPU in a row; nothing when there is none.
  std::optional<std::int64_t> index_of(std::span<const std::string_view> fields) const;

 private:
  const QueryHeader& header() const { return rows_.header(); }
  std::string_view cell(std::span<const std::string_view> fields, QueryRole role) const;
  std::optional<CalendarTime> time_of_own_date(std::string_view text);
  std::optional<std::int64_t> gpu_of(std::span<const std::string_view> fields, std::optional<std::int64_t> time);

  FactSink& sink_;
  GpuRows& rows_;
  std::map<std::string, std::int64_t> numbers_;  ///< of GPUs by uuid or bus id
  std::optional<bool> zoned_;                    ///< of the first time
  bool unread_time_ = false;                     ///< of some row
  std::optional<bool> day_first_;                ///< of dates that begin with the day or the month
  bool assumed_order_ = false;                   ///< so far no date said which
  std::optional<std::int64_t> last_time_;
  std::int64_t place_ = 0;
};

}  // namespace kdiag::adapters
