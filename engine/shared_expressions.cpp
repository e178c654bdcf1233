// SPDX-License-Identifier: Apache-2.0
#include "engine/shared_expressions.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include <re2/re2.h>

namespace kdiag {
namespace {

/// The parts of a plan that decide what it computes, as bytes.
class Key {
 public:
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
  Key& operator<<(const Type& type) {
    return *this << type.kind << type.dimension.time << type.dimension.data << type.dimension.ops
                 << type.dimension.energy << type.dimension.temperature << type.table.index;
  }
  Key& operator<<(const Number& number) {
    if (number.exact()) return *this << true << number.integer();
    return *this << false << std::bit_cast<std::uint64_t>(number.real());
  }
  Key& operator<<(const Value& value) {
    *this << value.data.index();
    if (const auto* range = value.as<Range>()) *this << range->low << range->high;
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
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

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

}  // namespace

ExpressionNumbering::ExpressionNumbering(const std::vector<PlanPtr>& defines)
    : defines_(defines), define_numbers_(defines.size()) {}

std::uint32_t ExpressionNumbering::number_of_let(std::uint32_t slot, const std::vector<PlanPtr>& lets) {
  if (const auto found = let_numbers_.find(slot); found != let_numbers_.end()) return found->second;
  const std::uint32_t known = number(*lets[slot], lets);
  let_numbers_.emplace(slot, known);
  return known;
}

std::uint32_t ExpressionNumbering::number_of_define(std::uint32_t slot) {
  static const std::vector<PlanPtr> no_lets;
  if (!define_numbers_[slot]) define_numbers_[slot] = number(*defines_[slot], no_lets);
  // A define is one text that many rules use: each use is an occurrence.
  const std::uint32_t known = *define_numbers_[slot];
  ++entries_[known].occurrences;
  return known;
}

std::uint32_t ExpressionNumbering::number(const Plan& plan, const std::vector<PlanPtr>& lets) {
  if (plan.op == PlanOp::let && lets[plan.slot]) return number_of_let(plan.slot, lets);
  if (plan.op == PlanOp::define && defines_[plan.slot]) return number_of_define(plan.slot);
  Key key;
  key << plan.op << plan.type << plan.per_row << plan.slot << plan.table.index << plan.function << plan.compare
      << plan.negated << plan.across_clocks << plan.keys << plan.scale << plan.constant << plan.names.size();
  for (const std::string& name : plan.names) key << std::string_view(name);
  if (plan.host) key << reinterpret_cast<std::uintptr_t>(plan.host.get());
  if (plan.regex) key << std::string_view(plan.regex->pattern()) << plan.regex->options().case_sensitive();
  bool grouped = plan.op == PlanOp::group_rows || plan.op == PlanOp::group_key || !plan.outer.empty();
  for (std::size_t i = 0; i < plan.args.size(); ++i) {
    const std::uint32_t arg = number(*plan.args[i], lets);
    key << arg;
    // What `group by` selects depends on its own groups, not on those around it.
    grouped = grouped || (entries_[arg].grouped && !(plan.op == PlanOp::group && i > plan.keys));
  }
  const auto [found, added] = numbers_.try_emplace(key.take(), static_cast<std::uint32_t>(entries_.size()));
  if (added) entries_.push_back({0, visits_rows(plan.op) && !plan.per_row && !grouped, grouped});
  ++entries_[found->second].occurrences;
  number_of_plan_.emplace(&plan, found->second);
  return found->second;
}

void ExpressionNumbering::add(const PlanPtr& plan, const std::vector<PlanPtr>& lets) {
  if (plan) number(*plan, lets);
}

SharedExpressions ExpressionNumbering::finish() && {
  SharedExpressions out;
  std::vector<std::optional<std::uint32_t>> slots(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].worth_sharing && entries_[i].occurrences > 1) slots[i] = static_cast<std::uint32_t>(out.size_++);
  for (const auto& [plan, number] : number_of_plan_)
    if (slots[number]) out.slots_.emplace(plan, *slots[number]);
  return out;
}

}  // namespace kdiag
