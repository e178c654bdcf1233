// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include <CLI/CLI.hpp>

#include <kdiag/diagnostic.hpp>

namespace kdiag::cli {
namespace {

constexpr const char* examples = R"(
Examples:
  kdiag trace.json.gz                          judge a trace by the built-in rules
  kdiag rank0.json rank1.json gpu.csv          ranks and telemetry of one run
  kdiag --rules throttle.yaml trace.json       add rules of your own; --only-rules for theirs alone
  kdiag --steps 5..15 --device 0 trace.json    judge a part of the run
  kdiag trace.json#2                           the second run of a file
  kdiag --format json --fail-on high trace.json
  kdiag query 'sum(kernels, dur)' trace.json
  kdiag explain host.sync-stall trace.json     why it fired or not; without a trace: what it needs
  kdiag rules test throttle.yaml               run the tests inside rules
  zstdcat trace.json.zst | kdiag -             read standard input

Exit codes, the first that applies:
  70 internal error   130 interrupted   2 usage, or no readable input   3 invalid rules
  4 rule tests failed   1 a finding at or above --fail-on   5 inconclusive under --strict   0 otherwise)";

template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// `5..15`, `5..`, `..15` or `7`.
std::pair<std::int64_t, std::int64_t> parse_steps(std::string_view text) {
  std::pair<std::int64_t, std::int64_t> steps{std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max()};
  const std::size_t dots = text.find("..");
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
  const bool good =
      (first.empty() || parse_number(first, steps.first)) && (last.empty() || parse_number(last, steps.second));
  if (!good || (first.empty() && last.empty()) || steps.first > steps.second)
    throw CLI::ValidationError("--steps", "'" + std::string(text) + "' is no range of steps; write 5..15 or 7");
  return steps;
}

/// `1.5s`, `200ms`, ... since the run's first instant.
std::int64_t parse_time(const std::string& option, std::string_view text) {
  static const std::map<std::string_view, double> units = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}};
  const std::size_t unit_begin = text.find_first_not_of("0123456789.");
  const auto unit = units.find(unit_begin == std::string_view::npos ? std::string_view{} : text.substr(unit_begin));
  double number = 0;
  if (unit == units.end() || !parse_number(text.substr(0, unit_begin), number) || number * unit->second > 9.2e18)
    throw CLI::ValidationError(
        option, "'" + std::string(text) + "' is no time; write 1.5s or 200ms (units: ns, us, ms, s, min)");
  return std::llround(number * unit->second);
}

