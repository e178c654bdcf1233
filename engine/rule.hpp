// SPDX-License-Identifier: Apache-2.0
// Rules as the engine sees them: parsed, not yet checked against the catalogue (engine/check does that).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/report.hpp>

#include "engine/expr.hpp"

namespace kdiag {

/// A text that was taken out of a file, with the place of each of its bytes, so that an error inside points at the
/// exact byte of the file.
struct SourceText {
  std::string text;
  SourcePtr source;                   ///< null for texts that have no file
  std::vector<std::uint32_t> origin;  ///< byte of the file for each byte of text, plus one for its end; empty when
                                      ///< the style (escapes, folding) allows no map
  Span whole;                         ///< the scalar in the file: the fallback place

  /// The place of a range of the text.
  Span span(TextRange range) const;
  /// A part of the text with its places.
  SourceText part(std::size_t begin, std::size_t end) const;
};

/// All of a source as one text: an expression that was given on the command line.
SourceText whole_text(const SourcePtr& source);

/// A parsed expression and its text.
struct Expression {
  ExprPtr tree;  ///< null when it did not parse (a diagnostic says so)
  SourceText text;
};

/// A text with `${...}` holes.
struct Template {
  struct Piece {
    std::string literal;
    std::optional<Expression> hole;  ///< set: `literal` is empty
  };
  std::vector<Piece> pieces;
  SourceText text;
  bool empty() const { return pieces.empty(); }
};

struct NamedExpression {
  std::string name;
  Span name_span;
  Expression value;
};

struct Param {
  std::string name;
  Span name_span;
  std::string type;  ///< dimension name, number, string, bool, list
  std::optional<Expression> default_value;
  std::optional<std::pair<Expression, Expression>> range;
  std::string doc;
};

struct SeverityTier {
  Severity severity = Severity::info;
  Expression condition;
};

struct Recommendation {
  Template text;
  std::optional<Expression> condition;
  std::string where, risk, url;
  std::optional<Expression> verify;
};

struct Exception {
  Expression when;
  std::string reason;
};

struct Reference {
  std::string rule;
  Span span;
};

enum class RuleRole : std::uint8_t { cause, symptom, health };
enum class RuleStatus : std::uint8_t { stable, incubating, deprecated };
std::string_view name_of(RuleRole role);
std::string_view name_of(RuleStatus status);

/// A value of a parameter or of a test's facts as it stands in the file; parse_param_value and test_facts read it.
struct TestValue {
  SourceText text;
  Span span;
};
struct TestCell {
  std::string column;
  Span span;  ///< of the column's name
  TestValue value;
};
using TestRow = std::vector<TestCell>;
struct TestTable {
  std::string table;
  bool absent = false;  ///< said to be not recorded, as tables are that a test does not mention
  Span span;            ///< of the table's name
  std::vector<TestRow> rows;
};
struct RuleTest {
  std::string name;
  Span span;
  std::vector<TestTable> facts;
  std::vector<std::pair<std::string, TestValue>> set;  ///< params of the rule
  Outcome expect = Outcome::fired;
  std::vector<std::string> missing;  ///< facts that an inconclusive outcome must name
  std::optional<std::pair<Expression, Expression>> impact;
  std::optional<Severity> severity;
};

struct Rule {
  std::string id;
  Span span;   ///< of the id
  Span block;  ///< where its mapping begins
  std::string pack;
  Template title, message;
  RuleRole role = RuleRole::cause;
  RuleStatus status = RuleStatus::stable;
  bool enabled = true;
  std::string summary, why, how, false_positives;
  std::vector<std::string> references, tags;
  std::string for_each;  ///< subject kind; empty: once per run
  Span for_each_span;
  std::optional<Expression> applies;
  std::vector<Reference> needs;  ///< `requires`: tables, table.column, samples:series
  std::vector<Param> params;
  std::vector<NamedExpression> let;
  std::optional<Expression> when;
  std::vector<SeverityTier> severity;
  std::optional<Expression> impact, gain, confidence, location;
  std::vector<NamedExpression> evidence;
  std::vector<Recommendation> recommend;
  std::vector<Exception> except;
  std::vector<Reference> explains, symptom_of;
  std::vector<Reference> replaces;  ///< ids that the rule had before
  std::vector<RuleTest> tests;
};

/// A derived fact that rules use by name; with parameters, as `tiny(20us)`.
struct Define {
  std::string name;
  Span name_span;
  std::string doc, type;
  std::vector<Param> params;  ///< names that `value` uses, without a `$`
  Expression value;
};

/// What a file changes of a rule that another file defines.
struct Override {
  struct ParamValue {
    std::string name;
    Span name_span;
    TestValue value;
  };
  Reference target;
  // set:
  std::vector<ParamValue> params;
  std::optional<std::vector<SeverityTier>> severity;
  std::optional<bool> enabled;
  // append:
  std::vector<Exception> except;
  std::vector<Recommendation> recommend;
  std::vector<std::string> tags;
};

/// One rule file.
struct RuleFile {
  SourcePtr source;
  bool builtin = false;
  std::string pack, version;
  std::string engine;              ///< ">=0.3": the kdiag it needs; empty: any
  std::vector<Reference> imports;  ///< `std`, or paths relative to this file
  std::vector<Define> defines;
  std::vector<Rule> rules;
  std::vector<Override> overrides;
  std::vector<std::string> withheld;  ///< ids of rules that the user did not want to load
};

}  // namespace kdiag
