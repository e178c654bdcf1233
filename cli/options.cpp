// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <map>

#include <CLI/CLI.hpp>

#include "cli/command_docs.hpp"
#include "cli/option_values.hpp"
#include "cli/project_options.hpp"
#include "cli/subject.hpp"
#include "cli/validate_options.hpp"

namespace kdiag::cli {
namespace {

constexpr const char* examples = R"(Examples:
  kdiag trace.json.gz                          judge a trace by the built-in rules
  kdiag rank0.json rank1.json gpu.csv          ranks and telemetry of one run
  kdiag traces/                                all of a folder, or of a zip or tar archive
  kdiag --rules throttle.yaml trace.json       add rules of your own; --only-rules for theirs alone
  kdiag --baseline good.json slow.json         what changed since a good run
  kdiag --steps 5..15 --device 0 trace.json    judge a part of the run
  kdiag trace.json#2                           the second run of a file
  kdiag --map mylog.yaml log.csv               a format of your own, with a mapping of its columns
  kdiag --format json --fail-on high trace.json
  kdiag --format html --output report.html trace.json     a page with a timeline, for a browser
  kdiag --format perfetto --output t.pftrace trace.json   findings beside the events, for ui.perfetto.dev
  kdiag compare good.json slow.json            which of two runs is slower, and where the difference went
  kdiag trend nightly/                         since which run of many it is slower
  kdiag plan trace.json                        what to record next, where rules could not tell
  kdiag query 'sum(kernels, dur)' trace.json   answer an expression; `kdiag query trace.json` asks for them
  kdiag --known findings.json --fail-on high trace.json    fail on new findings alone
  kdiag explain host.sync-stall trace.json     why it fired or not; without a trace: what it needs
  kdiag rules new team.slow-input              a rule to start from; then rules check, test, fmt
  zstdcat trace.json.zst | kdiag -             read standard input

Exit codes, the first that applies:
  70 internal error   130 interrupted   2 usage, or no readable input   3 invalid rules or mappings
  4 rule tests failed   1 a finding at or above --fail-on   5 inconclusive under --strict   0 otherwise)";

/// An option whose value `take` understands or refuses.
CLI::Option& add_parsed(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                        const std::function<void(const std::string&)>& take) {
  return *app.add_option_function<std::string>(name, take, help)->type_name(type);
}

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

/// Declares the options; each verb takes the groups that mean something to it.
class Declaration {
 public:
  explicit Declaration(Options& options) : options_(options) {}

  void traces(CLI::App& app, bool required) {
    CLI::Option* files =
        app.add_option("traces", options_.files,
                       "Files, folders and archives of them, '-' for standard input, or FILE#2 for the second run");
    files->type_name("TRACE");
    if (required) files->required();
    times(app);
    scope(app);
  }

