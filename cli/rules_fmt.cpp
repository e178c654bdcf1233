// SPDX-License-Identifier: Apache-2.0
// kdiag rules fmt: formats rule files in place, or shows what that would change.
#include "cli/verbs.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/line_diff.hpp"
#include "cli/output.hpp"
#include "cli/rule_paths.hpp"

namespace kdiag::cli {
namespace {

/// All of a file, of standard input for "-"; or nothing, after saying why.
std::optional<std::string> read_text(const Options& options, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"),
                                                               [](std::FILE* f) { return f ? std::fclose(f) : 0; });
  std::FILE* file = path == "-" ? stdin : opened.get();
  std::string text;
  char buffer[1 << 16];
  if (file != nullptr)
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, got);
  if (file != nullptr && std::ferror(file) == 0) return text;
  complain(options, "cannot read " + path + ": " + std::strerror(errno));
  return std::nullopt;
}

}  // namespace

int format_rule_files(const Options& options) {
  const std::vector<std::string> files = rule_files(options.files, true).files;
  if (files.empty()) {
    complain(options, no_rule_files);
    return exit_code::rules;
  }
  std::string shown;
  int code = exit_code::ok;
  for (const std::string& file : files) {
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
