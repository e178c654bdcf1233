// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/latencyprism/markdown_cell.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kdiag::adapters {
namespace {

constexpr std::string_view code_begin = "<code>", code_end = "</code>";

/// What stands for a character, and the character; an empty element only keeps two apart.
constexpr std::pair<std::string_view, std::string_view> entities[] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"<!-- -->", ""}};

/// ASCII punctuation, which is what a backslash escapes; whatever the host's locale.
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::string without_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* entity = std::find_if(std::begin(entities), std::end(entities),
                                      [&](const auto& known) { return text.starts_with(known.first); });
    if (entity != std::end(entities)) {
      out += entity->second;
      text.remove_prefix(entity->first.size());
      continue;
    }
    if (text[0] == '\\' && text.size() > 1 && is_punctuation(text[1])) text.remove_prefix(1);
    out += text[0];
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace

std::string cell_text(std::string_view cell) {
  if (cell.size() > code_begin.size() + code_end.size() && cell.starts_with(code_begin) && cell.ends_with(code_end))
    return without_escapes(cell.substr(code_begin.size(), cell.size() - code_begin.size() - code_end.size()));
  const std::size_t fence = cell.find_first_not_of('`');
  if (fence == 0 || fence == std::string_view::npos) return std::string(cell);
  if (cell.size() <= 2 * fence || cell.substr(cell.size() - fence).find_first_not_of('`') != std::string_view::npos)
    return std::string(cell);
  std::string_view code = cell.substr(fence, cell.size() - 2 * fence);
  // A fence of several marks has a blank on both sides.
  if (fence > 1 && code.size() > 2 && code.front() == ' ' && code.back() == ' ') code = code.substr(1, code.size() - 2);
  return std::string(code);
}

}  // namespace kdiag::adapters
