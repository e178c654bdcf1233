// SPDX-License-Identifier: Apache-2.0
// The evaluator: what its values share, facts and lets.
#include "engine/eval/eval.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/stopwatch.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {

// --- The evaluator --------------------------------------------------------------------------------------------------

Evaluator::Evaluator(const RunContext& run, const Library& library, const std::vector<PlanPtr>& lets,
                     SubjectFacts& facts)
    : run_(run),
      library_(library),
      lets_(&lets),
      facts_(facts),
      subject_(facts.subject()),
      let_values_(lets.size()),
      own_account_(std::make_unique<Account>(Account{.limit = run.visit_limit(),
                                                     .visits = 0,
                                                     .charged = std::vector<bool>(2 * library.shared.size()),
                                                     .computing = nullptr})),
      account_(own_account_.get()),
      account_offset_(0) {
  if (run.baseline() != nullptr) account_->limit += run.baseline()->visit_limit();
}

Evaluator::Evaluator(SubjectFacts& facts, Evaluator& of)
    : run_(*of.run_.baseline()),
      library_(of.library_),
      lets_(of.lets_),
      facts_(facts),
      subject_(facts.subject()),
      let_values_(lets_->size()),
      account_(of.account_),
      account_offset_(static_cast<std::uint32_t>(library_.shared.size())) {}

struct Evaluator::Computing {
  explicit Computing(Evaluator& evaluator)
      : evaluator_(evaluator),
        outer_(std::exchange(evaluator.account_->computing, this)),
        group_(std::exchange(evaluator.group_, nullptr)) {}
  ~Computing() {
    evaluator_.account_->computing = outer_;
    evaluator_.group_ = group_;
  }
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;

  std::uint64_t visits = 0;
  std::vector<std::uint32_t> uses;  ///< slots of the account

 private:
  Evaluator& evaluator_;
  Computing* outer_;
  const Group* group_;
};

void Evaluator::visit_rows(std::size_t rows) {
  run_.stop_if_cancelled();
  (account_->computing != nullptr ? account_->computing->visits : account_->own_visits) += rows;
  pay(rows);
}

void Evaluator::pay(std::uint64_t rows) {
  account_->visits += rows;
  if (account_->visits > account_->limit)
    throw BudgetExceeded{"more than " + std::to_string(account_->limit) + " row visits"};
}

// --- Shared values --------------------------------------------------------------------------------------------------

/// A rule pays for a shared value whoever computed it, so that its budget does not depend on the other rules.
void Evaluator::charge(std::uint32_t account_slot) {
  if (account_->charged[account_slot]) return;
  account_->charged[account_slot] = true;
  const auto size = static_cast<std::uint32_t>(library_.shared.size());
  SubjectFacts& facts = account_slot < account_offset_ + size ? facts_ : *facts_.counterpart();
  const SharedValue& shared = facts.shared(account_slot % size);
  pay(shared.visits);
  for (const std::uint32_t used : shared.uses) charge(used);
}

Value Evaluator::eval_shared(const Plan& plan, std::uint32_t slot) {
  const std::uint32_t account_slot = account_offset_ + slot;
  if (account_->computing != nullptr) account_->computing->uses.push_back(account_slot);
  const auto watch = facts_.costs() != nullptr ? std::optional<Stopwatch>(std::in_place) : std::nullopt;
  const std::uint64_t before = account_->shared_nanoseconds;
  // Only values inside this one are computed while the lock is held, and none contains itself: no deadlock.
  SharedValue& shared = facts_.shared(slot);
  const std::scoped_lock lock(shared.mutex);
  if (!shared.value) {
    Computing computing(*this);
    shared.value = compute(plan);
    shared.visits = computing.visits;
    shared.uses = std::move(computing.uses);
    account_->charged[account_slot] = true;  // paid row by row
    if (watch) {
      const std::uint64_t inside = account_->shared_nanoseconds - before;
      facts_.costs()->of_expression[slot].add(watch->nanoseconds() - inside, shared.visits);
    }
  } else {
    charge(account_slot);
  }
  if (watch) account_->shared_nanoseconds = before + watch->nanoseconds();
  return *shared.value;
}

