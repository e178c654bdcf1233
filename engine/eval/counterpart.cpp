// SPDX-License-Identifier: Apache-2.0
// Which subject of the baseline run corresponds to one of a run.
#include <map>

#include "engine/eval/run_context.hpp"

namespace kdiag {

/// By group of this run.
const std::vector<std::optional<Subject>>& RunContext::group_counterparts(const SubjectGroups& groups) const {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = group_counterparts_.find(groups.spec()); known != group_counterparts_.end())
      return known->second;
  }
  const std::vector<ColumnId>& keys = groups.spec().keys;
  std::map<RunMatch::Key, Subject> theirs;
  for (const Subject& subject : baseline_->subjects(groups.spec()).subjects)
    if (const auto key = match_->key_in_baseline(keys, subject.row)) theirs.emplace(*key, subject);
  std::vector<std::optional<Subject>> out(groups.size());
  for (std::uint32_t group = 0; group < groups.size(); ++group)
    if (const auto key = match_->key_in_run(keys, groups.own_rows(group)->front()))
      if (const auto found = theirs.find(*key); found != theirs.end()) out[group] = found->second;
  const std::scoped_lock lock(mutex_);
  return group_counterparts_.try_emplace(groups.spec(), std::move(out)).first->second;
}

std::optional<Subject> RunContext::counterpart(const Subject& subject) const {
  if (baseline_ == nullptr) return {};
  if (subject.kind == SubjectKind::run) return Subject{};
  if (subject.groups != nullptr) return group_counterparts(*subject.groups)[subject.group];
  const Counterpart row = match_->row(SubjectSpec(subject.kind).table, subject.row);
  if (!row) return {};
  Subject out = baseline_->subject_of(subject.kind, row.row);
  if (subject.kind == SubjectKind::step && subject.device != absent_index) {
    const Counterpart device = match_->device(subject.device);
    if (!device) return {};
    out.device = device.row;
  }
  return out;
}

}  // namespace kdiag
