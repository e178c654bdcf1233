// SPDX-License-Identifier: Apache-2.0
#include "engine/language/shared_expressions.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include "base/regex.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

/// The parts of a plan that decide what it computes, appended to a text as bytes.
class Key {
 public:
  explicit Key(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> &&(!std::is_pointer_v<T>)Key& operator<<(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Key& operator<<(std::string_view text) {
    *this << text.size();
    bytes_ += text;
    return *this;
  }
  Key& operator<<(const Number& number) {
    if (number.exact()) return *this << true << number.integer();
    return *this << false << std::bit_cast<std::uint64_t>(number.real());
  }
  Key& operator<<(const Regex& regex) { return *this << std::string_view(regex.pattern()) << regex.ignore_case(); }
  Key& operator<<(const Value& value) {
    *this << value.data.index();
    if (const auto* regex = value.as<RegexPtr>()) *this << **regex;
    else if (const auto* range = value.as<Range>()) *this << range->low << range->high;
    else if (const auto* text = value.as<std::string>()) *this << std::string_view(*text);
    else if (const auto* truth = value.as<bool>()) *this << *truth;
    else if (const auto* list = value.as<List>()) {
      *this << list->size();
      for (const Value& item : *list) *this << item;
    } else {
      for (const Cause& cause : value.causes()) *this << std::string_view(cause.fact) << std::string_view(cause.reason);
    }
    return *this;
  }

 private:
  std::string& bytes_;
};

/// What every plan has; without gaps between the members, whose bytes would be anything.
struct PlanHead {
  double scale;
  std::uint32_t slot, keys, names;
  std::uint16_t table, type_table;
  std::int8_t time, data, ops, energy;
  PlanOp op;
  CompareOp compare;
  Kind kind;
  Clock clock;
  bool temperature, per_row, negated, across_clocks;
  std::uint32_t arguments;
};
static_assert(sizeof(PlanHead) == 40);

PlanHead head_of(const Plan& plan) {
  const Dimension& dimension = plan.type.dimension;
  return {.scale = plan.scale,
          .slot = plan.slot,
          .keys = static_cast<std::uint32_t>(plan.keys),
          .names = static_cast<std::uint32_t>(plan.names.size()),
          .table = plan.table.index,
          .type_table = plan.type.table.index,
          .time = dimension.time,
          .data = dimension.data,
          .ops = dimension.ops,
          .energy = dimension.energy,
          .op = plan.op,
          .compare = plan.compare,
          .kind = plan.type.kind,
          .clock = dimension.clock,
          .temperature = dimension.temperature,
          .per_row = plan.per_row,
          .negated = plan.negated,
          .across_clocks = plan.across_clocks,
          .arguments = static_cast<std::uint32_t>(plan.args.size())};
}

/// Whether computing it visits rows: all else costs less than looking it up.
bool visits_rows(PlanOp op) {
  switch (op) {
    case PlanOp::call:
    case PlanOp::where:
    case PlanOp::group:
    case PlanOp::select:
    case PlanOp::during:
    case PlanOp::intersect:
    case PlanOp::unite:
    case PlanOp::subtract: return true;
    default: return false;
  }
}

/// Whether the operation itself asks for nothing that subjects of a run differ in. Its parts may.
bool names_no_subject(const Plan& plan) {
  switch (plan.op) {
    case PlanOp::constant:
    case PlanOp::whole_table:
    case PlanOp::column:
    case PlanOp::member:
    case PlanOp::negate:
    case PlanOp::add:
    case PlanOp::subtract:
    case PlanOp::multiply:
    case PlanOp::divide:
    case PlanOp::compare:
    case PlanOp::in:
    case PlanOp::match:
    case PlanOp::logic_not:
    case PlanOp::logic_and:
    case PlanOp::logic_or:
    case PlanOp::conditional:
    case PlanOp::where:
    case PlanOp::list: return true;
    case PlanOp::call:
      return plan.function->traits.aggregates || plan.function->traits.falls_back || plan.function->traits.always_known;
    default: return false;
  }
}

}  // namespace

ExpressionNumbering::ExpressionNumbering(const std::vector<PlanPtr>& defines)
    : defines_(defines), define_numbers_(defines.size()) {
  for (std::uint32_t slot = 0; slot < defines.size(); ++slot)
    if (defines[slot]) number_of_define(slot);
}

std::uint32_t ExpressionNumbering::number_of_let(std::uint32_t slot, const std::vector<PlanPtr>& lets) {
  if (const auto found = let_numbers_.find(slot); found != let_numbers_.end()) return found->second;
  const std::uint32_t known = number(*lets[slot], lets);
  let_numbers_.emplace(slot, known);
  return known;
}

std::uint32_t ExpressionNumbering::number_of_define(std::uint32_t slot) {
  if (define_numbers_[slot]) return *define_numbers_[slot];
  static const std::vector<PlanPtr> no_lets;
  const std::uint32_t known = number(*defines_[slot], no_lets);
  define_numbers_[slot] = known;
  Entry& entry = entries_[known];
  if (entry.visits && !entry.grouped) share(*defines_[slot], known);
  entry.occurrences += 2;  // one text that many rules use, also where they are read late
  return known;
}

void ExpressionNumbering::share(const Plan& plan, std::uint32_t number) {
  entries_[number].worth_sharing = true;
  number_of_plan_.emplace_back(&plan, number);
}

std::uint32_t ExpressionNumbering::number(const Plan& plan, const std::vector<PlanPtr>& lets) {
  if (plan.op == PlanOp::let && lets[plan.slot]) return number_of_let(plan.slot, lets);
  if (plan.op == PlanOp::define && defines_[plan.slot]) return number_of_define(plan.slot);
  Entry about{.visits = visits_rows(plan.op),
              .grouped = plan.op == PlanOp::group_rows || plan.op == PlanOp::group_key || !plan.outer.empty(),
              .of_run = names_no_subject(plan)};
  const std::size_t first = arguments_.size();
  for (std::size_t i = 0; i < plan.args.size(); ++i) {
    const std::uint32_t argument = number(*plan.args[i], lets);
    arguments_.push_back(argument);
    const Entry& part = entries_[argument];
    about.visits = about.visits || part.visits;
    about.of_run = about.of_run && part.of_run;
    // What `group by` selects depends on its own groups, not on those around it.
    about.grouped = about.grouped || (part.grouped && !(plan.op == PlanOp::group && i > plan.keys));
  }
  key_.clear();
  Key key(key_);
  key << head_of(plan);
  for (; arguments_.size() > first; arguments_.pop_back()) key << arguments_.back();
  if (plan.op == PlanOp::constant) key << plan.constant;
  for (const std::string& name : plan.names) key << std::string_view(name);
  if (plan.function != nullptr) key << reinterpret_cast<std::uintptr_t>(plan.function);
  if (plan.host) key << reinterpret_cast<std::uintptr_t>(plan.host.get());
  if (plan.regex) key << *plan.regex;
  const std::uint32_t known = keys_.intern(key_);
  if (known == entries_.size()) entries_.push_back(about);
  ++entries_[known].occurrences;
  if (visits_rows(plan.op) && !plan.per_row && !about.grouped) share(plan, known);
  return known;
}

void ExpressionNumbering::add(const PlanPtr& plan, const std::vector<PlanPtr>& lets) {
  if (plan) number(*plan, lets);
}

SharedExpressions ExpressionNumbering::finish() && {
  SharedExpressions out;
  std::vector<std::optional<std::uint32_t>> slots(entries_.size());
  for (const auto& [plan, number] : number_of_plan_) {
    if (entries_[number].occurrences < 2) continue;
    if (!slots[number]) {
      slots[number] = static_cast<std::uint32_t>(out.plans_.size());
      out.plans_.push_back(plan);
      out.of_run_.push_back(entries_[number].of_run);
    }
    out.slots_.emplace(plan, *slots[number]);
  }
  return out;
}

}  // namespace kdiag
