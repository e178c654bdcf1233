// SPDX-License-Identifier: Apache-2.0
// Evaluates plans for one subject of one run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stopwatch.hpp"
#include "engine/eval/exists_join.hpp"
#include "engine/eval/join_order.hpp"
#include "engine/eval/range.hpp"
#include "engine/eval/row_cells.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/eval/subject_facts.hpp"
#include "engine/language/join_bounds.hpp"
#include "engine/language/library.hpp"
#include "engine/language/plan.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// Thrown inside the engine when a rule exceeds its budget; the rule's outcome is then failed. Never leaves diagnose.
struct BudgetExceeded {
  std::string reason;
};

/// From this share of known data on a value counts as complete (language of rules, partial data; judgement).
inline constexpr double full_coverage = 0.999;

/// Rows and groups of a loop between two looks at the flag that stops it: a group costs about a microsecond.
inline constexpr std::size_t rows_between_looks = 1024;

/// The rows for which a per-row expression is evaluated.
struct RowFrame {
  const TableRows* table;
  const std::vector<std::uint32_t>* rows;  ///< null: all rows of the table
  std::size_t size;
  std::uint32_t at(std::size_t i) const { return rows ? (*rows)[i] : static_cast<std::uint32_t>(i); }
};
/// Those that surely belong to a table.
inline RowFrame frame_of(const TableRows& table) { return {&table, table.rows.get(), table.size()}; }

/// How many rows a table has.
Value count_of(const TableRows& table);

/// Adds what an expression about rows reads to what a value rests on: columns of catalogue tables, and the baseline.
void add_columns(Value& value, const Plan& expression);

/// Evaluates what one rule asks of one subject. Not to be shared between threads; the SubjectFacts behind it are.
class Evaluator {
 public:
  /// `lets` are the rule's, by slot. All references must outlive the evaluator.
  Evaluator(const RunContext& run, const Library& library, const std::vector<PlanPtr>& lets, SubjectFacts& facts);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  Value eval(const Plan& plan);

  /// Goes on with a longer list of lets, which begins with those that it has.
  void extend_lets(const std::vector<PlanPtr>& lets);

  const RunContext& run() const { return run_; }
  const Library& library() const { return library_; }
  const Subject& subject() const { return subject_; }
  /// From now on `run.wall` is so long; windows stay what they are. Before anything is evaluated.
  void judge_against(std::int64_t wall_ns) { judged_wall_ = wall_ns; }

  /// The evaluator of the same rule for the corresponding subject of the baseline run; null when there is none.
  Evaluator* baseline();
  /// An evaluator that takes the rows that were recorded for all, so that no amount has an open end; null where no rows
  /// of the run were lost.
  Evaluator* recorded_alone();
  /// What a plan without rows around it is worth there; unknown when there is none.
  Value eval_in_baseline(const Plan& plan);
  /// Rows that were visited so far, of the baseline run too, or would have been without the other rules.
  std::uint64_t visits() const { return account_->visits; }
  /// What judging by it cost since `watch`, without what shared values did, is counted for rule `rule` of the set.
  void count_costs(std::size_t rule, const Stopwatch& watch);

  // --- What functions are written with (engine/functions) ---

  /// Counts rows that are looked at against the rule's budget.
  void visit_rows(std::size_t rows);
  /// One value per row.
  RowValues rows_of(const Plan& plan, const RowFrame& frame);
  /// A value of a row.
  Value scalar_at(const RowValues& values, std::size_t i, const Type& type);
  /// The time of each row that has one; `complete` becomes false where one has none. Nothing when none has.
  std::optional<std::vector<Interval>> row_intervals(const TableRows& table, const RowFrame& frame, Causes& causes,
                                                     bool& complete);
  // eval_baseline.cpp: values of the baseline run
  Value eval_baseline(const Plan& plan);
  RowValues baseline_rows(const Plan& plan, const RowFrame& frame);

 private:
  struct Group {
    const Plan* plan;  ///< the `group by`
    const TableRows* rows;
    const std::vector<Value>* keys;
    const Group* outer;
  };
  /// What `group by` makes of a table, groups in order of their first row.
  struct Grouping {
    std::vector<RowValues> keys;     ///< by key and row of the table
    std::vector<std::uint32_t> of;   ///< by row of the table: its group; absent_index where a key is not known
    std::vector<std::size_t> first;  ///< by group: the place of its first row in the table
    std::size_t unknown_rows = 0;    ///< of which a key is not known
    std::size_t size() const { return first.size(); }
  };
  /// A filter that compares with rows around its table: what is the same for all of them.
  struct Join {
    Value source;  ///< the filtered table
    std::vector<JoinBound> bounds;
    std::optional<JoinOrder> order;  ///< by the bounds' inner value; nothing when every row has to be looked at
  };
  /// The shared value that is being computed, and the one around it.
  struct Computing;
  /// The groups of the baseline run that a `group by` makes there, by what their keys mean.
  struct BaselineGroups;
  /// What a rule has paid for, in its own run and in the baseline's.
  struct Account {
    std::uint64_t limit;
    std::uint64_t visits = 0;
    std::uint64_t own_visits = 0;          ///< without those of shared values
    std::uint64_t shared_nanoseconds = 0;  ///< spent on shared values, or waiting for them, so far
    std::vector<bool> charged;  ///< shared values whose visits this rule has paid for: its run's, then the baseline's
    Computing* computing = nullptr;
  };

  /// Of the subject of the baseline run, for the evaluator of the subject that it corresponds to.
  Evaluator(SubjectFacts& facts, Evaluator& of);

