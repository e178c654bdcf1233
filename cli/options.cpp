// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "cli/command_docs.hpp"
#include "cli/declare/option_groups.hpp"
#include "cli/declare/output_formats.hpp"
#include "cli/declare/verbs.hpp"
#include "cli/help_topics.hpp"
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
  kdiag fleet summaries/                       many ranks judged as one; kdiag summarize writes a summary of each
  kdiag plan trace.json                        what to record next, where rules could not tell
  kdiag query 'sum(kernels, dur)' trace.json   answer an expression; `kdiag query trace.json` asks for them
  kdiag --known findings.json --fail-on high trace.json    fail on new findings alone
  kdiag explain host.sync-stall trace.json     why it fired or not; without a trace: what it needs
  kdiag rules new team.slow-input              a rule to start from; then rules check, test, fmt
  zstdcat trace.json.zst | kdiag -             read standard input
  kdiag help rule-file                         a topic, a verb, a rule or a word of the language; kdiag help: which there are

)";

void declare_help(CLI::App& app, OptionGroups& groups) {
  groups.verb(
      app, "help", "Explain a verb, a topic, a rule or a word of the rule language", Verb::help,
      R"(  kdiag help                                   the topics
  kdiag help rules check                       how a verb is called
  kdiag help exit-codes                        also language, rule-file, project-file
  kdiag help host.sync-stall                   what a rule looks for
  kdiag help kernels                           a table, column, function or series)",
      [&](CLI::App& help) { help.add_option("topic", groups.options().files, "The topic")->type_name("TOPIC"); });
}

/// How much there is to compute, where the trace says less of it than people know.
void declare_model(CLI::App& app, Options& options) {
  CLI::Option& flops = add_parsed(
      app, "--model-flops", "N", "Operations of the model in a step, on all devices, for MFU: 6.2TFLOP, 6.2e12",
      [&](const std::string& text) { options.model_flops = parse_operations("--model-flops", text); });
  CLI::Option& parameters =
      add_parsed(app, "--parameters", "N", "Parameters of a transformer that each token uses, for MFU: 6.7B, 6.7e9",
                 [&](const std::string& text) { options.parameters = parse_count("--parameters", text); });
  CLI::Option& tokens =
      add_parsed(app, "--tokens", "N", "With --parameters: tokens that a step trains on, on all devices",
                 [&](const std::string& text) { options.tokens = parse_count("--tokens", text); });
  parameters.needs(&tokens)->excludes(&flops);
  tokens.needs(&parameters);
}

void declare_command(CLI::App& app, OptionGroups& groups) {
  app.allow_extras();
  app.set_version_flag("--version", "kdiag " + std::string(version()));
  groups.rules(app);
  groups.traces(app, false);
  groups.baseline(app);
  groups.output(app, diagnosis_formats);
  groups.report(app);
  declare_model(app, groups.options());

  declare_judging_verbs(app, groups);
  declare_input_verbs(app, groups);
  declare_project_verbs(app, groups);
  declare_rule_verbs(app, groups);
  declare_server_verbs(app, groups);
  declare_help(app, groups);
  app.footer(std::string(examples) + exit_codes);  // last: the verbs would inherit it
}

/// `kdiag help WORDS`, without options.
bool asks_for_topic(const std::vector<std::string>& words) {
  return !words.empty() && words.front() == "help" &&
         std::none_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with('-'); });
}

}  // namespace

std::variant<Options, Stop> parse_options(int argc, const char* const* argv) {
  Options options;
  options.load.limits = default_load_limits();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool documents = words.size() == 2 && words.front() == "--generate";  // for the build, which installs them
  const bool about_verbs = documents || asks_for_topic(words);
  OptionGroups groups(options, about_verbs ? std::nullopt : std::optional(words));
  CLI::App app("kdiag finds out why an accelerator workload is slow and says what to do about it.", "kdiag");
  declare_command(app, groups);
  if (documents)
    if (auto document = command_document(app, words.back())) return Stop{exit_code::ok, std::move(*document)};
  if (asks_for_topic(words))  // here, since names of verbs are topics
    return help_on_topic(app, {words.begin() + 1, words.end()});
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
  if (auto wrong = take_rules_among_traces(options)) return std::move(*wrong);
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
