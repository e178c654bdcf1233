// SPDX-License-Identifier: Apache-2.0
// kdiag query: evaluates expressions, one that is given or those that are typed.
#include "cli/verbs.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <kdiag/note_ids.hpp>
#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/line_editor.hpp"
#include "cli/read_traces.hpp"
#include "cli/terminal.hpp"

namespace kdiag::cli {
namespace {

constexpr std::size_t most_prompt_rows = 50;  // more scroll away (judgement); --format json or csv have them all

std::string render_answer(const Options& options, const QueryAnswer& answer) {
  switch (options.format) {
    case Format::json: return answer.json;
    case Format::csv: return answer.csv;
    default: return answer.text;
  }
}

/// An answer has no place for what a report says first.
void tell_unreadable(const Options& options, const Facts& facts) {
  for (const InputEntry& input : facts.inputs())
    for (const NoteEntry& note : input.notes)
      if (note_id::says_nothing_read(note.id)) complain(options, input.path + ": " + note.text);
}

QueryOptions query_options(const Options& options, const std::optional<Facts>& baseline) {
  QueryOptions out{.baseline = baseline};
  if (const std::size_t width = table_width(options); width > 0) out.width = width;
  return out;
}

/// Of the runs, or in the place of the rule of --in.
Result<QueryAnswer> ask(const Options& options, const Facts& facts, const RuleSet& rules, const std::string& expression,
                        const QueryOptions& how) {
  return options.in_rule.rule.empty() ? query(facts, rules, expression, how)
                                      : query_in_rule(facts, rules, options.in_rule, expression, how);
}

int answer_one(const Options& options, const Facts& facts, const std::optional<Facts>& baseline, const RuleSet& rules) {
  tell_unreadable(options, facts);
  const Result<QueryAnswer> answer = ask(options, facts, rules, options.subject, query_options(options, baseline));
  if (!answer) {
    complain(options, answer.error());
    return exit_code::usage;
  }
  return print(
      options, render_answer(options, *answer),
      worst({unreadable(options, facts), options.strict && answer->unknown ? exit_code::inconclusive : exit_code::ok}));
}

/// $XDG_STATE_HOME/kdiag/history, else ~/.local/state/kdiag/history; empty when it cannot be.
std::string history_file() {
  namespace fs = std::filesystem;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (state != nullptr && *state == '/') folder = state;  // the specification ignores relative paths
  else if (home != nullptr && *home == '/') folder = fs::path(home) / ".local/state";
  else return {};
  folder /= "kdiag";
  std::error_code error;
  fs::create_directories(folder, error);
  return error ? std::string() : (folder / "history").string();
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

void answer_line(const Options& options, const Facts& facts, const std::optional<Facts>& baseline, const RuleSet& rules,
                 const std::string& line) {
  if (line == "help" || line == "?") {
    std::fputs(query_help(rules, {}).c_str(), stdout);
  } else if (line.starts_with("help ")) {
    std::fputs(query_help(rules, trimmed(line.substr(5))).c_str(), stdout);
  } else {
    QueryOptions shown = query_options(options, baseline);
    shown.max_rows = most_prompt_rows;
    const Result<QueryAnswer> answer = ask(options, facts, rules, line, shown);
    if (!answer) complain(options, answer.error());
    else std::fputs(render_answer(options, *answer).c_str(), stdout);
  }
  std::fflush(stdout);
}

std::atomic<bool> terminated{false};

/// The first Ctrl-C cancels the line that is typed, the second one ends a query that takes long; SIGTERM ends the
/// prompt. Neither may restart the reading.
void catch_prompt_signals() {
  catch_signals();
  struct sigaction action {};
  action.sa_handler = [](int) { terminated.store(true); };
  ::sigaction(SIGTERM, &action, nullptr);
}

/// Asks until the end of input.
int prompt(const Options& options, const Facts& facts, const std::optional<Facts>& baseline, const RuleSet& rules) {
  std::printf("kdiag %s: `help` for help, `quit` or Ctrl-D to end, Tab completes\n", std::string(version()).c_str());
  LineEditor editor("kdiag> ", history_file(), [&](std::string_view line, std::size_t cursor) {
    QueryCompletion found = complete_query(rules, line, cursor);
    return Completion{found.begin, std::move(found.words)};
  });
  const OrderlyEnd end;  // Ctrl-C ends a line or a query here, not the command
  for (;;) {
    catch_prompt_signals();  // for each line anew
    const std::optional<std::string> line = editor.next();
    if (terminated) return exit_code::interrupted;
    if (!line) return exit_code::ok;
    interrupted = false;
    const std::string asked = trimmed(*line);
    if (asked == "quit" || asked == "exit") return exit_code::ok;
    if (!asked.empty()) answer_line(options, facts, baseline, rules, asked);
  }
}

}  // namespace

int answer_query(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  std::optional<Facts> baseline;
  if (!facts || !load_baseline(options, baseline, code)) return code;
  return options.subject.empty() ? prompt(options, *facts, baseline, *rules)
                                 : answer_one(options, *facts, baseline, *rules);
}

}  // namespace kdiag::cli
