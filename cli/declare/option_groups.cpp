// SPDX-License-Identifier: Apache-2.0
#include "cli/declare/option_groups.hpp"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "cli/option_values.hpp"

namespace kdiag::cli {
namespace {

/// An option that can be given several times, with one value each.
void add_list(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
              std::vector<std::string>& values) {
  app.add_option(name, values, help)->type_name(type)->allow_extra_args(false);
}

/// An option that takes one of some names.
template <class Value>
void add_choice(CLI::App& app, const std::string& name, const std::string& help,
                const std::map<std::string, Value>& choices, Value& chosen) {
  std::string listed;
  for (const auto& [choice, value] : choices) listed += (listed.empty() ? "" : ", ") + choice;
  add_parsed(app, name, "NAME", help + " (" + listed + ")", [name, choices, listed, &chosen](const std::string& text) {
    const auto found = choices.find(text);
    if (found == choices.end()) throw CLI::ValidationError(name, "'" + text + "' is not one of " + listed);
    chosen = found->second;
  });
}

}  // namespace

CLI::Option& add_parsed(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                        const std::function<void(const std::string&)>& take) {
  return *app.add_option_function<std::string>(name, take, help)->type_name(type);
}

void OptionGroups::traces(CLI::App& app, bool required) {
  CLI::Option* files =
      app.add_option("traces", options_.files,
                     "Files, folders and archives of them, '-' for standard input, or FILE#2 for the second run");
  files->type_name("TRACE");
  if (required) files->required();
  times(app);
  scope(app);
}

void OptionGroups::sides(CLI::App& app) {
  app.add_option("sides", options_.files, "NORMAL and ABNORMAL, or one input that holds both runs")->type_name("TRACE");
  app.add_option("--normal", options_.normal,
                 "A file of the normal side; repeated for more files of it, or for several recordings")
      ->type_name("TRACE")
      ->allow_extra_args(false);
  app.add_option("--abnormal", options_.abnormal, "A file of the abnormal side; may be repeated")
      ->type_name("TRACE")
      ->allow_extra_args(false);
  app.add_option("--anchor", options_.compare.anchor, "The user range that is one cycle, in both runs")
      ->type_name("RANGE");
  add_parsed(app, "--per", "UNIT=N[,M]",
             "What a cycle does in the normal and the abnormal run: tokens=4096,16384. Times are for as many",
             [&](const std::string& text) { options_.compare.per = parse_samples("--per", text); });
  app.add_option("--top", options_.top, "Longest list of changes and of functions (default: 5 in text, else 20)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  times(app);
  scope(app);
}

void OptionGroups::times(CLI::App& app) {
  ScopeOptions& part = options_.load.scope;
  add_parsed(app, "--from", "TIME", "Judge from this time on, since the run's first instant",
             [&](const std::string& text) { part.from_ns = parse_time("--from", text); });
  add_parsed(app, "--to", "TIME", "Judge up to this time",
             [&](const std::string& text) { part.to_ns = parse_time("--to", text); });
}

void OptionGroups::baseline(CLI::App& app) {
  app.add_option("--baseline", options_.baseline,
                 "A run of the same work when it was good: a trace, folder, archive, facts file or FILE#2; repeatable")
      ->type_name("TRACE")
      ->allow_extra_args(false);
}

void OptionGroups::scope(CLI::App& app) {
  ScopeOptions& scope = options_.load.scope;
  app.add_option("--map", options_.maps, "A mapping by which CSV or JSON-lines files of your own are read; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_parsed(app, "--steps", "A..B", "Judge these steps only",
             [&](const std::string& text) { scope.steps = parse_steps(text); });
  app.add_option("--within", scope.within, "Judge what lies in ranges of this name only")->type_name("RANGE");
  app.add_option("--rank", scope.rank, "Judge this rank only")->type_name("N");
  app.add_option("--device", scope.device, "Judge this device only")->type_name("N");
  app.add_option("--threads", options_.load.threads, "Threads to read and judge with (default: all, at most 8)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  limits(app);
  app.add_flag("--strict", options_.strict,
               "Exit 5 when a rule is inconclusive or fails, 2 when any input is unreadable");
}

void OptionGroups::limits(CLI::App& app, const std::string& time) {
  LoadLimits& limits = options_.load.limits;
  add_parsed(app, "--max-memory", "SIZE", "Memory for facts and unpacking (default: a quarter of what there is; none)",
             [&](const std::string& text) { limits.bytes = parse_size("--max-memory", text); });
  add_parsed(app, "--max-unpacked", "SIZE", "Bytes out of compressed files and archives (default: 256GiB; none)",
             [&](const std::string& text) { limits.unpacked = parse_size("--max-unpacked", text); });
  add_parsed(app, "--max-time", "TIME", time,
             [&](const std::string& text) { options_.most_ms = parse_milliseconds("--max-time", text); });
}

void OptionGroups::rules(CLI::App& app) {
  app.add_option("--rules", options_.rules, "A rule file, added to the built-in rules; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_flag("--only-rules", options_.only_rules, "Without the built-in rules");
  add_parsed(app, "--set", "RULE.PARAM=VALUE", "Set a parameter of a rule; may be repeated",
             [this](const std::string& text) { options_.rule_options.set.push_back(parse_setting(text)); })
      .trigger_on_parse();
  app.add_flag("--incubating", options_.rule_options.incubating, "Judge by rules that are still incubating, too");
  add_list(app, "--select", "PATTERN", "Judge only rules of these ids: host, host.*, copy.pageable; repeatable",
           options_.rule_options.select);
  add_list(app, "--ignore", "PATTERN", "Do not judge rules of these ids; repeatable", options_.rule_options.ignore);
  config(app);
  trust(app);
}

void OptionGroups::config(CLI::App& app) {
  CLI::Option* file = app.add_option("--config", options_.config,
                                     "The project file (default: kdiag.yaml of this folder or of one above it)");
  file->type_name("FILE");
  app.add_flag("--no-config", options_.no_config, "Without a project file")->excludes(file);
}

void OptionGroups::trust(CLI::App& app) {
  app.add_flag("--no-lua", options_.no_lua, "Refuse rules in Lua; built-in ones are left out");
  app.add_flag("--allow-imports-outside", options_.rule_options.imports_outside,
               "Let rules import files outside of the folders of the named ones");
}

void OptionGroups::rule_files(CLI::App& app, bool required, const OutputFormats& formats) {
  CLI::Option* files = app.add_option("files", options_.files, "Rule files, or folders of them")->type_name("FILE");
  if (required) files->required();
  app.add_flag("--only-rules", options_.only_rules, "Without the built-in rules");
  trust(app);
  output(app, formats);
}

void OptionGroups::rule_tests(CLI::App& app) {
  app.add_option("files", options_.files,
                 "Rule files, test files, and folders that hold such; without any the built-in rules are tested")
      ->type_name("FILE|FOLDER");
  RuleTestOptions& test = options_.test;
  app.add_option("--filter", test.filter, "Run only tests whose name or rules contain a text")->type_name("TEXT");
  app.add_option("--run", test.pattern, "Run only tests whose name or rules match a regular expression")
      ->type_name("REGEX");
  app.add_flag("--coverage", test.coverage, "Say what no test has seen of the rules and their conditions");
  app.add_option("--min-coverage", options_.min_coverage, "Exit 4 when less of it was seen (implies --coverage)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0, 100).description(""));
  app.add_flag("--timings", test.timings, "Say what judging took, rule by rule");
  app.add_flag("--verbose", options_.verbose, "Name the tests that passed, too");
  app.add_flag("--only-rules", options_.only_rules, "Judge tests inside rules without the built-in rules");
  trust(app);
  output(app, {{"text", Format::text}, {"json", Format::json}, {"junit", Format::junit}});
}

void OptionGroups::output(CLI::App& app, const OutputFormats& formats) {
  if (formats.size() > 1) add_choice(app, "--format", "Output", formats, options_.format);
  app.add_option("-o,--output", options_.output, "Write to a file, all or nothing")->type_name("FILE");
  app.add_flag("--quiet", options_.quiet, "No progress and no warnings on standard error");
  app.add_flag("--no-color", options_.no_color, "No colours (also: NO_COLOR in the environment)");
}

void OptionGroups::layout(CLI::App& app) {
  app.add_option("--width", options_.width, "Columns of text (default: those of the terminal, 80 to 200; else 100)")
      ->type_name("N")
      ->check(CLI::Range(40, 10000).description(""));
}

void OptionGroups::fail_on(CLI::App& app) {
  add_choice<std::optional<Severity>>(app, "--fail-on",
                                      "Exit 1 when a finding, or a regression, is at least this severe",
                                      {{"never", {}},
                                       {"info", Severity::info},
                                       {"low", Severity::low},
                                       {"medium", Severity::medium},
                                       {"high", Severity::high},
                                       {"critical", Severity::critical}},
                                      options_.fail_on);
}

void OptionGroups::gates(CLI::App& app) {
  fail_on(app);
  add_choice<std::optional<GateScope>>(
      app, "--gate", "Which findings --fail-on and --strict are about: all, or what a comparison says came or grew",
      {{"findings", GateScope::findings}, {"changes", GateScope::changes}}, options_.gate);
  add_parsed(
      app, "--fail-above", "[PART=]LIMIT",
      "Exit 1 when the cycle, a part of it, function:NAME or finding:RULE is longer by more than 5% or 20ms, and "
      "by more than noise; may be repeated",
      [this](const std::string& text) { options_.fail_above.push_back(parse_growth("--fail-above", text)); })
      .trigger_on_parse();
}

void OptionGroups::policy(CLI::App& app) {
  app.add_option("--known", options_.known, "A JSON report whose findings are known: only others fail the command")
      ->type_name("FILE");
  add_parsed(app, "--today", "DATE", "The day on which waivers may have expired (default: today in UTC)",
             [this](const std::string& text) { options_.today = parse_date("--today", text); });
}

void OptionGroups::report(CLI::App& app) {
  gates(app);
  policy(app);
  app.add_flag("--all", options_.all, "Every finding and every outcome, not the first five");
  app.add_flag("--brief", options_.brief,
               "A line for each run and each finding; of --format markdown 40 lines at most, for a chat or an issue");
  layout(app);
  app.add_flag("--timings", options_.timings, "Say what it cost: by part, by rule, and by expression that rules share");
  app.add_flag("--profile", options_.profile,
               "The same with every rule and every shared expression, not the first ten");
}

CLI::App& OptionGroups::verb(CLI::App& parent, const std::string& name, const std::string& help, Verb verb,
                             const std::string& examples, const std::function<void(CLI::App&)>& declare) {
  CLI::App& app = *parent.add_subcommand(name, help);
  app.allow_extras();
  app.footer("Examples:\n" + examples);
  app.callback([this, verb, &app] {
    if (app.get_subcommands().empty()) options_.verb = verb;  // else it is the verb below that is meant
  });
  if (!words_ || std::find(words_->begin(), words_->end(), name) != words_->end()) declare(app);
  return app;
}

}  // namespace kdiag::cli
