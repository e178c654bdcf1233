// SPDX-License-Identifier: Apache-2.0
// Checks an expression against the catalogue: names, types, dimensions; and binds it into a plan.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>

#include "engine/plan.hpp"
#include "engine/rule.hpp"

namespace kdiag {

/// Kinds of subjects a rule can be judged for.
enum class SubjectKind : std::uint8_t { run, rank, device, stream, step, thread };
/// The kind that `for_each:` names; index into the names of `subject_kinds`.
const std::vector<std::string_view>& subject_kinds();
std::optional<SubjectKind> subject_kind(std::string_view name);
std::string_view name_of(SubjectKind kind);

/// A name that expressions can use and its type: a let, a param, a define.
struct Binding {
  Type type;
  std::uint32_t slot = 0;
};

/// What an expression may refer to.
struct CheckScope {
  SubjectKind subject = SubjectKind::run;
  bool query = false;  ///< not in a rule: a run with one device may be asked for `device` and timelines
  std::map<std::string, Value, std::less<>> params;
  std::map<std::string, Type, std::less<>> param_types;
  std::map<std::string, Binding, std::less<>> lets;
  std::map<std::string, Binding, std::less<>> defines;
  std::string context;                       ///< for diagnostics: "rule clock.throttled"
  std::vector<std::string>* used = nullptr;  ///< names of lets and params that were used, for lints
};

/// Checks and binds. Returns null after adding at least one error to `diagnostics`. `text` must outlive the plan.
PlanPtr check_expression(const Expression& expression, const CheckScope& scope, Diagnostics& diagnostics);

/// The same, demanding a type: bool for conditions, a claim for impact and gain, a number for confidence, a row of
/// frames for locations. `role` names the place in messages: "when", "impact".
PlanPtr check_condition(const Expression& expression, const CheckScope& scope, std::string_view role,
                        Diagnostics& diagnostics);
PlanPtr check_claim(const Expression& expression, const CheckScope& scope, std::string_view role,
                    Diagnostics& diagnostics);

/// Evaluates an expression that refers to nothing: defaults and ranges of params, `--set`.
std::optional<Value> constant_value(const Expression& expression, const Type& type, std::string_view context,
                                    Diagnostics& diagnostics);

}  // namespace kdiag
