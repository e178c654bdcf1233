// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/yaml_place.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace kdiag::serve {
namespace {

/// `  - name: kernels`: a dash at column 2, the key `name` at column 4.
struct KeyLine {
  std::optional<std::size_t> dash;  ///< the first one
  std::size_t column = 0;           ///< of what stands behind blanks and dashes
  std::string key;                  ///< empty: none stands there
};

KeyLine key_line(std::string_view line) {
  KeyLine out;
  while (out.column < line.size()) {
    const bool is_dash = line[out.column] == '-' && (out.column + 1 == line.size() || line[out.column + 1] == ' ');
    if (is_dash && !out.dash) out.dash = out.column;
    if (!is_dash && line[out.column] != ' ') break;
    ++out.column;
  }
  std::size_t end = out.column;
  while (end < line.size() && (is_word(line[end]) || line[end] == '.' || line[end] == '-' || line[end] == '*')) ++end;
  if (end > out.column && end < line.size() && line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' '))
    out.key = line.substr(out.column, end - out.column);
  return out;
}

bool says_nothing(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" -");
  return first == std::string_view::npos || line[first] == '#';
}

/// The keys around something at a column, or in a list item that begins at the column of a dash, by the lines above.
std::vector<std::string> keys_above(const TextLines& lines, std::size_t number, const KeyLine& of) {
  std::vector<std::string> out;
  std::size_t limit = of.dash.value_or(of.column);
  bool in_item = of.dash.has_value();  // a list may stand where its key does
  while (number > 0 && (limit > 0 || in_item)) {
    const std::string_view text = lines.line(--number);
    if (says_nothing(text)) continue;
    const KeyLine above = key_line(text);
    if (!in_item && above.dash && above.column == limit) {  // its first key
      limit = *above.dash;
      in_item = true;
      continue;
    }
    const bool around = above.column < limit || (in_item && !above.dash && above.column == limit);
    if (!around) continue;
    if (!above.key.empty()) out.insert(out.begin(), above.key);
    limit = above.dash.value_or(above.column);
    in_item = above.dash.has_value();
  }
  return out;
}

/// What braces that are open at the end of a text add: `most` of `most: {type: ratio, `.
struct Flow {
  std::vector<std::string> keys;
  bool open = false, at_key = false;
};

/// The key that ends at the colon before a byte.
std::string key_before(std::string_view text, std::size_t end) {
  while (end > 0 && text[end - 1] == ' ') --end;
  if (end == 0 || text[end - 1] != ':') return {};
  std::size_t begin = --end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

Flow open_braces(std::string_view text) {
  std::vector<std::size_t> braces;
  char quote = 0;
  std::size_t last_sign = 0;  // of `{` and `,`: what stands behind it is a key
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' && !(at > 0 && text[at - 1] == '$')) {
      braces.push_back(at);
      last_sign = at;
    } else if (c == '}' && !braces.empty()) {
      braces.pop_back();
    } else if (c == ',' && !braces.empty()) {
      last_sign = at;
    }
  }
  Flow out;
  out.open = !braces.empty();
  for (const std::size_t brace : braces)
    if (std::string key = key_before(text, brace); !key.empty()) out.keys.push_back(std::move(key));
  if (!out.open) return out;
  out.at_key = quote == 0 && text.find_first_not_of(' ', last_sign + 1) == std::string_view::npos;
  if (out.at_key) return out;
  const std::string_view member = text.substr(last_sign + 1);
  if (std::string key = key_before(member, std::min(member.find(':'), member.size() - 1) + 1); !key.empty())
    out.keys.push_back(std::move(key));
  return out;
}

}  // namespace

YamlPlace yaml_place(const TextLines& lines, std::size_t line, std::size_t word_begin) {
  const std::string_view before = lines.line(line).substr(0, word_begin);
  const KeyLine here = key_line(before);
  YamlPlace out{keys_above(lines, line, here), here.column == before.size()};
  const Flow flow = open_braces(before);
  if (!here.key.empty() && !(flow.open && !flow.keys.empty() && flow.keys.front() == here.key))
    out.keys.push_back(here.key);
  if (!flow.open) return out;
  out.keys.insert(out.keys.end(), flow.keys.begin(), flow.keys.end());
  out.at_key = flow.at_key;
  return out;
}

std::vector<std::string> top_keys(const TextLines& lines) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const KeyLine line = key_line(lines.line(i));
    if (!line.dash && line.column == 0 && !line.key.empty()) out.push_back(line.key);
  }
  return out;
}

}  // namespace kdiag::serve