void Evaluator::count_costs(std::size_t rule, const Stopwatch& watch) {
  if (Costs* const costs = facts_.costs())
    costs->of_rule[rule].add(watch.nanoseconds() - account_->shared_nanoseconds, account_->own_visits);
}

Value Evaluator::eval(const Plan& plan) {
  if (const auto slot = library_.shared.slot(plan)) return eval_shared(plan, *slot);
  return compute(plan);
}

Value Evaluator::compute(const Plan& plan) {
  if (plan.across_clocks && !run_.store().samples_aligned) return clocks_unaligned();
  switch (plan.op) {
    case PlanOp::constant: return plan.constant;
    case PlanOp::let: return eval_let(plan);
    case PlanOp::define: return eval_define(plan);
    case PlanOp::subject: return eval_subject(plan);
    case PlanOp::run_wall: return eval_run_wall();
    case PlanOp::table: return eval_table(plan, false);
    case PlanOp::whole_table: return eval_table(plan, true);
    case PlanOp::column: return unknown_reason("a column needs a row");
    case PlanOp::member: return eval_member(plan);
    case PlanOp::call: return plan.function->evaluate(*this, plan);
    case PlanOp::host_call: return eval_host_call(plan);
    case PlanOp::negate:
    case PlanOp::add:
    case PlanOp::subtract:
    case PlanOp::multiply:
    case PlanOp::divide:
    case PlanOp::intersect:
    case PlanOp::unite: return eval_arithmetic(plan);
    case PlanOp::compare: return eval_compare(plan);
    case PlanOp::in: return eval_in(plan);
    case PlanOp::match: return eval_match(plan);
    case PlanOp::logic_not:
    case PlanOp::logic_and:
    case PlanOp::logic_or: return eval_logic(plan);
    case PlanOp::conditional: return eval_if(plan);
    case PlanOp::where: return eval_where(plan);
    case PlanOp::group: return eval_group(plan);
    case PlanOp::select: return eval_select(plan);
    case PlanOp::during: return eval_during(plan);
    case PlanOp::group_rows: return {.data = *group_->rows, .columns = {}};
    case PlanOp::group_key: return (*group_->keys)[plan.slot];
    case PlanOp::list: return eval_list(plan);
    case PlanOp::row:
    case PlanOp::each_row: break;  // only ever one value per row
    case PlanOp::outer_row: return {.data = outer_rows_[plan.slot], .columns = {}};
  }
  return unknown_reason("not evaluated");
}

Value Evaluator::clocks_unaligned() {
  return unknown_fact("samples.time", "its clock could not be aligned with the trace's");
}

void Evaluator::extend_lets(const std::vector<PlanPtr>& lets) {
  lets_ = &lets;
  let_values_.resize(lets.size());
  if (baseline_) baseline_->extend_lets(lets);
}

Value Evaluator::eval_let(const Plan& plan) {
  auto& slot = let_values_[plan.slot];
  if (!slot) {
    // Lets refer to earlier ones only, so this cannot recurse into itself; a let stands outside any group.
    const Group* group = std::exchange(group_, nullptr);
    const PlanPtr& let = (*lets_)[plan.slot];
    slot = let ? eval(*let) : unknown_reason("its definition has an error");
    group_ = group;
  }
  return *slot;
}

Value Evaluator::eval_define(const Plan& plan) {
  const Group* group = std::exchange(group_, nullptr);
  Value value =
      library_.defines[plan.slot] ? eval(*library_.defines[plan.slot]) : unknown_reason("its definition has an error");
  group_ = group;
  return value;
}

