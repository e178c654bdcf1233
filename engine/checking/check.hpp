// SPDX-License-Identifier: Apache-2.0
// Checks an expression against the catalogue: names, types, dimensions; and binds it into a plan.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>

#include "engine/language/define.hpp"
#include "engine/language/host_functions.hpp"
#include "engine/language/plan.hpp"
#include "engine/language/subject_spec.hpp"

namespace kdiag {

/// A name that expressions can use and its type: a let, a param, a define.
struct Binding {
  Type type;
  std::uint32_t slot = 0;
};

struct SeverityLadder;

/// The defines and severity ladders of all loaded files, and the functions of the host. A define hides a function of
/// the same name.
struct DefineNames {
  std::map<std::string, Binding, std::less<>> values;  ///< without parameters: evaluated once for a subject
  std::map<std::string, const Define*, std::less<>>
      formulas;  ///< with parameters: bound anew for each use; null: broken
  std::map<std::string, const SeverityLadder*, std::less<>> ladders;
  HostFunctions host_functions;
};

/// What expressions referred to, for lints.
struct UsedNames {
  std::set<std::string, std::less<>> lets, params, defines;
  std::set<std::string, std::less<>> arguments;  ///< parameters of the define whose body was checked
};

/// What a parameter of a define stands for in its body.
struct Argument {
  PlanPtr value;
  std::size_t parts = 1;  ///< of its expression, defines written out
};

/// What an expression may refer to.
struct CheckScope {
  SubjectSpec subject;
  bool query = false;  ///< not in a rule: a run with one device may be asked for `device` and timelines
  std::map<std::string, Value, std::less<>> params;
  std::map<std::string, Type, std::less<>> param_types;
  std::map<std::string, Binding, std::less<>> lets;
  std::map<std::string, Argument, std::less<>> arguments;  ///< in the body of a define
  const DefineNames* defines = nullptr;
  bool proven = false;        ///< of a built-in pack, whose patterns a test has compiled
  std::string context;        ///< for diagnostics: "rule clock.throttled"
  UsedNames* used = nullptr;  ///< filled when set
};

/// The most parts that an expression may have once its defines with parameters are written out.
inline constexpr std::size_t most_expanded_parts = 10000;

/// Whether a checked value can be given to a parameter of a type; a bare 0 fits any dimension.
bool fits_param(const Plan& value, const Type& type);

/// The columns of a table type, for messages and hints.
std::vector<std::string_view> column_names(const Type& table);

/// Checks and binds. Returns null after adding at least one error to `diagnostics`. `text` must outlive the plan.
PlanPtr check_expression(const Expression& expression, const CheckScope& scope, Diagnostics& diagnostics);

/// The body of a define with parameters, checked with values of no known amount in their place, so that its mistakes
/// show without any use. Its type is what the uses have; null after an error.
PlanPtr check_formula(const Define& define, const CheckScope& scope, Diagnostics& diagnostics);

/// As check_expression, demanding a type: bool for conditions, a claim for impact and gain, a number for confidence, a
/// row of frames for locations. `role` names the place in messages: "when", "impact".
PlanPtr check_condition(const Expression& expression, const CheckScope& scope, std::string_view role,
                        Diagnostics& diagnostics);
PlanPtr check_claim(const Expression& expression, const CheckScope& scope, std::string_view role,
                    Diagnostics& diagnostics);

}  // namespace kdiag
