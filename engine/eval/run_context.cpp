// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/run_context.hpp"

#include <algorithm>
#include <cmath>

#include <kdiag/note_ids.hpp>

#include "engine/derive/rows/scope.hpp"

namespace kdiag {

bool contains(const Subject& outer, const Subject& inner) {
  if (outer == inner || outer.kind == SubjectKind::run) return true;
  switch (outer.kind) {
    case SubjectKind::rank:
      return inner.rank == outer.rank && outer.rank != absent_index && inner.kind != SubjectKind::run;
    case SubjectKind::device:
      return inner.device == outer.device && outer.device != absent_index && inner.kind != SubjectKind::run;
    default: return false;
  }
}

namespace {

// The adapter guessed from names which events are a device's work.
constexpr std::string_view guess_note = note_id::guessed_device_row;
// The input is a report of another tool.
constexpr std::string_view report_note = note_id::report_of_two_runs;

}  // namespace

RunContext::RunContext(const FactStore& store, const RunContext* baseline, CancelFlag cancel)
    : store_(store), baseline_(baseline), cancel_(cancel) {
  if (baseline != nullptr) match_.emplace(store, baseline->store(), cancel);
  for (std::size_t row = 0; row < store.rows(table("notes")); ++row) {
    if (store.text(column("notes.severity"), row) == "data-loss") ++data_loss_notes_;
    const std::string_view id = store.text(column("notes.id"), row);
    if (id == note_id::host_totals_not_printed) ++host_totals_notes_;
    guessed_ = guessed_ || id == guess_note;
    reported_ = reported_ || id == report_note;
  }
  double most = 0;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    most = std::max(most, static_cast<double>(store.rows(TableId{t})));
  visit_limit_ = static_cast<std::uint64_t>(std::max(50e6, 64 * most * (1 + std::log2(most + 1))));
}

Subject RunContext::subject_of(SubjectKind kind, std::uint32_t row) const {
  Subject subject{.kind = kind, .row = row};
  switch (kind) {
    case SubjectKind::rank: subject.rank = row; break;
    case SubjectKind::device:
      subject.device = row;
      subject.rank = store_.index(column("devices.rank"), row);
      break;
    case SubjectKind::stream:
      subject.device = store_.index(column("streams.device"), row);
      if (subject.device != absent_index) subject.rank = store_.index(column("devices.rank"), subject.device);
      break;
    case SubjectKind::step:
      subject.step = row;
      subject.rank = store_.index(column("steps.rank"), row);
      break;
    case SubjectKind::thread: subject.rank = store_.index(column("threads.rank"), row); break;
    default: break;
  }
  return subject;
}

const SubjectGroups& RunContext::groups(const SubjectSpec& spec) const {
  const RowList judged = scoped_rows(spec.table);
  const std::scoped_lock lock(mutex_);
  return groups_.try_emplace(spec, store_, spec, judged).first->second;
}

SubjectList RunContext::grouped_subjects(const SubjectSpec& spec) const {
  SubjectList out;
  for (const ColumnId key : spec.keys)
    if (store_.rows(spec.table) > 0 && !store_.has(key) && !SubjectGroups::optional(key)) {
      out.missing = std::string(info(spec.table).name) + "." + std::string(info(key).name);
      return out;
    }
  const SubjectGroups& all = groups(spec);
  const auto device = spec.key_to("devices");
  const auto rank = spec.key_to("ranks");
  for (std::uint32_t group = 0; group < all.size(); ++group) {
    Subject subject{.kind = spec.kind, .row = all.own_rows(group)->front(), .groups = &all, .group = group};
    if (device) subject.device = store_.index(*device, subject.row);
    if (rank) subject.rank = store_.index(*rank, subject.row);
    else if (subject.device != absent_index) subject.rank = store_.index(column("devices.rank"), subject.device);
    out.subjects.push_back(subject);
  }
  return out;
}

SubjectList RunContext::subjects(const SubjectSpec& spec) const {
  if (spec.kind == SubjectKind::run) return {{Subject{}}, {}};
  if (!store_.present(spec.table)) {
    if (spec.kind == SubjectKind::rank) return {{Subject{}}, {}};  // one process without a number: the run is the rank
    return {{}, std::string(info(spec.table).name)};
  }
  if (spec.grouped()) return grouped_subjects(spec);
  SubjectList out;
  const RowList judged = scoped_rows(spec.table);
  const std::size_t count = judged ? judged->size() : store_.rows(spec.table);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = judged ? (*judged)[i] : i;
    Subject subject = subject_of(spec.kind, row);
    if (spec.kind != SubjectKind::step) {
      out.subjects.push_back(subject);
      continue;
    }
    // A step subject is one step on one device of its rank.
    for (std::uint32_t device = 0; device < store_.rows(table("devices")); ++device) {
      const std::uint32_t rank = store_.index(column("devices.rank"), device);
      if (subject.rank != absent_index && rank != absent_index && rank != subject.rank) continue;
      if (!device_in_scope(store_, device)) continue;
      subject.device = device;
      out.subjects.push_back(subject);
    }
  }
  return out;
}

