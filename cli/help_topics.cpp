// SPDX-License-Identifier: Apache-2.0
#include "cli/help_topics.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include <kdiag/catalogue.hpp>
#include <kdiag/tools.hpp>

#include "cli/command_docs.hpp"
#include "cli/validate_options.hpp"

namespace kdiag::cli {

const char* const exit_codes = R"(Exit codes, the first that applies:
  70 internal error   130 interrupted   2 usage, or no readable input   3 invalid rules or mappings
  4 rule tests failed   1 a finding at or above --fail-on   5 inconclusive under --strict   0 otherwise)";

namespace {

constexpr const char* project_example = R"(kdiag.yaml, in this folder or in one above it, says what a team wants:

kdiag_project: 1
rules: [rules/team]            # rule files and folders, beside the built-in packs; builtin: false leaves those out
select: [host, gpu.*]          # rules that judge: ids, patterns, areas; ignore: rules that do not
params:
  host.sync-stall: {share: 10%}
for:                           # params, and a baseline, of some inputs or devices
  - {input: '*/nightly/*', baseline: good/nightly.jsonl}
fail_on: high                  # also fail_above, strict, baseline, known, maps, output
waivers:                       # findings that are accepted: rule or fingerprint, reason, until, owner, when
  - {rule: copy.pageable, reason: the loader is replaced in May, until: 2027-05-31}

The command line wins. `kdiag config show` prints what holds here and which line says so.)";

std::string language(const RuleSet& rules) {
  return "Expressions are answered by `kdiag query`, and decide rules.\n" + query_help(rules, {}) +
         "`kdiag help NAME` says what one of them is.";
}
std::string rule_file(const RuleSet&) {
  return "A rule file to start from, as `kdiag rules new team.example` prints it:\n\n" +
         rule_skeleton("team.example").value();
}
std::string exit_code_text(const RuleSet&) { return exit_codes; }
std::string project_text(const RuleSet&) { return project_example; }

/// What is no verb. The set of rules is the built-in one.
struct Topic {
  std::string_view name, about;
  std::string (*text)(const RuleSet& rules);
};
constexpr Topic topics[] = {
    {"exit-codes", "what the exit code says", exit_code_text},
    {"language", "tables, functions and defines of expressions", language},
    {"rule-file", "a rule with tests, to start from", rule_file},
    {"project-file", "kdiag.yaml: rules, parameters, gates and waivers of a team", project_text},
};

std::string padded(std::string_view text) {
  constexpr std::size_t column = 16;
  return std::string(text) + std::string(column - std::min(column - 1, text.size()), ' ');
}

std::string list_of_topics(const CLI::App& app) {
  std::string out = "kdiag help TOPIC explains\n\n";
  for (const Topic& topic : topics) out += "  " + padded(topic.name) + std::string(topic.about) + "\n";
  out += "\nhow a verb is called:\n\n";
  for (const VerbEntry& verb : verbs_of(app))
    if (!verb.path.empty()) out += "  " + padded(verb.path) + verb.app->get_description() + "\n";
  return out + "\nand the id of a rule (host.sync-stall), a table, column, function or series (kernels, dur, busy).\n";
}

/// Tables, functions and defines; functions without the bracket that a prompt would add.
std::vector<std::string> words_of_language(const RuleSet& rules) {
  std::vector<std::string> words = complete_query(rules, {}, 0).words;
  for (std::string& word : words)
    if (word.ends_with('(')) word.pop_back();
  return words;
}

/// The help of a rule, or of a word of the language; empty: there is no such thing.
std::string help_on_name(const RuleSet& rules, const std::string& name) {
  if (const Result<std::string> rule = describe_rule(rules, name)) return *rule;
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) {  // a column as facts are named: kernels.dur
    const std::string column = name.substr(dot + 1);
    return find_column(name.substr(0, dot), column).valid() ? query_help(rules, column) : std::string();
  }
  const std::vector<std::string> words = words_of_language(rules);
  const bool known = std::find(words.begin(), words.end(), name) != words.end() ||
                     std::any_of(std::begin(catalogue_columns), std::end(catalogue_columns),
                                 [&](const ColumnInfo& column) { return column.name == name; }) ||
                     std::any_of(std::begin(catalogue_series), std::end(catalogue_series),
                                 [&](const SeriesInfo& series) { return series.name == name; });
  return known ? query_help(rules, name) : std::string();
}

std::string meant_by(const std::string& name, const CLI::App& app, const RuleSet& rules) {
  std::vector<std::string> names;
  for (const Topic& topic : topics) names.emplace_back(topic.name);
  for (const VerbEntry& verb : verbs_of(app)) names.push_back(verb.path);
  for (const RuleEntry& rule : list_rules(rules)) names.push_back(rule.id);
  for (std::string& word : words_of_language(rules)) names.push_back(std::move(word));
  for (const ColumnInfo& column : catalogue_columns) names.emplace_back(column.name);
  for (const SeriesInfo& series : catalogue_series) names.emplace_back(series.name);
  return did_you_mean(name, {names.begin(), names.end()});
}

/// "kdiag rules" of "rules check".
std::string command_around(const CLI::App& app, const std::string& verb) {
  const std::size_t last = verb.rfind(' ');
  return app.get_name() + (last == std::string::npos ? "" : " " + verb.substr(0, last));
}

}  // namespace

std::vector<HelpPage> help_pages() {
  const Result<RuleSet> rules = builtin_rules();
  std::vector<HelpPage> out;
  if (!rules) return out;
  for (const Topic& topic : topics)
    out.push_back({std::string(topic.name), std::string(topic.about), topic.text(*rules)});
  return out;
}

Stop help_on_topic(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return {exit_code::ok, list_of_topics(app)};
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
  for (const VerbEntry& verb : verbs_of(app))
    if (verb.path == name) return {exit_code::ok, verb.app->help(command_around(app, name))};
  const Result<RuleSet> rules = builtin_rules();
  if (!rules) return {exit_code::internal, render(rules.error())};
  const auto topic = std::find_if(std::begin(topics), std::end(topics), [&](const Topic& t) { return t.name == name; });
  std::string text = topic != std::end(topics) ? topic->text(*rules) + "\n" : help_on_name(*rules, name);
  if (!text.empty()) return {exit_code::ok, std::move(text)};
  const std::string meant = meant_by(name, app, *rules);
  return mistake("there is no topic '" + name + "'", meant.empty() ? "`kdiag help` lists the topics." : meant);
}

}  // namespace kdiag::cli
