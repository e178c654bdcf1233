// SPDX-License-Identifier: Apache-2.0
// Marks the findings that a team accepts or knows.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/policy.hpp>
#include <kdiag/report.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/language/expression.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// What a team accepts.
struct Waiver {
  std::string rules;                      ///< a pattern of ids; empty: any
  std::vector<std::string> fingerprints;  ///< empty: any
  Expression condition;                   ///< of the run, that the plan points into
  PlanPtr when;                           ///< null: in every run
  WaivedEntry details;
};

/// What a Waivers handle holds.
struct LoadedWaivers {
  std::vector<Waiver> list;
  Shared<LoadedRules> rules;  ///< in whose terms the conditions are
};

/// Marks the findings of one report, run by run.
class PolicyMarks {
 public:
  /// Without a policy it marks nothing.
  explicit PolicyMarks(const Policy* policy);

  void mark(const RunContext& run, std::vector<Finding>& findings);
  /// Adds to the report what became of the waivers and of the known findings. Its outcomes have to be there.
  void add_to(Report& report) const;

 private:
  std::vector<std::size_t> waivers_of(const RunContext& run) const;
  void mark(Finding& finding, const std::vector<std::size_t>& in_force);
  bool has_expired(const Waiver& waiver) const;

  const std::optional<Waivers> waivers_;
  const std::optional<KnownFindings> known_findings_;
  std::string today_;
  std::vector<std::size_t> used_;  ///< by waiver: findings
  /// How bad a finding was, at its worst, in the earlier report.
  struct KnownAs {
    std::optional<Severity> severity;
    std::optional<double> impact_share;
  };
  static bool grew(const Finding& now, const KnownAs& before);
  void learn(const std::string& fingerprint, const KnownFinding& finding);

  std::map<std::string, KnownAs, std::less<>> known_;  ///< by fingerprint
  std::set<std::string, std::less<>> seen_;            ///< fingerprints
};

}  // namespace kdiag
