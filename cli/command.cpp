// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cli/packs.hpp"

namespace kdiag::cli {

void open_standard_streams() {
  // Else the first file that is opened takes the place of a closed one, and a report or an error is written into it.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // using it fails, as before
}

int worst(std::initializer_list<int> codes) {
  for (int code : {exit_code::internal, exit_code::interrupted, exit_code::usage, exit_code::rules, exit_code::tests,
                   exit_code::findings, exit_code::inconclusive})
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  return exit_code::ok;
}

bool colors_wanted(const Options& options, int stream) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view{} : std::string_view(value);
  };
  if (options.no_color || !variable("NO_COLOR").empty()) return false;
  // CLICOLOR_FORCE: for pagers, which are no terminal and show colours (less -R).
  if (const std::string_view force = variable("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  return variable("TERM") != "dumb" && ::isatty(stream) != 0;
}

void complain(const Options& options, const Diagnostics& diagnostics) {
  if (std::any_of(diagnostics.begin(), diagnostics.end(),
                  [](const Diagnostic& one) { return one.id == refusal_id::interrupted; }))
    return;  // who interrupted the command knows
  if (diagnostics.empty()) return;
  if (progress_shown.exchange(false)) std::fputs(wipe_line, stderr);
  std::fputs(render(diagnostics, {.color = colors_wanted(options, STDERR_FILENO)}).c_str(), stderr);
}

void complain(const Options& options, std::string title) {
  Diagnostic error;
  error.id = refusal_id::command_failed;
  error.title = std::move(title);
  complain(options, Diagnostics{error});
}

void warn(const Options& options, std::string title, std::string_view id) {
  if (options.quiet) return;
  Diagnostic warning;
  warning.id = id;
  warning.level = Level::warning;
  warning.title = std::move(title);
  complain(options, Diagnostics{warning});
}

int print(const Options& options, std::string text, int code) {
  if (interrupted) return exit_code::interrupted;
  if (!text.empty() && text.back() != '\n') text += '\n';
  OutputStream output(options.output);
  output.write(text);
  return finish(options, output, code);
}

int finish(const Options& options, OutputStream& output, int code) {
  const auto failure = output.finish();
  if (!failure) return code;
  if (interrupted) return exit_code::interrupted;
  complain(options, *failure);
  return worst({code, exit_code::usage});
}

bool all_found(const Options& options, const RulePaths& paths, bool needed) {
  complain(options, paths.errors);
  const bool none = paths.files.empty() && paths.errors.empty() && needed;
  if (none) complain(options, no_rule_files);
  return paths.errors.empty() && !none;
}

std::optional<RuleSet> load_rule_set(const Options& options, const std::vector<std::string>& files) {
  std::optional<RuleSet> rules = load_unlocked(options, files);
  return rules && holds_lock(options, *rules) ? std::move(rules) : std::nullopt;
}

std::optional<RuleSet> load_unlocked(const Options& options, const std::vector<std::string>& files) {
  const RulePaths paths = rule_files(files);
  if (!all_found(options, paths, !files.empty())) return std::nullopt;
  const std::vector<std::string>& found = paths.files;
  Result<RuleSet> rules = found.empty() ? builtin_rules(options.rule_options) : load_rules(found, options.rule_options);
  if (!rules) {
    complain(options, rules.error());
    return std::nullopt;
  }
  if (!options.quiet) complain(options, rules->warnings());
  keep_to_the_end(*rules);
  return std::move(*rules);
}

int unreadable(const Options& options, std::span<const InputEntry> inputs) {
  const auto gave_nothing = [](const InputEntry& input) {
    return std::any_of(input.notes.begin(), input.notes.end(),
                       [](const NoteEntry& note) { return note_id::says_nothing_read(note.id); });
  };
  const bool any = std::any_of(inputs.begin(), inputs.end(), gave_nothing);
  const bool all = any && std::all_of(inputs.begin(), inputs.end(), gave_nothing);
  return all || (options.strict && any) ? exit_code::usage : exit_code::ok;
}

}  // namespace kdiag::cli
