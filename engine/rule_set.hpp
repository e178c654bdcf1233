// SPDX-License-Identifier: Apache-2.0
// Rules that were checked against the catalogue and against each other: what diagnose runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/result.hpp>

#include "engine/check.hpp"
#include "engine/eval.hpp"
#include "engine/rule.hpp"

namespace kdiag {

struct CheckedTemplate {
  struct Piece {
    std::string literal;
    PlanPtr hole;
  };
  std::vector<Piece> pieces;
};

struct CheckedRecommendation {
  CheckedTemplate text;
  PlanPtr condition;
  const Recommendation* source = nullptr;
};

struct CheckedRule {
  const Rule* rule = nullptr;
  SubjectKind subject = SubjectKind::run;
  std::vector<PlanPtr> lets;
  PlanPtr applies, when, impact, gain, confidence, location;
  std::vector<std::pair<Severity, PlanPtr>> severity;
  std::vector<std::pair<std::string, PlanPtr>> evidence;
  std::vector<std::pair<PlanPtr, std::string>> except;
  CheckedTemplate title, message;
  std::vector<CheckedRecommendation> recommend;
  std::vector<std::pair<std::string, std::string>> param_texts;  ///< name and value in force, as written
};

/// What a RuleSet handle holds. The files own the texts that plans point into.
struct LoadedRules {
  std::vector<std::shared_ptr<const RuleFile>> files;
  Library library;
  std::vector<std::string> define_names;
  std::map<std::string, Binding, std::less<>> defines;
  std::vector<CheckedRule> rules;  ///< in file order, enabled ones only
  /// Causes of each symptom: `explains` and `symptom_of` of the loaded rules, by index into rules.
  std::vector<std::vector<std::size_t>> causes_of;
  Diagnostics warnings;

  const CheckedRule* find(std::string_view id) const;
};

/// A parameter's new value: "clock.throttled.margin", "3%".
struct ParamSetting {
  std::string rule, param;
  Expression value;
};

/// Checks all files together; every error and lint of every file is in the result, lints alone in its `warnings`.
Result<std::shared_ptr<const LoadedRules>> check_rules(std::vector<std::shared_ptr<const RuleFile>> files,
                                                       const std::vector<ParamSetting>& settings);

/// Checks one more expression in the scope of the library: for queries. Errors are added to `diagnostics`.
PlanPtr check_query(const Expression& expression, const LoadedRules& rules, Diagnostics& diagnostics);

}  // namespace kdiag
