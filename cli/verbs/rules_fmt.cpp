// SPDX-License-Identifier: Apache-2.0
// kdiag rules fmt: formats rule files in place, or shows what that would change.
#include "cli/verbs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/line_diff.hpp"
#include "cli/output.hpp"
#include "cli/rule_paths.hpp"

namespace kdiag::cli {
namespace {

/// All of a file, of standard input for "-"; or nothing, after saying why.
std::optional<std::string> read_text(const Options& options, const std::string& path) {
  const bool standard_input = path == "-";
  const int file = standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  char buffer[1 << 16];
  ssize_t got = file < 0 ? -1 : 1;
  while (got > 0 || (got < 0 && file >= 0 && errno == EINTR && !interrupted)) {
    got = ::read(file, buffer, sizeof buffer);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
  const int why = errno;
  if (file >= 0 && !standard_input) ::close(file);
  if (got == 0) return text;
  if (!interrupted) complain(options, "cannot read " + path + ": " + std::strerror(why));
  return std::nullopt;
}

}  // namespace

int format_rule_files(const Options& options) {
  const RulePaths paths = rule_files(options.files, {.tests = true, .lua = false});
  if (!all_found(options, paths, true)) return exit_code::rules;
  std::string shown;
  int code = exit_code::ok;
  for (const std::string& file : paths.files) {
    const auto text = read_text(options, file);
    const Result<std::string> formatted =
        text ? format_rules(file == "-" ? "standard input" : file, *text) : Result<std::string>(Diagnostics{});
    if (!formatted) {
      complain(options, formatted.error());
      code = exit_code::rules;
    } else if (options.check) {
      shown += blank_diff(file, *text, *formatted);
      if (*formatted != *text) code = exit_code::rules;
    } else if (file == "-") {
      shown += *formatted;
    } else if (*formatted != *text) {
      if (const auto failure = write_output(*formatted, file)) {
        complain(options, *failure);
        code = worst({code, exit_code::usage});
      } else if (!options.quiet) {
        shown += "formatted " + file + "\n";
      }
    }
  }
  return print(options, shown, code);
}

}  // namespace kdiag::cli
