// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/line_shapes.hpp"

#include <algorithm>
#include <iterator>

#include "adapters/text/calendar_time.hpp"
#include "base/ascii.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view levels[] = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"};  // of Python's logging

constexpr bool is_host_letter(char c) { return is_digit(c) || is_letter(c) || c == '-' || c == '.' || c == '_'; }

/// Takes characters off the front as long as they are of a kind; how many.
template <class Kind>
std::size_t take_while(std::string_view& text, Kind kind) {
  const std::size_t count = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), kind) - text.begin());
  text.remove_prefix(count);
  return count;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// The blank behind a prefix, unless the line ends there.
bool take_blank(std::string_view& text) { return text.empty() || take(text, " "); }

/// "[1,0]<stdout>:", as mpirun tags them.
bool take_mpirun_tag(std::string_view& text) {
  if (!take(text, "[")) return false;
  if (take_while(text, [](char c) { return is_digit(c) || c == ','; }) == 0 || !take(text, "]")) return false;
  return take(text, "<stdout>:") || take(text, "<stderr>:") || take(text, ":");
}

/// A colon, and the blank behind it unless it ends the line.
bool take_colon(std::string_view& text) { return take(text, ": ") || text == ":"; }

/// " 0: " of srun -l; "host 0: " of PALS; "host: " of pdsh, whose hosts have a number in their name.
bool take_rank_tag(std::string_view& text) {
  take_while(text, [](char c) { return c == ' '; });
  const std::string_view word = text;
  if (take_while(text, is_host_letter) == 0) return false;
  const std::string_view host = word.substr(0, word.size() - text.size());
  const bool numbered = std::any_of(host.begin(), host.end(), is_digit);
  if (std::string_view rest = text; take(rest, " ") && take_while(rest, is_digit) > 0 && take_colon(rest)) {
    text = rest;
    return true;
  }
  return numbered && take_colon(text);
}

/// "(EngineCore_DP0 pid=44565) ", of vLLM and Ray, which adds the host of another node: "(train pid=7, ip=10.0.0.2) ".
bool take_pid_tag(std::string_view& text) {
  if (!take(text, "(") || take_while(text, [](char c) { return c != ' ' && c != '('; }) == 0) return false;
  if (!take(text, " pid=") || take_while(text, is_digit) == 0) return false;
  if (take(text, ", ip=")) take_while(text, is_host_letter);
  return take(text, ")") && take_blank(text);
}

/// "[rank0]:", "[default0]:" of torchrun, "[worker 3]:". Of a blank behind it nothing says whose it is.
bool take_rank_in_brackets(std::string_view& text) {
  if (!take(text, "[") || take_while(text, is_letter) == 0) return false;
  take(text, " ");
  return take_while(text, is_digit) > 0 && take(text, "]:");
}

/// "2026-05-04T10:00:00.123Z ", "2026-05-04 10:00:00,123 ", "[2026-05-04 10:00:00,123] ".
bool take_time(std::string_view& text) {
  constexpr std::size_t date = 10, shortest = 19;
  const bool in_brackets = take(text, "[");
  if (text.size() <= shortest || (text[date] != 'T' && text[date] != ' ')) return false;
  const std::size_t end = std::min(text.find(in_brackets ? ']' : ' ', shortest), text.size());
  if (!parse_calendar_time(text.substr(0, end))) return false;
  text.remove_prefix(end);
  return (!in_brackets || take(text, "]")) && take_blank(text);
}

/// "INFO 11-05 13:22:49 [worker.py:210] ", as vLLM's logger begins each line.
bool take_log_header(std::string_view& text) {
  if (std::none_of(std::begin(levels), std::end(levels), [&text](std::string_view level) { return take(text, level); }))
    return false;
  const auto is_of_time = [](char c) { return is_digit(c) || c == '-' || c == ':' || c == '.'; };
  for (int word = 0; word < 2; ++word)
    if (!take(text, " ") || take_while(text, is_of_time) < 5) return false;
  if (!take(text, " [") || take_while(text, [](char c) { return is_host_letter(c) || c == '/'; }) == 0) return false;
  return take(text, ":") && take_while(text, is_digit) > 0 && take(text, "]") && take_blank(text);
}

/// Marks of a comment or a quote, and the blank behind them.
bool take_mark(std::string_view& text, std::string_view mark) {
  if (!take(text, mark)) return false;
  take(text, " ");
  return true;
}

/// How long the sequence is that a line goes on with: "\033[1;36m", or the same without its first character.
std::size_t colour_length(std::string_view line) {
  std::string_view rest = line;
  const bool whole = take(rest, "\033");
  if (!take(rest, "[")) return 0;
  const std::size_t numbers = take_while(rest, [](char c) { return is_digit(c) || c == ';'; });
  const bool ends = whole ? !rest.empty() && is_letter(rest.front()) : numbers > 0 && rest.starts_with('m');
  return ends ? line.size() - rest.size() + 1 : 0;
}

}  // namespace

std::size_t prefix_length(LineShape shape, std::string_view line) {
  std::string_view rest = line;
  bool has = false;
  switch (shape) {
    case LineShape::worker:
      has = take_pid_tag(rest);
      if (!has) has = take_rank_in_brackets(rest = line);
      break;
    case LineShape::process:
      has = take_mpirun_tag(rest);
      if (!has) has = take_rank_tag(rest = line);
      break;
    case LineShape::logger: has = take_log_header(rest); break;
    case LineShape::time: has = take_time(rest); break;
    case LineShape::quote: has = take_mark(rest, ">"); break;
    case LineShape::slashes: has = take_mark(rest, "//"); break;
    case LineShape::hash: has = take_mark(rest, "#"); break;
  }
  return has ? line.size() - rest.size() : 0;
}

std::string without_colours(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  while (!line.empty()) {
    const std::size_t length = colour_length(line);
    if (length == 0) out += line.front();
    line.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace kdiag::adapters
