// SPDX-License-Identifier: Apache-2.0
#include "engine/language/subject_spec.hpp"

#include <algorithm>

namespace kdiag {
namespace {

TableId table_of(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::run: return {};
    case SubjectKind::kernel: return table("kernel_stats");
    case SubjectKind::op: return table("op_stats");
    case SubjectKind::group: return table("comms");
    default: return find_table(std::string(name_of(kind)) + "s");
  }
}

std::vector<ColumnId> keys_of(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kernel: return {column("kernel_stats.name"), column("kernel_stats.device")};
    case SubjectKind::op: return {column("op_stats.name"), column("op_stats.rank")};
    case SubjectKind::function: return {column("functions.name"), column("functions.device")};
    case SubjectKind::group: return {column("comms.group")};
    default: return {};
  }
}

}  // namespace

const std::vector<std::string_view>& subject_kinds() {
  static const std::vector<std::string_view> kinds{"run",    "rank",   "device", "stream",   "step",
                                                   "thread", "kernel", "op",     "function", "group"};
  return kinds;
}
std::optional<SubjectKind> subject_kind(std::string_view name) {
  const auto& kinds = subject_kinds();
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found == kinds.end()) return {};
  return static_cast<SubjectKind>(found - kinds.begin());
}
std::string_view name_of(SubjectKind kind) { return subject_kinds()[static_cast<std::size_t>(kind)]; }

SubjectSpec::SubjectSpec(SubjectKind kind) : kind(kind), table(table_of(kind)), keys(keys_of(kind)) {}

SubjectSpec SubjectSpec::groups(TableId table, std::vector<ColumnId> keys) {
  SubjectSpec out(SubjectKind::group);
  out.table = table;
  out.keys = std::move(keys);
  return out;
}

std::optional<ColumnId> SubjectSpec::key_to(std::string_view target) const {
  for (const ColumnId key : keys)
    if (info(key).target == target) return key;
  return {};
}

bool SubjectSpec::has_device() const {
  return kind == SubjectKind::device || kind == SubjectKind::stream || kind == SubjectKind::step ||
         key_to("devices").has_value();
}

bool SubjectSpec::has_rank() const {
  return has_device() || kind == SubjectKind::rank || kind == SubjectKind::thread || key_to("ranks").has_value();
}

std::string SubjectSpec::text() const {
  if (kind != SubjectKind::group || *this == SubjectSpec(kind)) return std::string(name_of(kind));
  std::string out = std::string(info(table).name) + " group by (";
  for (std::size_t i = 0; i < keys.size(); ++i) out += (i > 0 ? ", " : "") + std::string(info(keys[i]).name);
  return out + ")";
}

std::string SubjectSpec::plural() const {
  if (kind == SubjectKind::group) return "groups of " + std::string(info(table).name);
  return std::string(name_of(kind)) + "s";
}

bool operator<(const SubjectSpec& a, const SubjectSpec& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.table.index != b.table.index) return a.table.index < b.table.index;
  return std::lexicographical_compare(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                                      [](ColumnId x, ColumnId y) { return x.index < y.index; });
}

}  // namespace kdiag
