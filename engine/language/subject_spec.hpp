// SPDX-License-Identifier: Apache-2.0
// What `for_each:` says: which subjects a rule is judged once for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>

namespace kdiag {

enum class SubjectKind : std::uint8_t { run, rank, device, stream, step, thread, kernel, op, function, group };

/// The words of `for_each:`, by SubjectKind.
const std::vector<std::string_view>& subject_kinds();
std::optional<SubjectKind> subject_kind(std::string_view name);
std::string_view name_of(SubjectKind kind);

/// The run, each row of a table, or each group of rows of a table that agree in some columns.
///
/// Example: `for_each: kernel` is {kernel, kernel_stats, {name, device}}; `for_each: kernels group by (class)` is
/// {group, kernels, {class}}; `for_each: group` alone means process groups, {group, comms, {group}}.
struct SubjectSpec {
  SubjectSpec(SubjectKind kind = SubjectKind::run);  // NOLINT(google-explicit-constructor): the kind says it all
  static SubjectSpec groups(TableId table, std::vector<ColumnId> keys);

  SubjectKind kind = SubjectKind::run;
  TableId table;               ///< whose rows are the subjects; none for the run
  std::vector<ColumnId> keys;  ///< of kernel, op, function and group: what tells one from another

  bool grouped() const { return !keys.empty(); }
  /// The key that refers to rows of a table, if any: `devices`.
  std::optional<ColumnId> key_to(std::string_view target) const;
  /// Whether each subject lies on one device, or in one rank.
  bool has_device() const;
  bool has_rank() const;

  /// As one writes it: "device", "kernels group by (class)".
  std::string text() const;
  /// Many of them, for messages: "devices", "groups of kernels".
  std::string plural() const;

  friend bool operator<(const SubjectSpec& a, const SubjectSpec& b);
  friend bool operator==(const SubjectSpec&, const SubjectSpec&) = default;
};

}  // namespace kdiag