const Wall& RunContext::wall(const Subject& subject) const {
  const bool of_several_ranks = subject.rank == absent_index && subject.groups != nullptr;
  return subject.kind == SubjectKind::run || of_several_ranks ? store_.wall() : store_.wall_of_rank(subject.rank);
}

std::optional<Interval> RunContext::window(const Subject& subject) const {
  const auto window = wall(subject).window;
  if (!window || subject.kind != SubjectKind::step) return window;
  const std::int64_t start = store_.integer(column("steps.start"), subject.step);
  const std::int64_t dur = store_.integer(column("steps.dur"), subject.step);
  if (start == absent_integer || dur == absent_integer) return {};
  return Interval{std::max(window->start, start), std::min(window->end, start + dur)};
}

std::optional<std::int64_t> RunContext::start() const {
  const auto& window = store_.wall().window;
  return window ? std::optional(window->start) : std::nullopt;
}

IntervalSet RunContext::parts(const Subject& subject) const {
  const auto cut = window(subject);
  return cut ? wall(subject).parts & IntervalSet(*cut) : IntervalSet();
}

std::optional<std::uint32_t> RunContext::implied_device() const {
  const std::size_t devices = store_.rows(table("devices"));
  if (devices == 1) return 0;
  std::vector<std::uint32_t> candidates;
  if (store_.scope.device || store_.scope.rank) {
    for (std::uint32_t device = 0; device < devices; ++device)
      if (device_in_scope(store_, device)) candidates.push_back(device);
  } else {
    std::vector<bool> works(devices);
    for (ColumnId column :
         {column("kernels.device"), column("copies.device"), column("memsets.device"), column("kernel_stats.device")})
      for (std::uint32_t device : store_.indices(column))
        if (device != absent_index) works[device] = true;
    for (std::uint32_t device = 0; device < devices; ++device)
      if (works[device]) candidates.push_back(device);
  }
  if (candidates.size() != 1) return {};
  return candidates.front();
}

std::uint32_t RunContext::string_id(std::string_view text) const {
  if (const std::uint32_t id = store_.strings.find(text); id != absent_index) return id;
  const std::scoped_lock lock(mutex_);
  return store_.strings.size() + extra_.intern(text);
}

const LaneOrder& RunContext::lane_order(TableId table) const {
  const std::scoped_lock lock(mutex_);
  return lane_orders_.try_emplace(table.index, store_, table).first->second;
}

TextMatches& RunContext::matches(const Regex& pattern) const {
  const std::scoped_lock lock(mutex_);
  return matches_.try_emplace({pattern.pattern(), pattern.ignore_case()}, store_.strings.size()).first->second;
}

std::string_view RunContext::string(std::uint32_t id) const {
  if (id == absent_index) return {};
  if (id < store_.strings.size()) return store_.strings[id];
  const std::scoped_lock lock(mutex_);
  return extra_[id - store_.strings.size()];
}

}  // namespace kdiag
