// SPDX-License-Identifier: Apache-2.0
// The header line of an `nvidia-smi --query-gpu` log: what its columns are called and what facts they hold. hl-smi, for
// Gaudi, writes the same logs with some names of its own (`utilization.aip`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "adapters/names/device_names.hpp"

namespace kdiag::adapters {

/// What a column of the log is for.
enum class QueryRole : std::uint8_t {
  timestamp,
  index,  ///< number of the GPU
  uuid,
  bus_id,
  name,
  sample,  ///< a value of a series
  device,  ///< a property of the GPU, into a column of `devices`
  reason,  ///< one clock event reason, `Active` or `Not Active`
  unused,  ///< known to nvidia-smi, no fact of ours
  unknown,
};

struct QueryColumn {
  std::string name;  ///< as in the header, without unit
  std::string unit;  ///< of values that carry none: the header's, else nvidia-smi's usual
  QueryRole role = QueryRole::unknown;
  std::string_view series = {};  ///< of samples
  ColumnId column = {};          ///< of device properties
  Unit dimension = Unit::none;   ///< of samples and device properties
  std::uint32_t reason = 0;      ///< bit of the mask (formats: 0x1 gpu_idle .. 0x80 hw_power_brake_slowdown)
  int preference = 0;            ///< among columns that hold one fact, the lowest that has a value counts
  std::int64_t since_start = 0;  ///< of times since the start: how many ns their unit has
  bool bare = false;             ///< a script's utilization whose name does not say that it is in percent
};

class QueryHeader {
 public:
  /// Nothing when the fields are no header of such a log: at least one must be a property that only nvidia-smi has.
  /// Understands the names as requested and as printed (`clocks.sm` and `clocks.current.sm`,
  /// `clocks_throttle_reasons.*` and `clocks_event_reasons.*`), with ` [unit]` or without. Of rows that were asked for
  /// with `noheader`, the command that stands above them is the header. A line of a script's own names
  /// (`GPU_Util(%)`, `memory_used_mib`) is one where it has times, the utilization and another value of a GPU; of a
  /// utilization without a unit the caller has to know that it is in percent.
  static std::optional<QueryHeader> parse(std::span<const std::string_view> fields, bool in_percent = false);

  std::span<const QueryColumn> columns() const { return columns_; }
  /// Whether it is the command: what scripts and logs quote, too, without rows below it.
  bool of_command() const { return of_command_; }
  /// Whether a script named the columns. Such a log says nothing of whose tool was asked.
  bool of_script() const { return of_script_; }
  /// Place of a utilization whose name does not say that it is in percent.
  std::optional<std::size_t> bare_utilization() const;
  /// How many ns the unit of times since the start has; 0 where times are dates.
  std::int64_t since_start() const;
  /// Place of the first column of a role; nothing when the log has none.
  std::optional<std::size_t> find(QueryRole role) const { return places_[static_cast<std::size_t>(role)]; }
  /// Whether rows say which GPU they are of.
  bool names_gpus() const { return find(QueryRole::index) || find(QueryRole::uuid) || find(QueryRole::bus_id); }
  /// Takes the number of the GPU from the column of that name; nothing happens where there is none.
  void name_gpus_by(std::string_view column);
  /// The columns of each series and device property, best first.
  std::span<const std::vector<std::size_t>> facts() const { return facts_; }
  bool has_series(std::string_view series) const;
  /// Whose tool has such columns; nobody's known of a script's names.
  DeviceMaker maker() const;
  /// Whether the columns of single reasons can show that nothing slowed the clocks: hardware slowdown (which covers
  /// hardware thermal slowdown and power brake) and software thermal slowdown are both there.
  bool reasons_complete() const;

 private:
  void add_fact(std::size_t index);

  void set_columns(std::vector<QueryColumn> columns);

  bool of_command_ = false;
  bool of_script_ = false;
  std::vector<QueryColumn> columns_;
  std::array<std::optional<std::size_t>, static_cast<std::size_t>(QueryRole::unknown) + 1> places_;
  std::vector<std::vector<std::size_t>> facts_;
};

}  // namespace kdiag::adapters
