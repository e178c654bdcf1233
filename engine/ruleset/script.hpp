// SPDX-License-Identifier: Apache-2.0
// Rules that another language decides: the engine knows only what a script says of one subject.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/checking/check.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

class Evaluator;

/// What expressions of a script may name: all that those of its rule may.
struct ScriptScope {
  CheckScope names;
  std::shared_ptr<const DefineNames> defines;  ///< that `names` points to
};

/// What a script found. What it leaves out is as the rule says.
struct ScriptFinding {
  std::optional<Severity> severity;
  std::string title, message;  ///< empty: the rule's
  std::optional<Claim> impact, gain;
  std::optional<double> confidence;
  std::optional<RowRef> location;  ///< a row of frames
  std::vector<std::pair<std::string, EvidenceEntry>> evidence;
};

/// How a script ended on one subject: fired, clear, inconclusive or failed.
struct ScriptVerdict {
  Outcome outcome = Outcome::clear;
  Causes causes;       ///< of an inconclusive outcome
  std::string reason;  ///< of a failed one: "K750: ..."
  ScriptFinding finding;
  Value basis;                   ///< coverage and columns of all that it read; its data means nothing
  std::vector<std::string> log;  ///< for explanations: what it read, and its notes
};

/// Immutable: judges several subjects at a time, each in a state of its own.
class Script {
 public:
  Script() = default;
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  virtual ~Script() = default;

  /// Throws Interrupted once the host asked to stop, and nothing else but std::bad_alloc.
  virtual ScriptVerdict judge(const ScriptScope& scope, Evaluator& evaluator) const = 0;

  /// What its text shows to be wrong without running it, at its place there.
  virtual Diagnostics mistakes(const ScriptScope& scope) const = 0;

  /// Its text: what names it uses can be seen only there.
  virtual const SourcePtr& source() const = 0;
};

}  // namespace kdiag