std::pair<std::string, std::string> parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).rfind('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos || dot == 0 || equals + 1 == text.size())
    throw CLI::ValidationError(
        "--set", "'" + std::string(text) + "' sets nothing; write rule.param=value, as in clock.throttled.margin=8%");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

/// An option whose value `take` understands or refuses.
CLI::Option& add_parsed(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                        std::function<void(const std::string&)> take) {
  return *app.add_option_function<std::string>(name, std::move(take), help)->type_name(type);
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

/// Declares the options; each verb takes the groups that mean something to it.
class Declaration {
 public:
  explicit Declaration(Options& options) : options_(options) {}

  void traces(CLI::App& app, bool required) {
    CLI::Option* files = app.add_option("traces", options_.files,
                                        "Files, '-' for standard input, or FILE#2 for the second run of a file");
    files->type_name("TRACE");
    if (required) files->required();
    ScopeOptions& scope = options_.load.scope;
    add_parsed(app, "--steps", "A..B", "Judge these steps only",
               [&](const std::string& text) { scope.steps = parse_steps(text); });
    app.add_option("--within", scope.within, "Judge what lies in ranges of this name only")->type_name("RANGE");
    add_parsed(app, "--from", "TIME", "Judge from this time on, since the run's first instant",
               [&](const std::string& text) { scope.from_ns = parse_time("--from", text); });
    add_parsed(app, "--to", "TIME", "Judge up to this time",
               [&](const std::string& text) { scope.to_ns = parse_time("--to", text); });
    app.add_option("--rank", scope.rank, "Judge this rank only")->type_name("N");
    app.add_option("--device", scope.device, "Judge this device only")->type_name("N");
    app.add_option("--threads", options_.load.threads, "Threads to read and judge with (default: all, at most 8)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024).description(""));
    app.add_flag("--strict", options_.strict, "Exit 5 when a rule is inconclusive, 2 when any input is unreadable");
  }

  void rules(CLI::App& app) {
    app.add_option("--rules", options_.rules, "A rule file, added to the built-in rules; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_flag("--only-rules", options_.only_rules, "Without the built-in rules");
    add_parsed(app, "--set", "RULE.PARAM=VALUE", "Set a parameter of a rule; may be repeated",
               [this](const std::string& text) { options_.rule_options.set.push_back(parse_setting(text)); })
        .trigger_on_parse();
    app.add_flag("--incubating", options_.rule_options.incubating, "Judge by rules that are still incubating, too");
  }

  void rule_files(CLI::App& app, bool required) {
    CLI::Option* files = app.add_option("files", options_.files, "Rule files")->type_name("FILE");
    if (required) files->required();
    app.add_flag("--only-rules", options_.only_rules, "Without the built-in rules");
    output(app, {});
  }

  void output(CLI::App& app, const std::map<std::string, Format>& formats) {
    if (formats.size() > 1) add_choice(app, "--format", "Output", formats, options_.format);
    app.add_option("--output", options_.output, "Write to a file, all or nothing")->type_name("FILE");
    app.add_flag("--quiet", options_.quiet, "No progress and no warnings on standard error");
    app.add_flag("--no-color", options_.no_color, "No colours (also: NO_COLOR in the environment)");
  }

  void report(CLI::App& app) {
    add_choice<std::optional<Severity>>(app, "--fail-on", "Exit 1 when a finding is at least this severe",
                                        {{"never", {}},
                                         {"info", Severity::info},
                                         {"low", Severity::low},
                                         {"medium", Severity::medium},
                                         {"high", Severity::high},
                                         {"critical", Severity::critical}},
                                        options_.fail_on);
    app.add_flag("--all", options_.all, "Every finding and every outcome, not the first five");
  }

  CLI::App& verb(CLI::App& parent, const std::string& name, const std::string& help, Verb verb) {
    CLI::App& app = *parent.add_subcommand(name, help);
    app.allow_extras();
    app.callback([this, verb] { options_.verb = verb; });
    return app;
  }

  Options& options() { return options_; }

 private:
  Options& options_;
};

const std::map<std::string, Format> text_or_json = {{"text", Format::text}, {"json", Format::json}};
const std::map<std::string, Format> text_only = {{"text", Format::text}};

void declare(CLI::App& app, Declaration& declare) {
  app.allow_extras();
  app.set_version_flag("--version", "kdiag " + std::string(version()));
  declare.rules(app);
  declare.traces(app, false);
  declare.output(
      app, {{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}, {"sarif", Format::sarif}});
  declare.report(app);

  CLI::App& query = declare.verb(app, "query", "Answer an expression on each run", Verb::query);
  query.add_option("expression", declare.options().subject, "An expression of the rule language")
      ->type_name("EXPR")
      ->required();
  declare.traces(query, true);
  declare.output(query, text_or_json);

  CLI::App& explain =
      declare.verb(app, "explain", "Show why a rule fired or not; without a trace, what it needs", Verb::explain);
  explain.add_option("rule", declare.options().subject, "Id of the rule")->type_name("RULE")->required();
  declare.rules(explain);
  declare.traces(explain, false);
  declare.output(explain, text_only);

  CLI::App& facts = declare.verb(app, "facts", "Show which facts the traces hold", Verb::facts);
  facts.add_flag("--catalogue", declare.options().catalogue, "All tables and columns there can be; no trace needed");
  declare.traces(facts, false);
  declare.output(facts, text_or_json);

  CLI::App& formats = declare.verb(app, "formats", "List what kdiag reads and how to record it", Verb::formats);
  declare.output(formats, text_only);

  CLI::App& rules = *app.add_subcommand("rules", "Work with rule files");
  rules.allow_extras();
  declare.rule_files(declare.verb(rules, "check", "Check rule files", Verb::rules_check), true);
  declare.rule_files(
      declare.verb(rules, "test", "Run the tests inside rules: of these files, else of the built-in rules",
                   Verb::rules_test),
      false);
  CLI::App& list = declare.verb(rules, "list", "List the rules", Verb::rules_list);
  declare.rules(list);
  declare.output(list, text_only);
  CLI::App& show = declare.verb(rules, "show", "Show what a rule is about, decides and needs", Verb::rules_show);
  show.add_option("rule", declare.options().subject, "Id of the rule")->type_name("RULE")->required();
  declare.rules(show);
  declare.output(show, text_only);
  app.footer(examples);  // last: the verbs would inherit it
}

// --- Mistakes -----------------------------------------------------------------------------------------------------

Stop mistake(const std::string& what, const std::string& help = {}) {
  Diagnostic error;
  error.id = "K697";
  error.title = what;
  error.help = help.empty() ? "`kdiag --help` shows what can be given." : help;
  return {exit_code::usage, render(error)};
}

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

std::optional<Stop> find_mistake(const CLI::App& app, const Options& options) {
  const CLI::App& verb = innermost(app);
  const std::vector<std::string> extra = app.remaining(true);
  if (!extra.empty()) {
    const std::string& word = extra.front();
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with("-")) return mistake("there is no option " + name, suggest_option(name, verb));
    return mistake("unexpected argument '" + word + "'", suggest_verb(word, verb));
  }
  if (verb.get_name() == "rules")
    return mistake("what to do with the rules is missing", "`kdiag rules --help` lists what can be done.");
  const bool needs_files = options.verb == Verb::diagnose || options.verb == Verb::query ||
                           options.verb == Verb::rules_check || (options.verb == Verb::facts && !options.catalogue);
  if (needs_files && options.files.empty())
    return mistake("no trace is given", "Give files: kdiag trace.json, or - for standard input.");
  if (options.verb == Verb::diagnose) {
    const std::string& first = options.files.front();
    if (first != "-" && ::access(first.c_str(), F_OK) != 0)
      if (const std::string meant = suggest_verb(first, app); !meant.empty())
        return mistake("'" + first + "' is neither a file nor a verb", meant);
  }
  if (options.only_rules && options.rules.empty())
    return mistake("--only-rules leaves no rules", "Name rule files with --rules.");
  return std::nullopt;
}

}  // namespace

std::variant<Options, Stop> parse_options(int argc, const char* const* argv) {
  Options options;
  Declaration declaration(options);
  CLI::App app("kdiag finds out why an accelerator workload is slow and says what to do about it.", "kdiag");
  declare(app, declaration);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    return Stop{exit_code::ok, std::string(version.what()) + "\n"};
  } catch (const CLI::CallForHelp&) {
    return Stop{exit_code::ok, app.help()};
  } catch (const CLI::ParseError& error) {
    return mistake(error.what());
  }
  if (auto wrong = find_mistake(app, options)) return std::move(*wrong);
  options.rule_options.builtin = !options.only_rules;
  return options;
}

}  // namespace kdiag::cli
