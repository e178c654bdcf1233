// SPDX-License-Identifier: Apache-2.0
// Finds expressions that several rules contain, so that each is evaluated once for a subject.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/string_pool.hpp"
#include "engine/language/plan.hpp"

namespace kdiag {

/// Numbers for expressions that occur more than once. Equal numbers mean equal values for any subject of any run.
class SharedExpressions {
 public:
  /// The number of an expression from 0; nothing when it occurs once, is cheap, or depends on a row or a group.
  std::optional<std::uint32_t> slot(const Plan& plan) const {
    const auto found = slots_.find(&plan);
    if (found == slots_.end()) return std::nullopt;
    return found->second;
  }
  std::size_t size() const { return plans_.size(); }
  /// Whether the expression has one value for all subjects of a run: it names no part of it.
  bool of_run(std::uint32_t slot) const { return of_run_[slot]; }
  /// One of the expressions that have a number.
  const Plan& plan(std::uint32_t slot) const { return *plans_[slot]; }

 private:
  friend class ExpressionNumbering;
  std::unordered_map<const Plan*, std::uint32_t> slots_;
  std::vector<const Plan*> plans_;  ///< by slot
  std::vector<bool> of_run_;        ///< by slot
};

/// Compares expressions by what they compute, not by how they are written: names of lets, defines and parameters do
/// not matter. Plans must stay alive as long as the result.
class ExpressionNumbering {
 public:
  /// `defines` are the library's, by slot. Each that visits rows is shared: findings that are read late may name it.
  explicit ExpressionNumbering(const std::vector<PlanPtr>& defines);

  /// Adds an expression of a rule whose lets these are. Null plans are ignored.
  void add(const PlanPtr& plan, const std::vector<PlanPtr>& lets);
  /// Forgets the lets of the rule before: every rule has its own.
  void next_rule() { let_numbers_.clear(); }

  SharedExpressions finish() &&;

 private:
  struct Entry {
    std::uint32_t occurrences = 0;
    bool worth_sharing = false;
    bool visits = false;   ///< computing it visits rows
    bool grouped = false;  ///< depends on the group around it
    bool of_run = false;   ///< depends on no subject
  };

  std::uint32_t number(const Plan& plan, const std::vector<PlanPtr>& lets);
  std::uint32_t number_of_let(std::uint32_t slot, const std::vector<PlanPtr>& lets);
  std::uint32_t number_of_define(std::uint32_t slot);
  void share(const Plan& plan, std::uint32_t number);

  const std::vector<PlanPtr>& defines_;
  std::vector<std::optional<std::uint32_t>> define_numbers_;
  std::unordered_map<std::uint32_t, std::uint32_t> let_numbers_;
  StringPool keys_;  ///< the id of the key of an expression is its number
  std::vector<Entry> entries_;
  std::vector<std::pair<const Plan*, std::uint32_t>> number_of_plan_;  ///< of those that are worth sharing
  std::string key_;                                                    ///< of one plan at a time: its memory is kept
  std::vector<std::uint32_t> arguments_;                               ///< numbers, of the plans on the way
};

}  // namespace kdiag
