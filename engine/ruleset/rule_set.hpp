// SPDX-License-Identifier: Apache-2.0
// Rules that were checked against the catalogue and against each other: what diagnose runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/result.hpp>

#include "base/interrupt.hpp"
#include "engine/checking/check.hpp"
#include "engine/language/library.hpp"
#include "engine/ruleset/checked_finding.hpp"
#include "engine/ruleset/rule.hpp"
#include "engine/ruleset/rule_pattern.hpp"
#include "engine/ruleset/script.hpp"

namespace kdiag {

/// What an override or a setting changed of a rule: "margin = 8%", and where.
struct RuleChange {
  std::string what;
  Span place;
};

/// A fact that a rule wants to be there, beyond those that its expressions name.
struct CheckedNeed {
  std::string fact;
  PlanPtr present;                               ///< whether it is, for the subject
  std::shared_ptr<const Expression> expression;  ///< that the plan points into
};

struct CheckedRule {
  const Rule* rule = nullptr;       ///< of a file, or own
  std::shared_ptr<const Rule> own;  ///< with what overrides changed, when they changed anything
  std::vector<RuleChange> changes;  ///< in the order in which they were made
  bool active = true;               ///< judged; else only explained, shown and tested
  SubjectSpec subject;
  std::vector<PlanPtr> lets;
  std::vector<CheckedNeed> needs;
  PlanPtr applies, when;
  std::shared_ptr<const ScriptScope> script_scope;               ///< of a rule whose script decides
  std::shared_ptr<const LateFinding> late_finding;               ///< null: of an outline, which is not judged
  std::vector<std::pair<std::string, std::string>> param_texts;  ///< name and value in force, as written

  /// What it says where it fires; checked now if no one asked before.
  const CheckedFinding& finding() const;
};

/// Every expression that decides whether a rule fires; those of its lets are parts of these.
template <class Use>
void for_each_plan(const CheckedRule& rule, Use use) {
  for (const CheckedNeed& need : rule.needs) use(need.present);
  for (const PlanPtr& plan : {rule.applies, rule.when}) use(plan);
}

/// A parameter's new value: "clock.throttled", "margin", 3%; by an override, a test or `--set`. The name of a pack in
/// the place of the rule means each of its rules that has the parameter.
struct ParamSetting {
  std::string rule, param;
  Span place;  ///< of the parameter's name
  Expression value;
  std::string pack = {};  ///< that the user named in the place of this rule
};

/// What a RuleSet handle holds. The files own the texts that plans point into.
struct LoadedRules {
  std::vector<std::shared_ptr<const RuleFile>> files;
  Library library;
  std::shared_ptr<DefineNames> defines = std::make_shared<DefineNames>();  ///< late findings and scripts share it
  std::vector<CheckedRule> rules;                           ///< in file order, also those that are not judged
  std::map<std::string, std::string, std::less<>> renamed;  ///< ids that rules had before, and their ids now
  /// Causes of each symptom: `explains` and `symptom_of` of all rules, by index into rules.
  std::vector<std::vector<std::size_t>> causes_of;
  Diagnostics warnings;
  Diagnostics style;                   ///< notes for authors: what a finished rule has
  std::vector<ParamSetting> settings;  ///< that are in force
  RuleChoice choice;
  std::vector<Shared<HostFunction>> functions;
  std::vector<PackEntry> packs;  ///< of the user

  struct Completion;
  std::shared_ptr<Completion> completion;  ///< null: every rule was read whole
  std::shared_ptr<Completion> comparison;  ///< null: what decides was read of every rule that is judged

  /// These rules with every rule read and checked, which happens when it is first asked for; lives as long as these do.
  /// What asks about rules, not findings (explaining, testing, describing), works on it. These rules themselves
  /// when that fails, which it does of no built-in pack.
  const LoadedRules& complete() const;
  /// Why it failed.
  const Diagnostics& completion_errors() const;

  /// These rules with those that compare runs read and checked, in the same way and for as long, and with every define.
  /// To judge runs that are compared, and to answer queries.
  const LoadedRules& comparing() const;

  /// A rule by its id or one that it had before; null when there is none.
  const CheckedRule* find(std::string_view id) const;
  /// The id that a rule has now.
  std::string_view id_now(std::string_view id) const;
  /// Makes a rule active, whatever its status: for its tests.
  void activate(std::string_view id);
};

/// As LoadedRules::complete, with a share of what it gives.
Shared<LoadedRules> complete_rules(const Shared<LoadedRules>& rules);

/// The files with every rule, each read whole.
std::vector<std::shared_ptr<const RuleFile>> whole_files(std::vector<std::shared_ptr<const RuleFile>> files);

/// Checks all files together; every error and lint of every file is in the result, lints alone in its `warnings`. Of
/// several settings of one parameter the last wins. Rules are checked on `threads` threads (0: as parallel_for).
/// What was not read of a rule is read and checked when the files or settings change that rule, else when it fires or
/// by LoadedRules::complete. Throws Interrupted before the next rule once `cancel` is set.
Result<std::shared_ptr<const LoadedRules>> check_rules(std::vector<std::shared_ptr<const RuleFile>> files,
                                                       std::vector<ParamSetting> settings,
                                                       const RuleChoice& choice = {},
                                                       const std::vector<Shared<HostFunction>>& functions = {},
                                                       unsigned threads = 1, CancelFlag cancel = nullptr);

/// A rule of the set, checked once more with further evidence, under the settings and with the defines of the set: for
/// tests of its values, without the other rules. Lives as long as the set. Errors are those of the evidence.
Result<CheckedRule> check_with_evidence(const LoadedRules& rules, const CheckedRule& rule,
                                        std::vector<NamedExpression> evidence);

/// Checks one more expression in the scope of the library: for queries. Errors are added to `diagnostics`.
PlanPtr check_query(const Expression& expression, const LoadedRules& rules, Diagnostics& diagnostics);
/// The same of what has to be true or false; `what` it is, for messages. Null after an error.
PlanPtr check_run_condition(const Expression& expression, std::string_view what, const LoadedRules& rules,
                            Diagnostics& diagnostics);

}  // namespace kdiag
