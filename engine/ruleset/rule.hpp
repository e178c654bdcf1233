// SPDX-License-Identifier: Apache-2.0
// Rules as the engine sees them: parsed, not yet checked against the catalogue (engine/checking/check does that).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/report.hpp>

#include "engine/language/define.hpp"
#include "engine/language/expression.hpp"
#include "engine/language/template.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

class Script;

/// A text that is said only where its condition holds, if it has one.
struct Sentence {
  Template text;
  std::optional<Expression> condition;
};

struct NamedExpression {
  std::string name;
  Span name_span;
  Expression value;
};

/// One entry of `severity:`: a word and when it holds, or a ladder and the value that it grades.
struct SeverityTier {
  Severity severity = Severity::info;  ///< meaningless beside a ladder
  Expression condition;                ///< of a ladder: the value
  std::optional<Reference> ladder;     ///< its name
};

/// A scale of severities that many rules share: a name, and the value above which each severity holds.
struct SeverityLadder {
  struct Step {
    Severity severity = Severity::info;
    Expression bound;
  };
  std::string name;
  Span name_span;
  std::string doc, type;
  std::vector<Step> steps;  ///< from the most severe to the least
  Severity otherwise = Severity::low;
};

struct Recommendation {
  Template text;
  std::optional<Expression> condition;
  std::vector<Reference> unless;  ///< rules whose findings make it wrong
  std::string where, risk, url;
  std::optional<Expression> verify;
};

struct Exception {
  Expression when;
  std::string reason;
};

/// What of the time that a rule claims is paid once, however long the run.
struct OneOff {
  std::string what;  ///< how reports call the cost
  Expression time;
};

enum class RuleRole : std::uint8_t { cause, symptom, health };
enum class RuleStatus : std::uint8_t { stable, incubating, deprecated };

/// How much of a rule of a built-in pack was read.
enum class RuleParts : std::uint8_t {
  whole,
  decision,  ///< what it is and what decides whether it fires; Rule::whole reads the rest
  compared,  ///< what it is: there is nothing to compare with; RuleFile::comparing reads what decides
  outline,   ///< what it is: it is not judged; RuleFile::whole reads the rest
};

std::string_view name_of(RuleRole role);
std::string_view name_of(RuleStatus status);

struct Rule {
  std::string id;
  Span span;   ///< of the id
  Span block;  ///< where its mapping begins
  std::string pack;
  std::vector<Sentence> title;    ///< alternatives: the first that holds; the last one always does
  std::vector<Sentence> message;  ///< all that hold, one behind the other
  RuleRole role = RuleRole::cause;
  RuleStatus status = RuleStatus::stable;
  bool enabled = true;
  bool compares = false;  ///< not applicable without a run to compare with, or stated comparisons
  std::string summary, why, how, false_positives;
  std::vector<std::string> references, tags;
  std::string for_each;                       ///< as written; empty: once per run
  std::optional<Expression> for_each_groups;  ///< when it is `table group by (columns)`
  Span for_each_span;
  std::optional<Expression> applies;
  std::vector<Reference> needs;  ///< `requires`: tables, table.column, samples:series
  std::vector<Param> params;
  std::vector<NamedExpression> let;
  std::optional<Expression> when;
  std::optional<Reference> script_path;  ///< `script:` as written, in the place of `when`
  std::shared_ptr<const Script> script;  ///< what it names
  std::vector<SeverityTier> severity;
  std::optional<Expression> impact, gain, confidence, location;
  bool no_gain = false;  ///< `gain: none`: nobody knows what a repair would bring
  std::vector<NamedExpression> evidence;
  std::optional<OneOff> one_off;
  std::vector<Recommendation> recommend;
  std::optional<Expression> verify;  ///< of recommendations that have none of their own
  std::vector<Exception> except;
  std::vector<Reference> explains, symptom_of;
  std::vector<Reference> replaces;  ///< ids that the rule had before
  std::vector<Reference> doubts;    ///< tables that a rule of role health makes untrustworthy
  std::optional<Severity> caps;     ///< of a rule of role health: no finding on time is more severe where it fires
  Span caps_span;
  std::vector<RuleTest> tests;
  bool tests_apart = false;  ///< of a built-in rule: it was read without its tests (packs/tests_of_rule.hpp has them)
  RuleParts parts = RuleParts::whole;
  /// Of a rule of which only the decision was read: all of it but its tests.
  std::function<std::shared_ptr<const Rule>()> whole;
};

/// Where a diagnostic within a rule stands, for Diagnostic::context: "rule host.bound"; empty for a rule without an id.
std::string context_of(const Rule& rule);

/// The title as it is written; of several the one that always holds.
const std::string& title_text(const Rule& rule);
/// Of its parameters, as it declares them.
std::vector<std::string_view> param_names(const Rule& rule);
/// Whether a rule declares a parameter of this name.
bool has_param(const Rule& rule, std::string_view name);

/// What a file changes of a rule that another file defines, or of all rules of a pack.
struct Override {
  struct ParamValue {
    std::string name;
    Span name_span;
    TestValue value;
  };
  Reference target;
  bool of_pack = false;  ///< the target is the name of a pack
  // set:
  std::vector<ParamValue> params;
  std::optional<std::vector<SeverityTier>> severity;
  std::optional<bool> enabled;
  // append:
  std::vector<Exception> except;
  std::vector<Recommendation> recommend;
  std::vector<std::string> tags;
};

/// One rule file, or a pack that is a folder.
struct RuleFile {
  SourcePtr source;              ///< the file, or the pack.yaml of the folder
  std::vector<SourcePtr> parts;  ///< of a folder: the files of its rules and of their tests
  bool builtin = false;
  bool project = false;  ///< what a project file says of rules: it has none of its own
  std::string pack, version;
  Span pack_span;                  ///< of the pack's name
  std::string engine;              ///< ">=0.3": the kdiag it needs; empty: any
  bool compares = false;           ///< Rule::compares of its rules
  std::vector<Reference> imports;  ///< `std`, or paths relative to this file
  std::vector<Define> defines;
  std::vector<SeverityLadder> ladders;
  std::vector<Rule> rules;
  std::vector<Override> overrides;
  std::vector<std::string> withheld;  ///< ids of rules that the user did not want to load
  /// Of a built-in pack with rules that were read in part: the same file, of the same source, with all of them.
  std::function<std::shared_ptr<const RuleFile>()> whole;
  /// Of one that compares: the same file with what decides whether its rules fire.
  std::function<std::shared_ptr<const RuleFile>()> comparing;
};

}  // namespace kdiag
