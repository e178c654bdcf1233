// SPDX-License-Identifier: Apache-2.0
#include "cli/validate_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <kdiag/diagnostic.hpp>
#include <kdiag/refusal_ids.hpp>

#include "cli/option_values.hpp"

namespace kdiag::cli {
namespace {

std::string suggest_option(std::string_view wrong, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return did_you_mean(wrong, {names.begin(), names.end()});
}

const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.back());
}

std::string suggest_verb(std::string_view wrong, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return did_you_mean(wrong, {names.begin(), names.end()});
}

/// "kdiag rules check": the verb that was given, as it is written.
std::string command_of(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return app.get_name() + (chosen.empty() ? "" : " " + command_of(*chosen.back()));
}

/// `kdiag query` without an expression asks for them, on a terminal.
std::optional<Stop> find_query_mistake(const Options& options) {
  const char* usage = "Write kdiag query 'EXPR' trace.json; with a trace alone it asks for expressions, on a terminal.";
  if (options.subject.empty() && options.files.empty())
    return mistake("neither an expression nor a trace is given", usage);
  if (options.files.empty()) return mistake("no trace is given", usage);
  const bool terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
  if (options.subject.empty() && !terminal)
    return mistake("no expression is given, and there is no terminal to ask on", usage);
  if (options.subject.empty() && !options.output.empty()) return mistake("--output needs an expression", usage);
  return std::nullopt;
}

/// Which rows of facts are meant.
std::optional<Stop> find_facts_mistake(const Options& options) {
  const bool rows = writes_one_table(options) || options.format == Format::sqlite;
  if (writes_one_table(options) && options.subject.empty())
    return mistake("--format csv and jsonl write one table, and none is named",
                   "Name it behind the traces: kdiag facts trace.json kernels --format csv. `kdiag facts TRACE` lists "
                   "those that there are; --format sqlite writes all of them.");
  if (!writes_one_table(options) && !options.subject.empty())
    return mistake("the rows of '" + options.subject + "' are written as --format csv or jsonl",
                   "`kdiag query " + options.subject + " TRACE` prints them.");
  if (rows && !options.export_to.empty())
    return mistake("--export writes a facts file, which has no other format", "Leave --format out.");
  return std::nullopt;
}

/// The jobs of --slurm judge by the rules of fleets, as text: what else is given would be lost.
std::optional<Stop> find_slurm_mistake(const CLI::App& fleet) {
  constexpr std::string_view known[] = {"--slurm", "--chunks", "--submit", "--quiet", "--no-color"};
  for (const CLI::Option* option : fleet.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || option->get_positional() || std::ranges::find(known, name) != std::end(known)) continue;
    return mistake("the jobs that --slurm writes know nothing of " + name,
                   "Add it to judge.sh, which is one of them, or judge the summaries without --slurm.");
  }
  return std::nullopt;
}

/// A side is given by its place or by its option, and there are two.
std::optional<Stop> find_compare_mistake(const Options& options) {
  const char* usage =
      "Write kdiag compare NORMAL ABNORMAL; --normal FILE and --abnormal FILE where a side has several files; or one "
      "input that holds both runs.";
  const bool by_option = !options.normal.empty() || !options.abnormal.empty();
  if (by_option && !options.files.empty())
    return mistake("'" + options.files.front() + "' is on neither side, as the sides are given by options", usage);
  if (by_option && options.normal.empty()) return mistake("the normal side is missing", usage);
  if (by_option && options.abnormal.empty()) return mistake("the abnormal side is missing", usage);
  if (!by_option && options.files.empty()) return mistake("there is nothing to compare", usage);
  std::vector<std::string> all = options.files;
  all.insert(all.end(), options.normal.begin(), options.normal.end());
  all.insert(all.end(), options.abnormal.begin(), options.abnormal.end());
  if (std::count(all.begin(), all.end(), "-") > 1)
    return mistake("standard input cannot be given twice", "Give all sides but one as files.");
  if (options.files.size() > 2)
    return mistake(std::to_string(options.files.size()) + " inputs are given, and which side they are on is not",
                   usage);
  return std::nullopt;
}

}  // namespace

std::string help_on(const CLI::App& app) { return "`" + command_of(app) + " --help` shows what can be given."; }

