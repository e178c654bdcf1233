// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "cli/command.hpp"

namespace kdiag::cli {
namespace {

// Below the first tables are cut to pieces, above the second lines are too long to read (judgement).
constexpr std::size_t narrowest = 80, widest = 200;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

/// COLUMNS where the user sets it, else what the terminal says; 0: it says nothing.
std::size_t terminal_columns() {
  std::size_t columns = 0;
  const std::string_view set = variable("COLUMNS");
  const auto [end, error] = std::from_chars(set.data(), set.data() + set.size(), columns);
  if (error == std::errc{} && end == set.data() + set.size() && columns > 0) return columns;
  struct winsize size {};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// Whether the user's locale names an encoding that is not UTF-8. One that is not set says nothing: nor do we guess.
bool locale_without_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set counts (POSIX, 8.2)
    const std::string_view locale = variable(name);
    if (locale.empty()) continue;
    constexpr std::string_view spelled[] = {"UTF-8", "utf-8", "UTF8", "utf8"};
    return std::none_of(std::begin(spelled), std::end(spelled), [locale](std::string_view name_of_it) {
      return locale.find(name_of_it) != std::string_view::npos;
    });
  }
  return false;
}

/// Whether the terminal says that it is one of those which open links (OSC 8). Multiplexers show what is in front of
/// them, so that nothing is known inside.
bool opens_links() {
  if (!variable("TMUX").empty() || !variable("STY").empty()) return false;
  constexpr std::string_view programs[] = {"iTerm.app", "WezTerm", "vscode", "ghostty"};
  return std::find(std::begin(programs), std::end(programs), variable("TERM_PROGRAM")) != std::end(programs) ||
         !variable("WT_SESSION").empty() || !variable("KITTY_WINDOW_ID").empty() || !variable("VTE_VERSION").empty() ||
         !variable("KONSOLE_VERSION").empty();
}

}  // namespace

TextOptions text_options(const Options& options) {
  const bool shown = options.output.empty();  // a file is read elsewhere
  const bool terminal = shown && ::isatty(STDOUT_FILENO) != 0;
  TextOptions text{.color = shown && colors_wanted(options, STDOUT_FILENO),
                   .all = options.all,
                   .brief = options.brief,
                   .ascii = shown && locale_without_utf8()};
  text.links = text.color && opens_links();
  text.cancel = &interrupted;
  if (options.width > 0) text.width = options.width;
  else if (const std::size_t columns = terminal ? terminal_columns() : 0; columns > 0)
    text.width = std::clamp(columns, narrowest, widest);
  return text;
}

std::size_t table_width(const Options& options) {
  const bool shown = options.output.empty() && !options.wide && ::isatty(STDOUT_FILENO) != 0;
  return shown ? terminal_columns() : 0;
}

}  // namespace kdiag::cli
