// SPDX-License-Identifier: Apache-2.0
// For programs that help people to write rules: checkers, editors, generators of documentation. What a program needs
// that only diagnoses traces is in kdiag.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

// --- Checking -------------------------------------------------------------------------------------------------------

/// Diagnostics as one JSON document, schema "kdiag.diagnostics/1" (docs/tools.md). Byte-stable.
KDIAG_API std::string to_json(const Diagnostics& diagnostics);
/// Diagnostics as SARIF 2.1.0, with what each code means.
KDIAG_API std::string to_sarif(const Diagnostics& diagnostics);
/// Diagnostics as workflow commands of GitHub Actions, which shows them beside the lines of a change.
KDIAG_API std::string to_github(const Diagnostics& diagnostics);

/// What is wrong with the scripts of rules that are not built in, seen without running them: names that `kd` does not
/// have, and mistakes in the expressions that they ask for.
KDIAG_API Diagnostics script_mistakes(const RuleSet& rules);

/// What a YAML file holds, by its first key: rules (`kdiag: 1`), tests of rules (`kdiag_test: 1`), or something else.
enum class FileKind { rules, tests, other };
/// What cannot be read is of kind rules, so that reading it says why.
KDIAG_API FileKind file_kind(const std::string& path);

// --- Formatting -----------------------------------------------------------------------------------------------------

/// A rule file's text with blanks and blank lines as they should be: none at the ends of lines, one blank line between
/// rules, and in expressions one blank around operators and behind commas. Nothing but blanks changes; comments, the
/// order of keys and what is split over lines stay. `name` is for messages.
/// Errors: those of the file, which is not formatted until it is valid; K140 when the result would mean something else;
/// K690 soon after `cancel` was set.
KDIAG_API Result<std::string> format_rules(std::string_view name, std::string_view text,
                                           const std::atomic<bool>* cancel = nullptr);

// --- Limits ---------------------------------------------------------------------------------------------------------

/// What inputs may cost, and what happens then, as Markdown: `kdiag limits`, docs/limits.md.
KDIAG_API std::string limits_text();

// --- Beginning ------------------------------------------------------------------------------------------------------

/// A rule file to start from: commented, valid, with tests that pass. Errors: K114 no id of a rule.
KDIAG_API Result<std::string> rule_skeleton(std::string_view id);

/// A test for the `tests` of a rule, as YAML: the smallest facts found in the first run of a trace that keep what the
/// rule says of it: its outcome, the missing facts of an inconclusive one, severity and order of magnitude of the
/// impact of one that fired. With options.baseline the facts of its first run are cut, too. Takes counted work, at most
/// some seconds; the same trace gives the same test.
/// Errors: K311 no such rule, K699 when the outcome does not come from facts that a test can state, K690 once the host
/// asked to stop.
KDIAG_API Result<std::string> cut_test(const Facts& facts, const RuleSet& rules, std::string_view rule,
                                       const DiagnoseOptions& options = {});

// --- Asking ---------------------------------------------------------------------------------------------------------

/// What can stand at a place of a query: words that replace what begins at byte `begin`, in order.
struct QueryCompletion {
  std::size_t begin = 0;
  std::vector<std::string> words;
};
/// Tables, columns, functions, series, defines of the rules and words of the language that fit before the cursor.
KDIAG_API QueryCompletion complete_query(const RuleSet& rules, std::string_view text, std::size_t cursor);

/// What a table, column, function, series or define is, for people; without a topic, what can be asked.
KDIAG_API std::string query_help(const RuleSet& rules, std::string_view topic);

// --- Editors --------------------------------------------------------------------------------------------------------

/// The JSON Schema (2020-12) of rule files, test files and mappings, with what each key, table and column means.
KDIAG_API std::string rule_schema();

// --- Rules at hand --------------------------------------------------------------------------------------------------

/// A rule in one line.
struct RuleEntry {
  std::string id;
  std::string status;   ///< stable, incubating or deprecated; disabled when a file says so
  std::string role;     ///< cause, symptom or health
  std::string subject;  ///< run, rank, device, stream, step or thread: what it is judged for
  std::string summary;
  std::vector<std::string> tags;
  std::string pack, file;
  std::size_t line = 0;
};

/// All rules that were loaded, in file order, the disabled ones included.
KDIAG_API std::vector<RuleEntry> list_rules(const RuleSet& rules);
/// Some of them, as aligned text with a heading, or as a JSON list of objects.
KDIAG_API std::string to_text(const std::vector<RuleEntry>& rules);
KDIAG_API std::string to_json(const std::vector<RuleEntry>& rules);

/// Where a rule stands, and its lines as they stand there.
struct RuleSource {
  std::string file;
  std::size_t line = 0;
  std::string text;
};
/// Errors: K311 no such rule.
KDIAG_API Result<RuleSource> rule_source(const RuleSet& rules, std::string_view rule);

/// A page about a rule as Markdown: what it is about, how it decides, what it needs, what to do. Pages link to each
/// other by file: `clock.throttled.md`. Errors: K311 no such rule.
KDIAG_API Result<std::string> rule_page(const RuleSet& rules, std::string_view rule);
/// The page that lists them: `index.md`.
KDIAG_API std::string rule_index(const RuleSet& rules);

// --- Exchange -------------------------------------------------------------------------------------------------------

/// Writes what traces state as a facts file, schema "kdiag.facts/1" (docs/facts-file.md), which is an input like any
/// other. Whole traces: a scope of the options does not apply. `output` takes the file piece by piece and returns false
/// when it wants no more. Errors: as those of load_traces; K764 when there is no output or it throws.
KDIAG_API Status export_facts(std::span<const std::string> paths, const std::function<bool(std::string_view)>& output,
                              const LoadOptions& options = {});

}  // namespace kdiag