Stop mistake(const std::string& what, const std::string& help) {
  Diagnostic error;
  error.id = refusal_id::usage;
  error.title = what;
  error.help = help.empty() ? "`kdiag --help` shows what can be given." : help;
  return {exit_code::usage, render(error)};
}

Stop missing_argument(const CLI::App& app) {
  for (const CLI::Option* option : innermost(app).get_options())
    if (option->get_required() && option->count() == 0)
      return mistake(option->get_type_name() + " is missing", help_on(app));
  return mistake("something is missing", help_on(app));
}

std::optional<Stop> validate_options(const CLI::App& app, const Options& options) {
  const CLI::App& verb = innermost(app);
  std::vector<std::string> extra = app.remaining(true);
  // CLI11 keeps the mark behind which all words are files with what it could not place.
  if (const auto mark = std::find(extra.begin(), extra.end(), "--"); mark != extra.end()) extra.erase(mark);
  if (!extra.empty()) {
    const std::string& word = extra.front();
    const std::string name = word.substr(0, word.find('='));
    const std::string meant = word.starts_with("-") ? suggest_option(name, verb) : suggest_verb(word, verb);
    return mistake(word.starts_with("-") ? "there is no option " + name : "unexpected argument '" + word + "'",
                   meant.empty() ? help_on(app) : meant);
  }
  for (const std::string group : {"rules", "packs", "config"})
    if (verb.get_name() == group && app.got_subcommand(group))
      return mistake("what to do with the " + group + " is missing",
                     "`kdiag " + group + " --help` lists what can be done.");
  if (options.verb == Verb::query)
    if (auto wrong = find_query_mistake(options)) return wrong;
  if (options.verb == Verb::facts && !options.catalogue)
    if (auto wrong = find_facts_mistake(options)) return wrong;
  if (!options.slurm.empty())
    if (auto wrong = find_slurm_mistake(verb)) return wrong;
  if (options.verb == Verb::compare)
    if (auto wrong = find_compare_mistake(options)) return wrong;
  const bool needs_files = options.verb == Verb::diagnose || (options.verb == Verb::facts && !options.catalogue);
  if (needs_files && options.files.empty())
    return mistake("no trace is given", "Give files: kdiag trace.json, or - for standard input.");
  if (options.verb == Verb::diagnose) {
    const std::string& first = options.files.front();
    if (first != "-" && ::access(first.c_str(), F_OK) != 0)
      if (const std::string meant = suggest_verb(first, app); !meant.empty())
        return mistake("'" + first + "' is neither a file nor a verb", meant);
  }
  if (operations_of_token * options.parameters * options.tokens > most_counted)
    return mistake("--parameters and --tokens are more than any step computes",
                   "Tokens are those of a step on all devices: --parameters 6.7B --tokens 32k, which are 32,000.");
  if (!options.baseline.empty() && options.files.empty())
    return mistake("--baseline needs a trace to compare with it", "Give both: --baseline good.json slow.json.");
  const bool compares = options.verb == Verb::compare || !options.baseline.empty();
  if (!compares && options.verb != Verb::config_show && !options.fail_above.empty())
    return mistake("--fail-above is about a comparison", "Give the run to compare with: --baseline good.json.");
  if (!compares && options.gate == GateScope::changes)
    return mistake("--gate changes is about a comparison", "Give the run to compare with: --baseline good.json.");
  if (options.timings && options.format != Format::text && options.format != Format::json)
    return mistake("--timings are printed as text or JSON", "Leave --format out, or write --format json.");
  if (options.format == Format::html && options.output.empty() && ::isatty(STDOUT_FILENO) != 0)
    return mistake("--format html makes a page for a browser, and this is a terminal",
                   "Write it to a file: --output report.html.");
  const auto from_stdin = [](const std::vector<std::string>& files) {
    return std::find(files.begin(), files.end(), "-") != files.end();
  };
  if (from_stdin(options.files) && from_stdin(options.baseline))
    return mistake("standard input cannot be both the trace and its baseline", "Give one of them as a file.");
  const bool brings_rules =
      (options.verb == Verb::rules_test || options.verb == Verb::rules_check) && !options.files.empty();
  if (options.only_rules && options.rules.empty() && !brings_rules)
    return mistake("--only-rules leaves no rules", "Name rule files with --rules.");
  return std::nullopt;
}

}  // namespace kdiag::cli
