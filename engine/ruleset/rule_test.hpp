// SPDX-License-Identifier: Apache-2.0
// Tests of rules as the engine sees them: facts, and what the rules must say of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/language/expression.hpp"

namespace kdiag {

/// A value of a test's facts or parameters as it stands in the file; test_facts and parse_param_value read it.
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

/// A parameter that a test changes.
struct TestSetting {
  Reference rule;
  std::string param;
  TestValue value;
};

/// A finding that must be there. What is not stated may be anything.
struct ExpectedFinding {
  Reference rule;
  std::optional<Severity> severity;
  std::optional<std::pair<std::int64_t, std::int64_t>> impact;  ///< ns, both included, around impact_ns
  std::optional<Reference> symptom_of;                          ///< the rule whose finding it must stand beneath
  std::string subject, title;                                   ///< empty: any
};

/// A rule that must not fire, and how it must end instead.
struct ExpectedOutcome {
  Reference rule;
  Outcome outcome = Outcome::clear;
  std::vector<Reference> missing;  ///< facts that an inconclusive outcome must name
};

struct Expectation {
  std::vector<ExpectedFinding> findings;
  std::vector<ExpectedOutcome> outcomes;
  bool only = false;  ///< no other finding is allowed
  Span only_span;
};

/// An expression and the value that it must have.
struct ValueTest {
  Reference rule;  ///< whose lets, parameters and subject the expression sees; empty: it is a query about the run
  Expression expression;
  TestValue equals;
  bool unknown = false;  ///< the value must be unknown, and `equals` says only that
  std::optional<TestValue> within;
  std::string subject;  ///< of the rule: empty: there must be only one
};

/// The run that a test compares with: stated tables, or a trace.
struct TestBaseline {
  std::vector<TestTable> facts;
  std::optional<Reference> trace;  ///< as RuleTest::trace
};

struct RuleTest {
  std::string name;
  Span span;
  Reference rule;  ///< the rule that it stands in; empty in test files
  std::vector<TestTable> facts;
  std::optional<Reference> trace;  ///< a file with the facts, relative to the file of the test
  std::optional<TestBaseline> baseline;
  std::vector<TestSetting> set;
  Expectation expect;
  std::vector<ValueTest> eval;
  bool todo = false;  ///< known not to hold yet
};

}  // namespace kdiag
