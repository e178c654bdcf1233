// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_subject.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"

namespace kdiag {
namespace {

std::string known_subjects() {
  std::string out = "it is one of";
  for (const std::string_view kind : subject_kinds()) out += " " + std::string(kind) + ",";
  return out + " or `table group by (columns)`";
}

std::optional<SubjectSpec> groups_of(const Expression& groups, const std::string& context, Diagnostics& diagnostics) {
  const auto wrong_groups = [&](TextRange range, const std::string& title) -> std::optional<SubjectSpec> {
    Diagnostic error = make_error(error_id::unknown_subject, groups.text.span(range), title, {},
                                  "write `for_each: kernels group by (class)`: a table and some of its columns");
    error.context = context;
    diagnostics.push_back(std::move(error));
    return {};
  };
  if (!groups.tree) return {};  // the reader said why
  const auto* group = std::get_if<Group>(&groups.tree->node);
  if (group == nullptr) return wrong_groups(groups.tree->range, "this is neither a kind of subject nor groups of rows");
  const auto* name = std::get_if<NameRef>(&group->table->node);
  const TableId id = name != nullptr ? find_table(name->name) : TableId{};
  if (!id.valid()) return wrong_groups(group->table->range, "subjects are groups of the rows of a table");
  if (!group->select.empty()) return wrong_groups(groups.tree->range, "groups that are subjects select nothing");
  std::vector<ColumnId> keys;
  for (const Named& key : group->keys) {
    const auto* of = std::get_if<NameRef>(&key.value->node);
    const ColumnId column = of != nullptr ? find_column(name->name, of->name) : ColumnId{};
    if (!column.valid() || info(column).traits.transient)
      return wrong_groups(
          key.value->range,
          "'" + groups.text.text.substr(key.value->range.begin, key.value->range.end - key.value->range.begin) +
              "' is no column of " + name->name);
    if (std::find(keys.begin(), keys.end(), column) != keys.end())
      return wrong_groups(key.value->range, "'" + of->name + "' is named twice");
    keys.push_back(column);
  }
  return SubjectSpec::groups(id, std::move(keys));
}

}  // namespace

SubjectSpec check_subject(const Rule& rule, const std::string& context, Diagnostics& diagnostics) {
  if (rule.for_each.empty()) return SubjectKind::run;
  if (rule.for_each_groups) return groups_of(*rule.for_each_groups, context, diagnostics).value_or(SubjectKind::device);
  if (const auto kind = subject_kind(rule.for_each)) return *kind;
  Diagnostic error =
      make_error(error_id::unknown_subject, rule.for_each_span, "unknown kind of subject '" + rule.for_each + "'",
                 did_you_mean(rule.for_each, subject_kinds()), known_subjects());
  error.context = context;
  diagnostics.push_back(std::move(error));
  return subject_kind(closest(rule.for_each, subject_kinds())).value_or(SubjectKind::device);
}

}  // namespace kdiag
