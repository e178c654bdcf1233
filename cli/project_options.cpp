// SPDX-License-Identifier: Apache-2.0
#include "cli/project_options.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/option_values.hpp"
#include "cli/validate_options.hpp"

namespace kdiag::cli {
namespace {

bool wants_project(Verb verb) {
  switch (verb) {
    case Verb::diagnose:
    case Verb::compare:
    case Verb::query:
    case Verb::explain:
    case Verb::plan:
    case Verb::annotate:
    case Verb::rules_list:
    case Verb::rules_show:
    case Verb::rules_docs:
    case Verb::rules_new:
    case Verb::packs_lock:
    case Verb::packs_diff:
    case Verb::packs_update:
    case Verb::config_show: return true;
    default: return false;
  }
}

void put_first(std::vector<std::string> first, std::vector<std::string>& list) {
  first.insert(first.end(), list.begin(), list.end());
  list = std::move(first);
}

Format format_of(std::string_view word) {
  if (word == "json") return Format::json;
  if (word == "markdown") return Format::markdown;
  if (word == "sarif") return Format::sarif;
  if (word == "github") return Format::github;
  if (word == "gitlab") return Format::gitlab;
  return word == "junit" ? Format::junit : Format::text;
}

/// The inputs that patterns of the project file are about.
std::vector<std::string> judged_inputs(const Options& options) {
  if (options.verb != Verb::compare) return options.files;
  return options.files.empty() ? options.abnormal : std::vector<std::string>{options.files.back()};
}

void take_rules(const Project& project, Options& options) {
  const ProjectSettings& settings = project.settings();
  RuleOptions& rules = options.rule_options;
  if (!options.only_rules) put_first(settings.rules, options.rules);
  if (settings.builtin) rules.builtin = *settings.builtin;
  if (settings.incubating && !options.given.contains("--incubating")) rules.incubating = *settings.incubating;
  rules.settings = project.rules_for(judged_inputs(options));
}

/// What a report holds and means, of the verbs that make one.
void take_report(const ProjectSettings& settings, Options& options) {
  const auto given = [&](std::string_view option) { return options.given.contains(option); };
  if (!given("--known")) options.known = settings.known;
  if (!given("--fail-on")) options.fail_on = settings.fail_on;
  if (!given("--strict")) options.strict = settings.strict.value_or(options.strict);
  if (!given("--all")) options.all = settings.all.value_or(options.all);
  if (!given("--format") && !settings.format.empty()) options.format = format_of(settings.format);
}

/// The limits of a comparison. A mistake says where in the project file it stands.
std::optional<Stop> take_limits(const ProjectSettings& settings, Options& options) {
  const bool compares = options.verb == Verb::compare || options.verb == Verb::config_show || !options.baseline.empty();
  if (options.given.contains("--fail-above")) return std::nullopt;
  for (const std::string& text : settings.fail_above) try {
      const GrowthLimit limit = parse_growth("fail_above", text);
      if (compares) options.fail_above.push_back(limit);
    } catch (const CLI::ValidationError& error) {
      const auto value = std::find_if(settings.values.begin(), settings.values.end(),
                                      [](const ProjectValue& one) { return one.key == "fail_above"; });
      Stop stop = mistake(error.what(), "`--fail-above` of `kdiag compare --help` says what a limit is.");
      if (value != settings.values.end()) stop.text = shown_value(value->place) + ": " + stop.text;
      stop.code = exit_code::rules;
      return stop;
    }
  return std::nullopt;
}

}  // namespace

std::set<std::string, std::less<>> given_options(const CLI::App& app) {
  std::set<std::string, std::less<>> out;
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0)
      for (const std::string& name : option->get_lnames()) out.insert("--" + name);
  for (const CLI::App* verb : app.get_subcommands()) out.merge(given_options(*verb));
  return out;
}

std::string project_file(const Options& options) {
  if (options.no_config) return {};
  return options.config.empty() ? find_project(".") : options.config;
}

std::optional<Stop> apply_project(Options& options) {
  const std::string file = wants_project(options.verb) ? project_file(options) : std::string();
  if (file.empty()) return std::nullopt;
  const Result<Project> project = load_project(file);
  if (!project) return Stop{exit_code::rules, render(project.error())};
  options.project = *project;
  const ProjectSettings& settings = project->settings();
  take_rules(*project, options);
  put_first(settings.maps, options.maps);
  const bool reports =
      options.verb == Verb::diagnose || options.verb == Verb::compare || options.verb == Verb::config_show;
  const bool takes_baseline =
      options.verb == Verb::diagnose || options.verb == Verb::explain || options.verb == Verb::config_show;
  if (reports) take_report(settings, options);
  if (takes_baseline && options.baseline.empty() && !(options.verb == Verb::explain && options.files.empty()))
    options.baseline = project->baseline_for(options.files);
  return reports ? take_limits(settings, options) : std::nullopt;
}

}  // namespace kdiag::cli
