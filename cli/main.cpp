// SPDX-License-Identifier: Apache-2.0
// The command kdiag: reads options, asks the library, prints.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>

#include <kdiag/kdiag.hpp>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

namespace kdiag::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// The first Ctrl-C asks for an orderly end, the second one is not caught any more.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that had enough ends the command silently; see write_output
}

/// Of several exit codes the one that the contract lists first.
int worst(std::initializer_list<int> codes) {
  for (int code : {exit_code::internal, exit_code::interrupted, exit_code::usage, exit_code::rules, exit_code::tests,
                   exit_code::findings, exit_code::inconclusive})
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  return exit_code::ok;
}

bool colors_wanted(const Options& options, int stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !options.no_color && (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb") && ::isatty(stream) != 0;
}

void complain(const Options& options, const Diagnostics& diagnostics) {
  std::fputs(render(diagnostics, {.color = colors_wanted(options, STDERR_FILENO)}).c_str(), stderr);
}

void complain(const Options& options, std::string title) {
  Diagnostic error;
  error.id = "K698";
  error.title = std::move(title);
  complain(options, Diagnostics{error});
}

/// Prints a result; `code` is what the result means.
int print(const Options& options, std::string text, int code) {
  if (interrupted) return exit_code::interrupted;
  if (!text.empty() && text.back() != '\n') text += '\n';
  if (const auto failure = write_output(text, options.output)) {
    complain(options, *failure);
    return worst({code, exit_code::usage});
  }
  return code;
}

/// Loads the traces, or says why not.
std::optional<Facts> load(Options& options, int& code) {
  std::optional<Progress> progress;
  if (!options.quiet && ::isatty(STDERR_FILENO) != 0) {
    progress.emplace();
    options.load.progress = &*progress;
  }
  options.load.cancel = &interrupted;
  Result<Facts> facts = load_traces(options.files, options.load);
  progress.reset();
  code = interrupted ? exit_code::interrupted : exit_code::usage;
  if (facts) return std::move(*facts);
  if (!interrupted) complain(options, facts.error());
  return std::nullopt;
}

std::optional<RuleSet> load_rule_set(const Options& options, const std::vector<std::string>& files) {
  Result<RuleSet> rules = files.empty() ? builtin_rules(options.rule_options) : load_rules(files, options.rule_options);
  if (!rules) {
    complain(options, rules.error());
    return std::nullopt;
  }
  if (!options.quiet) complain(options, rules->warnings());
  return std::move(*rules);
}

/// What inputs that could not be read mean under --strict.
int unreadable(const Options& options, const Facts& facts) {
  const bool any = std::any_of(facts.inputs().begin(), facts.inputs().end(), [](const InputEntry& input) {
    return std::any_of(input.notes.begin(), input.notes.end(), [](const NoteEntry& note) { return note.id == "K609"; });
  });
  return options.strict && any ? exit_code::usage : exit_code::ok;
}

std::string render_report(const Options& options, const Report& report) {
  switch (options.format) {
    case Format::json: return to_json(report);
    case Format::markdown: return to_markdown(report);
    case Format::sarif: return to_sarif(report);
    case Format::text: break;
  }
  return to_text(report,
                 {.color = options.output.empty() && colors_wanted(options, STDOUT_FILENO), .all = options.all});
}

int diagnose_traces(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  const Report report = diagnose(*facts, *rules, {.threads = options.load.threads, .cancel = &interrupted});
  const bool failed =
      options.fail_on && std::any_of(report.findings.begin(), report.findings.end(),
                                     [&](const Finding& finding) { return finding.severity >= *options.fail_on; });
  const bool open = options.strict && report.tally.inconclusive > 0;
  return print(options, interrupted ? std::string() : render_report(options, report),
               worst({unreadable(options, *facts), failed ? exit_code::findings : exit_code::ok,
                      open ? exit_code::inconclusive : exit_code::ok}));
}

int answer_query(Options& options) {
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  const Result<QueryAnswer> answer = query(*facts, options.subject);
  if (!answer) {
    complain(options, answer.error());
    return exit_code::usage;
  }
  return print(options, options.format == Format::json ? answer->json : answer->text,
               worst({unreadable(options, *facts),
                      options.strict && answer->unknown ? exit_code::inconclusive : exit_code::ok}));
}

int explain_rule(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  std::optional<Facts> facts;
  if (!options.files.empty() && options.verb == Verb::explain) {
    facts = load(options, code);
    if (!facts) return code;
  }
  const Result<std::string> text =
      facts ? explain(*facts, *rules, options.subject) : describe_rule(*rules, options.subject);
  if (!text) {
    complain(options, text.error());
    return exit_code::usage;
  }
  return print(options, *text, facts ? unreadable(options, *facts) : exit_code::ok);
}

int show_facts(Options& options) {
  if (options.catalogue) return print(options, catalogue_text(), exit_code::ok);
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  return print(options, options.format == Format::json ? facts_json(*facts) : facts_text(*facts),
               unreadable(options, *facts));
}

int check_rules(const Options& options) {
  const std::optional<RuleSet> rules =
      load_rule_set(options, options.files);  // with the built-in ones, which they may name
  if (!rules) return exit_code::rules;
  if (!options.quiet) complain(options, rules->style());
  return print(options, std::to_string(rules->size()) + " rules are valid, the built-in ones included", exit_code::ok);
}

int test_rule_files(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.files);
  if (!rules) return exit_code::rules;
  std::vector<RuleTestResult> results;
  if (options.files.empty()) results = test_rules(*rules);
  for (const std::string& file : options.files) {
    const std::vector<RuleTestResult> of_file = test_rules(*rules, file);
    results.insert(results.end(), of_file.begin(), of_file.end());
  }
  std::string text;
  std::size_t failed = 0;
  for (const RuleTestResult& result : results) {
    if (result.passed) continue;
    ++failed;
    text += result.file + ":" + std::to_string(result.line) + ": FAILED " + result.rule + ": " + result.test + "\n" +
            result.message + "\n";
  }
  if (results.empty()) {
    complain(options, "no tests were found");
    return exit_code::tests;
  }
  text += std::to_string(results.size() - failed) + " passed, " + std::to_string(failed) + " failed\n";
  return print(options, text, failed > 0 ? exit_code::tests : exit_code::ok);
}

int list_rules(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  return print(options, rules_text(*rules), exit_code::ok);
}

int run(Options& options) {
  switch (options.verb) {
    case Verb::diagnose: return diagnose_traces(options);
    case Verb::query: return answer_query(options);
    case Verb::explain: return explain_rule(options);
    case Verb::facts: return show_facts(options);
    case Verb::formats: return print(options, formats_text(), exit_code::ok);
    case Verb::rules_check: return check_rules(options);
    case Verb::rules_test: return test_rule_files(options);
    case Verb::rules_list: return list_rules(options);
    case Verb::rules_show: return explain_rule(options);
  }
  return exit_code::internal;
}

int run_command(int argc, const char* const* argv) {
  auto parsed = parse_options(argc, argv);
  if (const Stop* stop = std::get_if<Stop>(&parsed)) {
    if (stop->code != exit_code::ok) std::fputs(stop->text.c_str(), stderr);
    else if (write_output(stop->text, {})) return exit_code::usage;
    return stop->code;
  }
  return run(std::get<Options>(parsed));
}

}  // namespace
}  // namespace kdiag::cli

int main(int argc, char** argv) {
  kdiag::cli::catch_signals();
  try {
    return kdiag::cli::run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("kdiag: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kdiag: internal error: %s\n", error.what());
  }
  return kdiag::cli::exit_code::internal;
}