Value Evaluator::eval_subject(const Plan& plan) {
  const std::string_view name = info(plan.table).name;
  std::uint32_t row = absent_index;
  switch (info(plan.table).traits.role) {
    case TableRole::run: row = run_.store().rows(plan.table) > 0 ? 0 : absent_index; break;
    case TableRole::device:
      row = subject_.device;
      if (subject_.kind == SubjectKind::run) {
        if (run_.store().rows(plan.table) == 0) return unknown_fact(std::string(name));
        const auto implied = run_.implied_device();
        if (!implied) return unknown_reason("several devices: choose one with --device");
        row = *implied;
      }
      break;
    case TableRole::rank: row = subject_.rank; break;
    case TableRole::step: row = subject_.step; break;
    default: row = subject_.row;
  }
  if (plan.slot == subject_in_one_row && subject_.groups->own_rows(subject_.group)->size() > 1)
    return unknown_reason(std::string(name) + " has several rows for it: add them up, such as sum(" +
                          std::string(name) + ", total)");
  if (row == absent_index) return unknown_fact(std::string(name));
  return {.data = RowRef{plan.table, row}, .columns = {}};
}

Value Evaluator::eval_run_wall() {
  const Wall& wall = run_.wall(subject_);
  if (wall.basis == WallBasis::none)
    return unknown_fact("runs.wall", "the input states neither start times nor step times");
  Value out = of(Number(judged_wall_.value_or(wall.length)));
  out.columns = {column("runs.wall").index};
  return out;
}

Value Evaluator::eval_table(const Plan& plan, bool whole) {
  const FactStore& store = run_.store();
  const std::string name{info(plan.table).name};
  if (!store.present(plan.table)) return unknown_fact(name);
  TableRows rows{.base = plan.table,
                 .derived = nullptr,
                 .rows = nullptr,
                 .maybe = nullptr,
                 .total = store.rows(plan.table),
                 .coverage = 1,
                 .open = false,
                 .causes = {}};
  if (!whole) {
    if (const auto missing = run_.missing_link(plan.table, subject_))
      return unknown_fact(name + "." + std::string(info(*missing).name));
    rows.rows = facts_.rows(plan.table);
  }
  const bool of_both = plan.table == table("changes") && run_.baseline() != nullptr;
  const bool lossy = run_.lossy(plan.table) || (of_both && run_.baseline()->lossy());
  // What others leave is no amount that was recorded: it stays at most what is seen of it.
  const bool closed = takes_recorded_for_all_ && !info(plan.table).traits.complement;
  if (lossy && info(plan.table).traits.loses_rows && !closed) {
    rows.open = true;
    rows.complement = info(plan.table).traits.complement;
    rows.causes = {{"", "rows of the trace were lost (see the notes of severity data-loss)"}};
  }
  return {.data = std::move(rows), .columns = {}};
}

Value Evaluator::cell(ColumnId column, std::uint32_t row) {
  const FactStore& store = run_.store();
  const ColumnInfo& about = info(column);
  const auto missing = [&] { return unknown_fact(std::string(about.table) + "." + std::string(about.name)); };
  Value out;
  switch (about.type) {
    case ColumnType::integer: {
      const std::int64_t v = store.integer(column, row);
      if (v == absent_integer) return missing();
      out = of(Number(v));
      break;
    }
    case ColumnType::small_integer: {
      const std::int32_t v = store.small(column, row);
      if (v == absent_small) return missing();
      out = of(Number(std::int64_t{v}));
      break;
    }
    case ColumnType::real: {
      const double v = store.real(column, row);
      if (std::isnan(v)) return missing();
      out = of(Number(v));
      break;
    }
    case ColumnType::boolean: {
      const std::uint32_t v = store.index(column, row);
      if (v == absent_index) return missing();
      out = of(v != 0);
      break;
    }
    case ColumnType::string: {
      const std::uint32_t v = store.index(column, row);
      if (v == absent_index) return missing();
      out = of(std::string(store.strings[v]));
      break;
    }
    case ColumnType::reference: {
      const std::uint32_t v = store.index(column, row);
      if (v == absent_index) return missing();
      out = {.data = RowRef{target_of(column), v}, .columns = {}};
      break;
    }
  }
  out.columns = {column.index};
  return out;
}

Value Evaluator::eval_member(const Plan& plan) {
  const Value object = eval(*plan.args[0]);
  const auto* row = object.as<RowRef>();
  if (row == nullptr) return object.known() ? unknown_reason("no row") : object;
  Value out = cell(ColumnId{static_cast<std::uint16_t>(plan.slot)}, row->row);
  inherit(out, object);
  return out;
}

}  // namespace kdiag
