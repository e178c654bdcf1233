// SPDX-License-Identifier: Apache-2.0
#include "dsl/yaml_layout.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"

namespace kdiag {
namespace {

/// Where the content of a line begins, behind blanks and the dashes of list items; npos of a line without any.
std::size_t content_column(std::string_view line) {
  std::size_t at = line.find_first_not_of(' ');
  while (at != std::string_view::npos && line.substr(at).starts_with("- ")) at = line.find_first_not_of(' ', at + 1);
  return at == std::string_view::npos || line[at] == '#' ? std::string_view::npos : at;
}

bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
}

/// What is wrong with the line above a key that YAML takes for a part of that line's value: there is no blank behind
/// its colon, or it has its value already, and the key stands further right.
std::optional<Diagnostic> misplaced_key(const SourcePtr& source, std::size_t offset) {
  const std::string_view text = source->text;
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const std::size_t column = content_column(text.substr(begin, text.find('\n', begin) - begin));
  for (std::size_t end = begin; end > 0;) {
    const std::size_t above = end < 2 ? 0 : text.rfind('\n', end - 2) + 1;
    const std::string_view line = text.substr(above, end - above);
    end = above;
    const std::size_t there = content_column(line.substr(0, line.find_last_not_of("\r\n") + 1));
    if (there == std::string_view::npos) continue;
    const std::size_t colon = line.find(':', there);
    if (colon != std::string_view::npos && colon + 1 < line.size() && is_word(line.substr(there, colon - there)) &&
        std::string_view(" \r\n").find(line[colon + 1]) == std::string_view::npos)
      return make_error(error_id::invalid_yaml, {source, above + colon, 2},
                        "this is not valid YAML: a blank is missing behind the colon");
    if (column == std::string_view::npos || column <= there || line.find(": ", there) == std::string_view::npos) break;
    return make_error(
        error_id::invalid_yaml, {source, begin, column},
        "this is not valid YAML: a line is indented further than the one above, which has its value already",
        std::to_string(column) + " blanks, and " + std::to_string(there) + " above",
        "keys of one mapping begin in one column");
  }
  return std::nullopt;
}

/// A tab among the blanks that a line begins with.
std::optional<Diagnostic> tab_in_indentation(const SourcePtr& source, std::size_t offset) {
  const std::string_view text = source->text;
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const std::size_t tab = text.find_first_not_of(' ', begin);
  if (tab == std::string_view::npos || text[tab] != '\t') return std::nullopt;
  const std::size_t end = std::min(text.find_first_not_of('\t', tab), text.size());
  return make_error(error_id::invalid_yaml, {source, tab, end - tab},
                    "this is not valid YAML: lines are indented with blanks, not with tabs", "a tab",
                    "let the editor write blanks for tabs");
}

/// An item that begins further left than the items above it, and no further than what its list belongs to.
std::optional<Diagnostic> misplaced_item(const SourcePtr& source, std::size_t offset) {
  const std::string_view text = source->text;
  const auto dash_of = [&](std::size_t begin) {
    const std::size_t at = text.find_first_not_of(' ', begin);
    return at != std::string_view::npos && text.substr(at).starts_with("- ") ? at - begin : std::string_view::npos;
  };
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const std::size_t here = dash_of(begin);
  if (here == std::string_view::npos) return std::nullopt;
  for (std::size_t end = begin; end > 0;) {
    const std::size_t above = end < 2 ? 0 : text.rfind('\n', end - 2) + 1;
    end = above;
    const std::size_t there = dash_of(above);
    if (there == std::string_view::npos) continue;
    if (there <= here) break;
    return make_error(error_id::invalid_yaml, {source, begin + here, 1},
                      "this is not valid YAML: this list item is indented by " + std::to_string(here) +
                          ", the one above by " + std::to_string(there),
                      {}, "items of one list begin in one column");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> layout_mistake(const SourcePtr& source, std::size_t offset, bool colon_refused) {
  if (auto tab = tab_in_indentation(source, offset)) return tab;
  if (auto item = misplaced_item(source, offset)) return item;
  return colon_refused ? misplaced_key(source, offset) : std::nullopt;
}

}  // namespace kdiag