  // eval.cpp: single values
  Value compute(const Plan& plan);
  Value eval_shared(const Plan& plan, std::uint32_t slot);
  void pay(std::uint64_t rows);
  void charge(std::uint32_t account_slot);
  Value eval_let(const Plan& plan);
  Value eval_define(const Plan& plan);
  Value eval_subject(const Plan& plan);
  Value eval_run_wall();
  Value eval_table(const Plan& plan, bool whole);
  Value eval_member(const Plan& plan);
  Value eval_arithmetic(const Plan& plan);
  Value eval_compare(const Plan& plan);
  Value eval_in(const Plan& plan);
  Value eval_match(const Plan& plan);
  Value eval_logic(const Plan& plan);
  Value eval_if(const Plan& plan);
  Value eval_list(const Plan& plan);
  Value cell(ColumnId column, std::uint32_t row);
  static Value clocks_unaligned();

  // eval_rows.cpp: one value per row
  RowValues column_rows(const Plan& plan, const RowFrame& frame);
  RowValues member_rows(const Plan& plan, const RowFrame& frame);
  RowValues broadcast(const Value& value, const Type& type, std::size_t size);
  RowValues arithmetic_rows(const Plan& plan, const RowFrame& frame);
  RowValues select_rows(const RowValues& condition, const RowValues& yes, const RowValues& no);
  RowValues each_row(const Plan& plan, const RowFrame& frame);

  // eval_exists.cpp
  /// Without a finder where rows have to be asked one by one. `slot`: of the row around.
  ExistsJoin exists_join(const Plan& where, std::uint32_t slot);
  /// What an exists() is worth for each row, all asked together: tri_unknown where the row has to be asked by itself.
  /// Nothing where it cannot be asked so.
  std::optional<std::vector<std::uint8_t>> exists_for_rows(const Plan& each, const RowFrame& frame);

  // eval_predicates.cpp: conditions on rows
  RowCells cells_of(const Plan& plan, const RowFrame& frame);
  std::optional<Scalar> scalar_of(const Value& value);
  RowValues compare_rows(const Plan& plan, const RowFrame& frame);
  RowValues in_rows(const Plan& plan, const RowFrame& frame);
  RowValues match_rows(const Plan& plan, const RowFrame& frame);
  RowValues logic_rows(const Plan& plan, const RowFrame& frame);

  // eval_baseline.cpp: values of the baseline run
  Value no_baseline() const;
  bool take_over_outer_rows(Evaluator& baseline, const Plan& plan);
  Value eval_in_group(Evaluator& baseline, const Plan& plan);
  std::shared_ptr<const BaselineGroups> groups_in(Evaluator& baseline, const Plan& group);
  std::optional<std::string> key_of(const Plan& group, const std::vector<Value>& keys, bool in_run);

  // eval_tables.cpp: filters
  Value eval_where(const Plan& plan);
  Join& join_of(const Plan& where);
  /// Rows of a joined table outside of which the condition is false; nothing when that cannot be told.
  std::optional<std::vector<std::uint32_t>> candidates(const Join& join);
  std::vector<double> weights(const RowFrame& frame);

  // eval_groups.cpp: derived tables
  RowValues column_of(const std::vector<Value>& cells, const Type& type);
  Value eval_group(const Plan& plan);
  Grouping grouping_of(const Plan& plan, const TableRows& table);
  static std::vector<std::vector<std::uint32_t>> rows_of_groups(const Grouping& groups, const TableRows& table);
  std::optional<RowValues> fold_groups(const Plan& plan, const Grouping& groups, const TableRows& table);
  void evaluate_groups(const Plan& plan, const Grouping& groups, const TableRows& table,
                       std::vector<std::optional<RowValues>>& columns, Value& rests_on);
  std::vector<Value> keys_of(const Plan& plan, const Grouping& groups, std::size_t group);
  Value eval_select(const Plan& plan);

  // eval_during.cpp: what lies in a set of time
  Value eval_during(const Plan& plan);

  // eval_host.cpp: functions of the host
  Value host_value(const Plan& plan, const std::vector<Value>& arguments);
  Value eval_host_call(const Plan& plan);
  RowValues host_call_rows(const Plan& plan, const RowFrame& frame);

  const RunContext& run_;
  const Library& library_;
  const std::vector<PlanPtr>* lets_;
  SubjectFacts& facts_;
  const Subject subject_;
  std::vector<std::optional<Value>> let_values_;
  const Group* group_ = nullptr;
  std::map<std::uint32_t, RowRef> outer_rows_;      ///< by slot: the rows for which each_row evaluates
  std::map<const Plan*, Join> joins_;               ///< by filter that compares with rows around it
  std::map<const Plan*, ExistsJoin> exists_joins_;  ///< the same, of those that all rows ask together
  std::unique_ptr<Account> own_account_;            ///< null for the baseline's evaluator
  Account* const account_;
  const std::uint32_t account_offset_;            ///< of this run's shared values in the account
  std::optional<std::int64_t> judged_wall_;       ///< what `run.wall` is, where it is not the run's
  std::unique_ptr<Evaluator> baseline_;           ///< made when the baseline is first asked for
  std::unique_ptr<SubjectFacts> recorded_facts_;  ///< of the next, whose values are others
  std::unique_ptr<Evaluator> recorded_;           ///< made when it is first asked for
  bool takes_recorded_for_all_ = false;
  std::map<const Plan*, std::shared_ptr<const BaselineGroups>> baseline_groups_;
};

}  // namespace kdiag
