// SPDX-License-Identifier: Apache-2.0
// One run as rules see it: its subjects, and which rows belong to each.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/derive/rows/row_groups.hpp"
#include "engine/eval/lane_order.hpp"
#include "engine/eval/subject_groups.hpp"
#include "engine/eval/text_matches.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/facts/match_runs.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// What a rule is judged for. `row` is the row of its own table, of a group the first; device and rank follow from it
/// where they exist.
struct Subject {
  SubjectKind kind = SubjectKind::run;
  std::uint32_t row = 0;
  std::uint32_t device = absent_index;
  std::uint32_t rank = absent_index;
  std::uint32_t step = absent_index;
  const SubjectGroups* groups = nullptr;  ///< of kernels, operators, functions, groups; the RunContext's
  std::uint32_t group = 0;                ///< which of them
  friend bool operator==(const Subject&, const Subject&) = default;
};

/// Whether `outer` contains `inner` or equals it: run > rank > device > what lies on it; rank > thread, what lies in
/// it.
bool contains(const Subject& outer, const Subject& inner);

/// The subjects of a rule in a run.
struct SubjectList {
  std::vector<Subject> subjects;  ///< in row order
  std::string missing;            ///< the fact that would tell them, when it is not recorded: "steps"
};

class RunContext {
 public:
  /// `baseline`: the run that it is compared with, which must outlive this one; null: none.
  /// Computations over it stop once `cancel` is true.
  explicit RunContext(const FactStore& store, const RunContext* baseline = nullptr, CancelFlag cancel = nullptr);

  const FactStore& store() const { return store_; }

  const RunContext* baseline() const { return baseline_; }
  /// Where the things of this run are in the baseline; there is one.
  const RunMatch& match() const { return *match_; }
  /// The subject of the baseline that corresponds to one of this run: nothing without one, or without a baseline.
  std::optional<Subject> counterpart(const Subject& subject) const;

  SubjectList subjects(const SubjectSpec& spec) const;

  /// The rows of a table that belong to a subject; null: all of them. A pass over the table, or over what a device,
  /// step or stream has of it: SubjectFacts keeps it.
  RowList rows(TableId table, const Subject& subject) const;
  /// The column that tells which rows of a table belong to a subject, when the run does not record it.
  std::optional<ColumnId> missing_link(TableId table, const Subject& subject) const {
    return subject.groups != nullptr ? subject.groups->missing_in(table) : std::nullopt;
  }

  /// The wall of a subject's rank; of the run and of subjects in several ranks the longest.
  const Wall& wall(const Subject& subject) const;
  /// The window that interval functions clip to: the wall's, cut to the step for a step subject.
  std::optional<Interval> window(const Subject& subject) const;
  /// The window without the holes between ranges that --within chose.
  IntervalSet parts(const Subject& subject) const;

  /// The instant from which instants are shown, in ns on the run's clock; nothing when no row has a time.
  std::optional<std::int64_t> start() const;

  /// The device that a question about the whole run means: the one that --device chose, the only one, or the only one
  /// with work. Nothing when several could be meant.
  std::optional<std::uint32_t> implied_device() const;

  /// "GPU 0", "rank 3 GPU 0", "step 7": a subject as people name it. Its id: "0", "3/0", "7".
  std::string label(const Subject& subject) const;
  std::string id(const Subject& subject) const;
  /// What a subject of a kind that is grouped is called, without its place: "gemm" of "gemm on GPU 0".
  std::string name_of_thing(const Subject& subject) const;
  /// A row as people name it: device and rank as above, else its name, id or index.
  std::string label(RowRef row) const;

  /// Notes of severity data-loss of this run, without those of the baseline: rows of event tables may be missing.
  bool lossy() const { return data_loss_notes_ > 0; }
  /// Whether rows of that table may be missing.
  bool lossy(TableId table) const {
    return data_loss_notes_ > host_totals_notes_ || (lossy() && info(table).traits.host_totals);
  }
  int data_loss_notes() const { return data_loss_notes_; }
  /// Whether it is a guess which events of the input are a device's work.
  bool guessed() const { return guessed_; }
  /// Whether there is something to compare with: a baseline run, or comparisons that the input states.
  bool compared() const { return baseline() != nullptr || store().rows(table("comparisons")) > 0; }
  /// Whether its facts are what another tool reports of a recording, such as means.
  bool reported() const { return reported_; }

  /// Rows that a rule may visit, the limit of docs/limits.md: 64 x rows x (1 + log2 rows), at least 50 M. Counted work
  /// only, so that the outcome is the same on every machine.
  std::uint64_t visit_limit() const { return visit_limit_; }
  /// Throws Interrupted once the host asked to stop.
  void stop_if_cancelled() const { stop_if(cancel_); }
  CancelFlag cancel() const { return cancel_; }

  // Strings that expressions make, behind those of the store. Safe to use from several threads, as all of this.
  std::uint32_t string_id(std::string_view text) const;
  std::string_view string(std::uint32_t id) const;
  /// The rows of a table lane by lane; of a table with times.
  const LaneOrder& lane_order(TableId table) const;
  /// What is known of the texts that a pattern is found in; shared by all subjects.
  TextMatches& matches(const Regex& pattern) const;

 private:
  RowList scoped_rows(TableId table) const;
  Subject subject_of(SubjectKind kind, std::uint32_t row) const;
  std::string key_text(ColumnId key, std::uint32_t row) const;
  std::string keys_of_group(const Subject& subject, bool places) const;
  std::string group_label(const Subject& subject) const;
  SubjectList grouped_subjects(const SubjectSpec& spec) const;
  const SubjectGroups& groups(const SubjectSpec& spec) const;
  const RowGroups& rows_by(ColumnId reference) const;
  bool is_without_work(const Subject& subject) const;
  RowList comparison_rows(std::uint32_t device) const;
  RowList change_rows(const Subject& subject) const;
  const std::vector<std::optional<Subject>>& group_counterparts(const SubjectGroups& groups) const;

  const FactStore& store_;
  const RunContext* baseline_ = nullptr;
  std::optional<RunMatch> match_;
  CancelFlag cancel_ = nullptr;
  int data_loss_notes_ = 0;
  int host_totals_notes_ = 0;  ///< of these, that some totals of the host are not listed
  bool guessed_ = false, reported_ = false;
  std::uint64_t visit_limit_ = 0;
  mutable std::mutex mutex_;  ///< of what follows
  mutable StringPool extra_;
  mutable std::map<std::uint16_t, LaneOrder> lane_orders_;
  mutable std::map<std::pair<std::string, bool>, TextMatches> matches_;  ///< by pattern and whether case is ignored
  mutable std::map<std::uint16_t, RowList> scoped_;
  mutable std::map<std::uint16_t, RowGroups> rows_by_;  ///< rows of a table by what a column of it names
  /// Rows of `comparisons` by the device that their label names.
  struct ComparisonRows {
    std::vector<std::uint32_t> of_none;
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_device;
  };
  mutable std::optional<ComparisonRows> comparisons_;
  mutable std::map<SubjectSpec, SubjectGroups> groups_;
  mutable std::map<SubjectSpec, std::vector<std::optional<Subject>>> group_counterparts_;
};

}  // namespace kdiag