  /// The two sides of a comparison.
  void sides(CLI::App& app) {
    app.add_option("sides", options_.files, "NORMAL and ABNORMAL, or one input that holds both runs")
        ->type_name("TRACE");
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

  void times(CLI::App& app) {
    ScopeOptions& part = options_.load.scope;
    add_parsed(app, "--from", "TIME", "Judge from this time on, since the run's first instant",
               [&](const std::string& text) { part.from_ns = parse_time("--from", text); });
    add_parsed(app, "--to", "TIME", "Judge up to this time",
               [&](const std::string& text) { part.to_ns = parse_time("--to", text); });
  }

  /// What is compared with another run.
  void baseline(CLI::App& app) {
    app.add_option(
           "--baseline", options_.baseline,
           "A run of the same work when it was good: a trace, folder, archive, facts file or FILE#2; repeatable")
        ->type_name("TRACE")
        ->allow_extra_args(false);
  }

  /// Which part of traces is meant, and how they are read.
  void scope(CLI::App& app) {
    ScopeOptions& scope = options_.load.scope;
    app.add_option("--map", options_.maps,
                   "A mapping by which CSV or JSON-lines files of your own are read; repeatable")
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

  /// What the command may cost.
  void limits(CLI::App& app) {
    LoadLimits& limits = options_.load.limits;
    add_parsed(app, "--max-memory", "SIZE",
               "Memory for facts and unpacking (default: a quarter of what there is; none)",
               [&](const std::string& text) { limits.bytes = parse_size("--max-memory", text); });
    add_parsed(app, "--max-unpacked", "SIZE", "Bytes out of compressed files and archives (default: 256GiB; none)",
               [&](const std::string& text) { limits.unpacked = parse_size("--max-unpacked", text); });
    add_parsed(app, "--max-time", "TIME", "How long the command may take (default: without limit)",
               [&](const std::string& text) { options_.most_ms = parse_milliseconds("--max-time", text); });
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
    add_list(app, "--select", "PATTERN", "Judge only rules of these ids: host, host.*, copy.pageable; repeatable",
             options_.rule_options.select);
    add_list(app, "--ignore", "PATTERN", "Do not judge rules of these ids; repeatable", options_.rule_options.ignore);
    config(app);
    trust(app);
  }

  /// Which project file holds.
  void config(CLI::App& app) {
    CLI::Option* file = app.add_option("--config", options_.config,
                                       "The project file (default: kdiag.yaml of this folder or of one above it)");
    file->type_name("FILE");
    app.add_flag("--no-config", options_.no_config, "Without a project file")->excludes(file);
  }

  void trust(CLI::App& app) {
    app.add_flag("--no-lua", options_.no_lua, "Refuse rules in Lua; built-in ones are left out");
    app.add_flag("--allow-imports-outside", options_.rule_options.imports_outside,
                 "Let rules import files outside of the folders of the named ones");
  }

  void rule_files(CLI::App& app, bool required, const std::map<std::string, Format>& formats) {
    CLI::Option* files = app.add_option("files", options_.files, "Rule files, or folders of them")->type_name("FILE");
    if (required) files->required();
    app.add_flag("--only-rules", options_.only_rules, "Without the built-in rules");
    trust(app);
    output(app, formats);
  }

  void rule_tests(CLI::App& app) {
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

  void output(CLI::App& app, const std::map<std::string, Format>& formats) {
    if (formats.size() > 1) add_choice(app, "--format", "Output", formats, options_.format);
    app.add_option("-o,--output", options_.output, "Write to a file, all or nothing")->type_name("FILE");
    app.add_flag("--quiet", options_.quiet, "No progress and no warnings on standard error");
    app.add_flag("--no-color", options_.no_color, "No colours (also: NO_COLOR in the environment)");
  }

  void layout(CLI::App& app) {
    app.add_option("--width", options_.width, "Columns of text (default: those of the terminal, 80 to 200; else 100)")
        ->type_name("N")
        ->check(CLI::Range(40, 10000).description(""));
  }

  void fail_on(CLI::App& app) {
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

  void gates(CLI::App& app) {
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

  /// Findings that a team accepts or knows.
  void policy(CLI::App& app) {
    app.add_option("--known", options_.known, "A JSON report whose findings are known: only others fail the command")
        ->type_name("FILE");
    add_parsed(app, "--today", "DATE", "The day on which waivers may have expired (default: today in UTC)",
               [this](const std::string& text) { options_.today = parse_date("--today", text); });
  }

  void report(CLI::App& app) {
    gates(app);
    policy(app);
    app.add_flag("--all", options_.all, "Every finding and every outcome, not the first five");
    app.add_flag("--brief", options_.brief,
                 "A line for each run and each finding; of --format markdown 40 lines at most, for a chat or an issue");
    layout(app);
    app.add_flag("--timings", options_.timings,
                 "Say what it cost: by part, by rule, and by expression that rules share");
    app.add_flag("--profile", options_.profile,
                 "The same with every rule and every shared expression, not the first ten");
  }

  /// A verb; `examples` are lines of a command and what it does.
  CLI::App& verb(CLI::App& parent, const std::string& name, const std::string& help, Verb verb,
                 const std::string& examples) {
    CLI::App& app = *parent.add_subcommand(name, help);
    app.allow_extras();
    app.footer("Examples:\n" + examples);
    app.callback([this, verb, &app] {
      if (app.get_subcommands().empty()) options_.verb = verb;  // else it is the verb below that is meant
    });
    return app;
  }

  Options& options() { return options_; }

 private:
  Options& options_;
};

const std::map<std::string, Format> text_or_json = {{"text", Format::text}, {"json", Format::json}};
const std::map<std::string, Format> text_only = {{"text", Format::text}};
const std::map<std::string, Format> report_formats = {
    {"text", Format::text},   {"json", Format::json}, {"markdown", Format::markdown}, {"sarif", Format::sarif},
    {"junit", Format::junit}, {"html", Format::html}, {"github", Format::github},     {"gitlab", Format::gitlab}};
const std::map<std::string, Format> diagnosis_formats = [] {
  std::map<std::string, Format> formats = report_formats;
  formats.emplace("perfetto", Format::perfetto);  // of one diagnosis: a timeline beside its findings
  return formats;
}();
const std::map<std::string, Format> diagnostic_formats = {
    {"text", Format::text}, {"json", Format::json}, {"sarif", Format::sarif}, {"github", Format::github}};

void declare_query(CLI::App& app, Declaration& declare) {
  CLI::App& query = declare.verb(app, "query", "Answer an expression on each run, or ask for expressions", Verb::query,
                                 R"(  kdiag query 'sum(kernels, dur)' trace.json
  kdiag query 'top(kernel_stats, 10, total)' trace.json
  kdiag query 'idle group by (cause) select (total = sum(dur))' trace.json --format csv
  kdiag query trace.json                       ask for expressions (Tab completes, `help` helps))");
  query.add_option("expression", declare.options().subject, "An expression of the rule language; without it, a prompt")
      ->type_name("EXPR");
  declare.rules(query);
  declare.traces(query, false);
  declare.baseline(query);
  declare.output(query, {{"text", Format::text}, {"json", Format::json}, {"csv", Format::csv}});
}

void declare_compare(CLI::App& app, Declaration& declare) {
  CLI::App& compare = declare.verb(app, "compare", "Compare two runs: which is slower, and where the difference went",
                                   Verb::compare, R"(  kdiag compare normal.json abnormal.json
  kdiag compare runs.json#1 runs.json#2        two runs of one file; with two in all, kdiag compare runs.json
  kdiag compare --normal a/rank0.json --normal a/rank1.json --abnormal b/
  kdiag compare before.json after.json --anchor Scheduler.run_batch
  kdiag compare batch8.json batch32.json --per images=8,32
  kdiag compare before.json after.json --fail-above 5% --fail-above idle.host_sync=10ms
  kdiag compare --normal mon.json --normal tue.json --normal wed.json --abnormal thu.json
Exit code 1 under --fail-on: a regression, or a new or grown finding, of that severity. A regression is critical from
40 % on, high from 20 %, medium from 10 %, else low. Exit code 5 under --strict: the verdict is inconclusive.
`kdiag --baseline A B --gate changes` has the same exit codes.)");
  declare.rules(compare);
  declare.sides(compare);
  declare.output(compare, report_formats);
  declare.report(compare);
}

void declare_trend(CLI::App& app, Declaration& declare) {
  CLI::App& trend = declare.verb(
      app, "trend", "Find the run since which a program is slower, in a history of runs", Verb::trend,
      R"(  kdiag trend nightly/                         each file or folder in it is a run, in the order of names
  kdiag trend monday.jsonl tuesday.jsonl ...   in the order given; 8 runs and more
Exit code 1 under --fail-on: the last change is a regression of that severity. Exit code 5 under --strict: too few runs.)");
  declare.traces(trend, true);
  trend.add_option("--anchor", declare.options().compare.anchor, "The user range that is one cycle, in all runs")
      ->type_name("RANGE");
  declare.output(trend, {{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}});
  declare.fail_on(trend);
}

void declare_plan(CLI::App& app, Declaration& declare) {
  CLI::App& plan =
      declare.verb(app, "plan", "Say what to record next, so that rules which could not tell are settled", Verb::plan,
                   R"(  kdiag plan trace.json                        the fewest recordings, their commands and costs
  kdiag plan trace.json --for clock.throttled  for this rule alone)");
  plan.add_option("--for", declare.options().plan_for, "For this rule; repeatable")
      ->type_name("RULE")
      ->allow_extra_args(false);
  declare.rules(plan);
  declare.traces(plan, true);
  declare.output(
      plan, {{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}, {"html", Format::html}});
  declare.layout(plan);
}

void declare_annotate(CLI::App& app, Declaration& declare) {
  CLI::App& annotate =
      declare.verb(app, "annotate", "Add the findings to a Kineto or Chrome trace, for the viewer at hand",
                   Verb::annotate, R"(  kdiag annotate trace.json --output annotated.json.gz
All other bytes of the trace stay as they are. For other formats: kdiag --format perfetto.)");
  annotate.add_option("trace", declare.options().files, "The trace: one file")
      ->type_name("TRACE")
      ->required()
      ->expected(1);
  declare.rules(annotate);
  declare.scope(annotate);
  declare.times(annotate);
  declare.output(annotate, text_only);
}

void declare_explain(CLI::App& app, Declaration& declare) {
  CLI::App& explain =
      declare.verb(app, "explain", "Show why a rule fired or not; without a trace, what it needs", Verb::explain,
                   R"(  kdiag explain host.sync-stall trace.json     the values behind its outcome
  kdiag explain clock.throttled                which facts it needs and how to record them)");
  explain.add_option("rule", declare.options().subject, "Id of the rule")->type_name("RULE")->required();
  declare.rules(explain);
  declare.traces(explain, false);
  declare.baseline(explain);
  declare.output(explain, text_only);
}

void declare_facts(CLI::App& app, Declaration& declare) {
  CLI::App& facts =
      declare.verb(app, "facts", "Show which facts the traces hold", Verb::facts,
                   R"(  kdiag facts trace.json                       tables and columns, and who supplied them
  kdiag facts trace.json kernels --format csv  the rows of a table, with keys by which tables are joined
  kdiag facts trace.json --format sqlite --output facts.db   all tables as one database
  kdiag facts --export facts.jsonl trace.json  what the traces state, as a file that kdiag reads again
  kdiag facts --catalogue                      every table and column there can be)");
  CLI::Option* exported = facts
                              .add_option("--export", declare.options().export_to,
                                          "Write what the traces state to a facts file; '-' for standard output")
                              ->type_name("OUT");
  facts.add_flag("--catalogue", declare.options().catalogue, "All tables and columns there can be; no trace needed");
  declare.traces(facts, false);
  for (const char* part : {"--steps", "--within", "--from", "--to", "--rank", "--device"})
    exported->excludes(facts.get_option(part));
  declare.output(facts, {{"text", Format::text},
                         {"json", Format::json},
                         {"csv", Format::csv},
                         {"jsonl", Format::json_lines},
                         {"sqlite", Format::sqlite}});
}

void declare_formats(CLI::App& app, Declaration& declare) {
  CLI::App& formats =
      declare.verb(app, "formats", "List what kdiag reads and how to record it; check mappings", Verb::formats,
                   R"(  kdiag formats
  kdiag formats check mylog.yaml               what is wrong with a mapping of a format of your own)");
  declare.output(formats, text_only);
  CLI::App& check = declare.verb(formats, "check", "Find what is wrong with mappings", Verb::formats_check,
                                 R"(  kdiag formats check mylog.yaml
  kdiag --map mylog.yaml log.csv               judge by it what is in the log
Exit code 3: a mapping has errors.)");
  check.add_option("files", declare.options().files, "Mapping files")->type_name("FILE")->required();
  declare.output(check, diagnostic_formats);
}

void declare_limits(CLI::App& app, Declaration& declare) {
  CLI::App& limits =
      declare.verb(app, "limits", "List what inputs may cost, and what happens then", Verb::limits, "  kdiag limits");
  declare.output(limits, text_only);
}

void declare_config(CLI::App& app, Declaration& declare) {
  CLI::App& config = *app.add_subcommand("config", "Show what the project file says");
  config.allow_extras();
  config.footer("Examples:\n  kdiag config show");
  CLI::App& show = declare.verb(config, "show", "Show what holds here, and where each value comes from",
                                Verb::config_show, R"(  kdiag config show
  kdiag config show --config ci/kdiag.yaml --fail-on low
Exit code 3: the project file, or a rule file that it names, has errors.)");
  declare.rules(show);
  declare.baseline(show);
  declare.report(show);
  show.add_option("--map", declare.options().maps, "A mapping; repeatable")->type_name("FILE")->allow_extra_args(false);
  show.add_flag("--strict", declare.options().strict, "As of the command");
  declare.output(show, report_formats);
}

void declare_waive(CLI::App& app, Declaration& declare) {
  CLI::App& waive = declare.verb(app, "waive", "Write waivers of findings of a JSON report, for the project file",
                                 Verb::waive, R"(  kdiag --format json --output report.json trace.json
  kdiag waive report.json host.sync-stall --reason 'the loss is read on purpose' --until 2026-12-31
  kdiag waive report.json --reason 'accepted before the move' --write       all of them, into kdiag.yaml)");
  waive
      .add_option("report", declare.options().files,
                  "The report, and ids of rules or fingerprints of its findings; without these all of them")
      ->type_name("REPORT [FINDING...]")
      ->required();
  NewWaiver& waiver = declare.options().waiver;
  waive.add_option("--reason", waiver.reason, "Why they are accepted")->type_name("TEXT")->required();
  waive.add_option("--owner", waiver.owner, "Who answers for it")->type_name("NAME");
  add_parsed(waive, "--until", "DATE", "The last day on which it holds",
             [&waiver](const std::string& text) { waiver.until = parse_date("--until", text); });
  waive.add_flag("--write", declare.options().write, "Add them to the project file, which is made where there is none");
  declare.config(waive);
  declare.output(waive, text_only);
}

/// A verb of `packs`: of the rules and the project file that it is about.
CLI::App& pack_verb(CLI::App& packs, Declaration& declare, const std::string& name, const std::string& help, Verb verb,
                    const std::string& examples) {
  CLI::App& app = declare.verb(packs, name, help, verb, examples);
  declare.config(app);
  declare.trust(app);
  declare.output(app, text_only);
  return app;
}

void declare_packs(CLI::App& app, Declaration& declare) {
  CLI::App& packs = *app.add_subcommand("packs", "Pin the packs of a project, and take new versions of them");
  packs.allow_extras();
  packs.footer(R"(Examples:
  kdiag packs lock                             pin what the project file names, in kdiag.lock
  kdiag packs update house-1.1.0.tar.gz        what the new version changes; --write takes it)");
  CLI::App& lock =
      pack_verb(packs, declare, "lock", "Pin the packs that the project file names, in kdiag.lock beside it",
                Verb::packs_lock, R"(  kdiag packs lock
  kdiag packs lock --check                     change nothing; exit 3 where a pack is not what is pinned)");
  lock.add_flag("--check", declare.options().check, "Change nothing; exit 3 where a pack is not what is pinned");
  CLI::App& diff = pack_verb(
      packs, declare, "diff", "Show what a version of a pack changes: rules, thresholds, tests", Verb::packs_diff,
      R"(  kdiag packs diff house-1.1.0.tar.gz          against the pack of that name in the project
  kdiag packs diff house-1.0.0.zip ../house    two folders, rule files or archives)");
  diff.add_option("packs", declare.options().files, "The new version, or the old and the new one")
      ->type_name("PACK")
      ->required()
      ->expected(1, 2);
  CLI::App& update = pack_verb(packs, declare, "update", "Show what a new version changes, and take it with --write",
                               Verb::packs_update, R"(  kdiag packs update house-1.1.0.tar.gz
  kdiag packs update house-1.1.0.tar.gz --write
Exit code 4: a test of the new version fails.)");
  update.add_option("pack", declare.options().files, "A folder, rule file or archive")
      ->type_name("PACK")
      ->required()
      ->expected(1);
  update.add_flag("--write", declare.options().write, "Put it in the place of the pack, and pin it");
  update.add_flag("--force", declare.options().force, "Take it although tests of its own fail");
}

void declare_checks(CLI::App& rules, Declaration& declare) {
  CLI::App& check = declare.verb(rules, "check", "Find what is wrong with rule files", Verb::rules_check,
                                 R"(  kdiag rules check throttle.yaml
  kdiag rules check rules/ --werror            all files of a folder; warnings fail too
  kdiag rules check rules/ --format github     beside the lines of a change, in a workflow
Exit code 3: errors, warnings under --werror, or no rule files.)");
  declare.rule_files(check, true, diagnostic_formats);
  check.add_flag("--werror", declare.options().werror, "Exit 3 on warnings too");
  declare.rule_tests(declare.verb(rules, "test", "Run the tests of rules", Verb::rules_test,
                                  R"(  kdiag rules test throttle.yaml               inside these rules
  kdiag rules test rules/ --coverage           and test files below a folder; what was never seen
  kdiag rules test                             those of the built-in rules
Exit code 4: a test failed, or there are none.)"));
  CLI::App& fmt = declare.verb(rules, "fmt", "Format rule files in place; - from standard input to output",
                               Verb::rules_fmt, R"(  kdiag rules fmt throttle.yaml rules/
  kdiag rules fmt --check rules/               change nothing, print a diff
  kdiag rules fmt - < throttle.yaml
Exit code 3: a file has errors, or would change under --check.)");
  fmt.add_option("files", declare.options().files, "Rule files, or folders of them")->type_name("FILE")->required();
  fmt.add_flag("--check", declare.options().check,
               "Change nothing; print a diff and exit 3 when something would change");
  fmt.add_flag("--quiet", declare.options().quiet, "Do not name the files that were changed");
}

void declare_lists(CLI::App& rules, Declaration& declare) {
  CLI::App& list = declare.verb(rules, "list", "List the rules", Verb::rules_list, R"(  kdiag rules list
  kdiag rules list --area gpu
  kdiag rules list --rules throttle.yaml --format json)");
  list.add_option("--area", declare.options().area, "Those whose id begins so: gpu of gpu.low-utilization")
      ->type_name("AREA");
  list.add_option("--tag", declare.options().tag, "Those that have this tag")->type_name("TAG");
  declare.rules(list);
  declare.output(list, text_or_json);
  CLI::App& show = declare.verb(rules, "show", "Show what a rule is about, decides and needs, and its text",
                                Verb::rules_show, "  kdiag rules show host.sync-stall");
  show.add_option("rule", declare.options().subject, "Id of the rule")->type_name("RULE")->required();
  declare.rules(show);
  declare.output(show, text_only);
  CLI::App& docs = declare.verb(rules, "docs", "Write Markdown pages about rules", Verb::rules_docs,
                                R"(  kdiag rules docs host.sync-stall
  kdiag rules docs --rules throttle.yaml --output site/rules     a page per rule, and index.md)");
  docs.add_option("rule", declare.options().subject, "Id of the rule; without, all of them, and --output is a folder")
      ->type_name("RULE");
  declare.rules(docs);
  declare.output(docs, text_only);
}

void declare_schema(CLI::App& rules, Declaration& declare) {
  declare.output(
      declare.verb(rules, "schema", "Print the JSON Schema of rule files, test files and mappings, for editors",
                   Verb::rules_schema, "  kdiag rules schema --output rules.schema.json"),
      text_only);
}

void declare_new(CLI::App& rules, Declaration& declare) {
  CLI::App& create = declare.verb(
      rules, "new", "Print a rule file to start from, or with --from a test cut out of a trace", Verb::rules_new,
      R"(  kdiag rules new team.slow-input --output slow_input.yaml
  kdiag rules new --from trace.json --rule host.sync-stall      a test to paste under `tests`
  kdiag rules new --from slow.json --baseline good.json --rule changed.sync-cost)");
  create.add_option("rule,--rule", declare.options().subject, "Id of the rule: area.name")
      ->type_name("RULE")
      ->required();
  create
      .add_option("--from", declare.options().files,
                  "Cut the smallest facts that keep what the rule says of this trace")
      ->type_name("TRACE")
      ->allow_extra_args(false);
  create.add_flag("--force", declare.options().force, "Replace the file of --output");
  declare.rules(create);
  declare.scope(create);
  declare.baseline(create);
  declare.output(create, text_only);
}

void declare_rule_verbs(CLI::App& app, Declaration& declare) {
  CLI::App& rules = *app.add_subcommand("rules", "Check, test, format, list and write rules");
  rules.allow_extras();
  rules.footer(R"(Examples:
  kdiag rules new team.slow-input --output slow_input.yaml      a rule to start from
  kdiag rules check slow_input.yaml                             what is wrong with it
  kdiag rules test slow_input.yaml                              run its tests
`kdiag rules VERB --help` shows more of each.)");
  declare_checks(rules, declare);
  declare_lists(rules, declare);
  declare_new(rules, declare);
  declare_schema(rules, declare);
}

void declare(CLI::App& app, Declaration& declare) {
  app.allow_extras();
  app.set_version_flag("--version", "kdiag " + std::string(version()));
  declare.rules(app);
  declare.traces(app, false);
  declare.baseline(app);
  declare.output(app, diagnosis_formats);
  declare.report(app);

  declare_compare(app, declare);
  declare_trend(app, declare);
  declare_plan(app, declare);
  declare_annotate(app, declare);
  declare_query(app, declare);
  declare_explain(app, declare);
  declare_facts(app, declare);
  declare_formats(app, declare);
  declare_limits(app, declare);
  declare_config(app, declare);
  declare_waive(app, declare);
  declare_packs(app, declare);
  declare_rule_verbs(app, declare);
  app.footer(examples);  // last: the verbs would inherit it
}

}  // namespace

std::variant<Options, Stop> parse_options(int argc, const char* const* argv) {
  Options options;
  options.load.limits = default_load_limits();
  Declaration declaration(options);
  CLI::App app("kdiag finds out why an accelerator workload is slow and says what to do about it.", "kdiag");
  declare(app, declaration);
  if (argc == 3 && std::string_view(argv[1]) == "--generate")  // for the build, which installs what it prints
    if (auto document = command_document(app, argv[2])) return Stop{exit_code::ok, std::move(*document)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    return Stop{exit_code::ok, std::string(version.what()) + "\n"};
  } catch (const CLI::CallForHelp&) {
    return Stop{exit_code::ok, app.help()};
  } catch (const CLI::RequiredError&) {
    return missing_argument(app);
  } catch (const CLI::ParseError& error) {
    return mistake(error.what(), help_on(app));
  }
  take_trace_for_subject(options);
  take_table_for_subject(options);
  options.timings = options.timings || options.profile;
  options.given = given_options(app);
  if (auto wrong = apply_project(options)) return std::move(*wrong);
  if (auto wrong = validate_options(app, options)) return std::move(*wrong);
  if (options.top) options.compare.changes = *options.top;
  options.rule_options.threads = options.load.threads;
  options.rule_options.builtin = options.rule_options.builtin && !options.only_rules;
  options.rule_options.lua = options.test.lua = !options.no_lua;
  options.test.imports_outside = options.rule_options.imports_outside;
  return options;
}

}  // namespace kdiag::cli
