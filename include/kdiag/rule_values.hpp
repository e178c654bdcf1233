// SPDX-License-Identifier: Apache-2.0
// The values behind what a rule says, each with the expression that gives it again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

/// In the place of which rule, and of which of its subjects, something is asked.
struct RuleView {
  std::string rule;  ///< its id
  std::string run;   ///< id of a run, as RunEntry::id; empty: all
  /// Id of a subject, else a label, as in SubjectEntry; "#3" is the third of the rule, and "##3" what is called "#3".
  /// Empty: all.
  std::string subject;
};

/// As query(), with the parameters and lets of a rule, for each of its subjects: where the rule says `stall`, so does
/// the query. Of one subject the answer is as that of one run; of several each part says its run and subject.
///
///     kdiag::query_in_rule(*facts, *rules, {.rule = "host.sync-stall", .subject = "GPU 0"}, "stall / run.wall")
///
/// Errors: K311 no such rule, K1xx-K3xx of the expression, K694 when the rule has no such subject in these facts, K690
/// once the host asked to stop.
KDIAG_API Result<QueryAnswer> query_in_rule(const Facts& facts, const RuleSet& rules, const RuleView& view,
                                            std::string_view expression, const QueryOptions& options = {});

/// Which rows of an answer are wanted: of a table, of a list, of the parts of a set of time or of a series.
struct AnswerRows {
  std::size_t first = 0, most = 20;
};

/// Which runs, or subjects of a rule, are wanted: first those of the first run.
struct PlaceRange {
  std::size_t first = 0, most = 100;
};

/// What one run, or one subject of a rule, answers.
struct PlaceAnswer {
  std::string run;
  SubjectEntry subject;
  std::string text;               ///< for people
  std::string json;               ///< as QueryAnswer::json has it for one run, of the rows that are wanted
  std::size_t rows_left_out = 0;  ///< that come behind these
  bool unknown = false;
};

struct PlaceAnswers {
  std::vector<PlaceAnswer> places;
  std::size_t left_out = 0;  ///< places that come behind these
};

/// As query_in_rule(), and as query() where the view names no rule, in pieces: of a table that is larger than the facts
/// no more is made than is wanted. Errors: as theirs.
KDIAG_API Result<PlaceAnswers> query_places(const Facts& facts, const RuleSet& rules, const RuleView& view,
                                            std::string_view expression, const AnswerRows& rows,
                                            const PlaceRange& places, const QueryOptions& options = {});

/// A value that a rule rests on or states.
struct RuleValue {
  /// What the rule uses it for: "condition" (it holds, and the rule would not fire if it did not), "exception" (it does
  /// not hold, and the rule would not fire if it did), "compared" (a side of a condition), "let", "impact", "gain",
  /// "confidence", "title", "message" or "evidence".
  std::string part;
  std::string name;               ///< of a let or a piece of evidence; of an exception the reason that it states
  std::string expression;         ///< what query_in_rule() answers with `json`
  std::string text;               ///< for people
  std::string json;               ///< as QueryAnswer::json; of a table the first rows
  std::size_t rows_left_out = 0;  ///< of a table: rows that are not in `text` and `json`
  bool unknown = false;
};

/// How a rule judges a subject, and by which values.
struct RuleJudgement {
  std::string run;
  SubjectEntry subject;
  std::size_t number = 1;  ///< among the subjects of the rule in its run: "#1" in RuleView::subject
  Outcome outcome = Outcome::clear;
  std::string reason, nearest;        ///< as in OutcomeEntry
  std::vector<MissingEntry> missing;  ///< of an inconclusive outcome
  std::vector<RuleValue> values;  ///< in the order of RuleValue::part; none of a rule in Lua, which has no expressions
};

struct RuleJudgements {
  std::vector<RuleJudgement> subjects;  ///< in the order of the rule's subjects
  std::size_t left_out = 0;             ///< subjects that come behind these
};

struct RuleValuesOptions {
  std::size_t rows = 5;  ///< of each table, at most
  PlaceRange subjects = {};
  std::optional<Facts> baseline = {};         ///< as in DiagnoseOptions
  const std::atomic<bool>* cancel = nullptr;  ///< as in DiagnoseOptions
};

/// The values of a rule for the subjects of a view: every number that its condition compares, and where it fires those
/// of its impact, gain, confidence, texts and evidence. Errors: as query_in_rule().
KDIAG_API Result<RuleJudgements> rule_values(const Facts& facts, const RuleSet& rules, const RuleView& view,
                                             const RuleValuesOptions& options = {});

}  // namespace kdiag
