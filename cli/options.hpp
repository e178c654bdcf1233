// SPDX-License-Identifier: Apache-2.0
// The command line: what the user asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/project.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/rule_values.hpp>

#include "cli/option_values.hpp"

namespace kdiag::cli {

// Exit codes. Of several that apply the first of docs/report.md counts, which is not the largest number.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int findings = 1;      ///< a top-level finding at or above --fail-on
inline constexpr int usage = 2;         ///< wrong command line, or no readable input
inline constexpr int rules = 3;         ///< invalid rules or mappings
inline constexpr int tests = 4;         ///< rule tests failed, or there are none
inline constexpr int inconclusive = 5;  ///< under --strict
inline constexpr int internal = 70;
inline constexpr int interrupted = 130;
}  // namespace exit_code

enum class Verb {
  diagnose,
  compare,
  trend,
  plan,
  annotate,
  query,
  explain,
  facts,
  summarize,
  fleet,
  formats,
  formats_check,
  rules_check,
  rules_test,
  rules_list,
  rules_show,
  rules_docs,
  rules_fmt,
  rules_new,
  rules_schema,
  limits,
  lsp,
  config_show,
  waive,
  packs_lock,
  packs_diff,
  packs_update,
  mcp,
  help,
};
enum class Format { text, json, csv, json_lines, sqlite, markdown, sarif, github, gitlab, junit, html, perfetto };

struct Options {
  Verb verb = Verb::diagnose;
  std::string subject;             ///< query: the expression; explain: the rule; facts: the table
  RuleView in_rule;                ///< query: --in and --subject
  std::vector<std::string> files;  ///< traces; rules check: rule files; formats check: mappings
  std::vector<std::string> rules;  ///< --rules
  std::vector<std::string> maps;   ///< --map
  std::string known;               ///< --known: a report
  std::string config;              ///< --config; empty: the project file that is found
  bool no_config = false;
  std::set<std::string, std::less<>> given;  ///< names of the options that the command line has
  std::optional<Project> project;
  std::string today;                          ///< empty: today
  NewWaiver waiver;                           ///< waive: what its entries say
  std::vector<std::string> baseline;          ///< --baseline
  std::vector<std::string> normal, abnormal;  ///< compare: the files of each side; from `files` when both are empty
  CompareOptions compare;
  std::optional<std::size_t> top;     ///< longest list of changes and functions: asked for
  std::vector<std::string> plan_for;  ///< --for: rules
  double model_flops = 0;             ///< --model-flops; 0: not said
  double parameters = 0, tokens = 0;  ///< --parameters and --tokens, which say the same; 0: not said
  std::size_t width = 0;              ///< --width; 0: that of the terminal
  std::string area, tag;              ///< rules list: those of which there are
  bool only_rules = false, no_lua = false;
  RuleOptions rule_options;
  LoadOptions load;
  std::int64_t most_ms = 0;  ///< --max-time; 0: no limit
  Format format = Format::text;
  std::string output;              ///< empty: standard output
  std::vector<std::string> roots;  ///< mcp
  unsigned jobs = 0;               ///< fleet: traces at a time
  std::string into;                ///< summarize: the folder of summaries
  Part part;                       ///< summarize: the traces of this process
  std::string slurm;               ///< fleet: the folder of a job of Slurm that judges instead
  unsigned chunks = 100;           ///< fleet: tasks of its array
  bool submit = false;             ///< fleet: hand it to Slurm
  std::string export_to;           ///< facts: the facts file to write, "-" for standard output
  std::optional<Severity> fail_on;
  std::vector<GrowthLimit> fail_above;  ///< of a comparison
  std::optional<GateScope> gate;        ///< --gate; else changes of compare, and findings of diagnose
  RuleTestOptions test;                 ///< rules test
  std::optional<int> min_coverage;      ///< rules test: percent
  bool verbose = false;                 ///< rules test
  bool strict = false, quiet = false, all = false, brief = false, timings = false, profile = false, no_color = false,
       catalogue = false, wide = false, werror = false, check = false, force = false, write = false;
};

/// Whether the rows of one table of facts are asked for.
inline bool writes_one_table(const Options& options) {
  return options.verb == Verb::facts && (options.format == Format::csv || options.format == Format::json_lines);
}

/// What to print instead of doing anything: help and version on standard output, mistakes on standard error.
struct Stop {
  int code = exit_code::ok;
  std::string text;
};

/// Reads the command line.
std::variant<Options, Stop> parse_options(int argc, const char* const* argv);

}  // namespace kdiag::cli
