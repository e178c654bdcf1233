// SPDX-License-Identifier: Apache-2.0
// A tolerant look at JSON that may end anywhere: strings and brackets, nothing else.
#include "adapters/io/head_json.hpp"

#include <cstddef>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// The place of the quote that closes the string opened at `open`, or npos.
std::size_t closing_quote(std::string_view text, std::size_t open) {
  for (std::size_t at = open + 1; at < text.size(); ++at) {
    if (text[at] == '"') return at;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

bool goes_on_as_object(std::string_view rest) {
  const std::size_t next = rest.find_first_not_of(json_blanks);
  return next == std::string_view::npos || rest[next] == '"' || rest[next] == '}';
}

bool goes_on_as_array(std::string_view rest) {
  const std::size_t next = rest.find_first_not_of(json_blanks);
  if (next == std::string_view::npos) return true;
  if (rest[next] == '{' || rest[next] == '[' || rest[next] == '"') return true;
  if (std::string_view("]-tfn").find(rest[next]) == std::string_view::npos && !is_digit(rest[next])) return false;
  const std::size_t number = rest.find_first_not_of("0123456789+-.eE;", next);
  if (number != std::string_view::npos && rest[number] == 'm') return false;  // "[36m" colours a line
  // Numbers and words: the tag of a log is closed on its line, and more text follows.
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos || line.find_first_of("[{\"") < close) return true;
  const std::size_t behind = line.find_first_not_of(" \t\r", close + 1);
  return behind == std::string_view::npos || line[behind] == ',' || line[behind] == ']';
}

}  // namespace

char json_start(std::string_view text) {
  const std::size_t first = text.find_first_not_of(json_blanks);
  if (first == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(first + 1);
  const bool json = text[first] == '{' ? goes_on_as_object(rest) : text[first] == '[' && goes_on_as_array(rest);
  return json ? text[first] : '\0';
}

std::vector<std::string_view> top_level_keys(std::string_view text) {
  std::vector<std::string_view> keys;
  std::size_t at = text.find('{');
  for (std::size_t depth = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t close = closing_quote(text, at);
      if (close == std::string_view::npos) break;
      const std::size_t after = text.find_first_not_of(json_blanks, close + 1);
      if (depth == 1 && after != std::string_view::npos && text[after] == ':')
        keys.push_back(text.substr(at + 1, close - at - 1));
      at = close;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      break;
    }
  }
  return keys;
}

}  // namespace kdiag::adapters
