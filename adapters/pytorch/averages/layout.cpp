// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/averages/layout.hpp"

#include <algorithm>
#include <limits>

#include "adapters/rows/piped_row.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::averages {
namespace {

using Words = std::span<const std::string_view>;

/// How many words the heading has that words begin with; 0 for none that is known.
std::size_t words_of_heading(Words words) {
  const auto has = [&words](std::size_t at, std::string_view word) { return at < words.size() && words[at] == word; };
  if (has(0, "Name")) return 1;
  if (has(1, "of") && has(2, "Calls")) return 3;                      // "# of Calls", "Number of Calls"
  if (has(0, "Total") || (has(0, "Node") && has(1, "ID"))) return 2;  // "Total GFLOPs"
  const std::size_t device = has(0, "Self") ? 1 : 0;
  std::size_t count = device + 1;
  if (has(count, "time") && has(count + 1, "avg")) return count + 2;
  if (has(count, "Mem")) return count + 1;
  if (has(count, "total")) ++count;
  else if (device == 0) return 0;
  return has(count, "%") ? count + 1 : count;
}

/// The headings of a line that has one blank between them; none when one of them is not known.
std::vector<std::string_view> known_headings(std::string_view line) {
  const std::vector<std::string_view> all = words(line);
  std::vector<std::string_view> headings;
  for (Words rest = all; !rest.empty();) {
    const std::size_t count = words_of_heading(rest);
    if (count == 0 || count > rest.size()) return {};
    const std::string_view last = rest[count - 1];
    headings.emplace_back(rest.front().data(),
                          static_cast<std::size_t>(last.data() + last.size() - rest.front().data()));
    rest = rest.subspan(count);
  }
  return headings;
}

}  // namespace

bool Layout::rule(std::string_view line) {
  if (!ruler_.rule(line)) return false;
  narrow_ = trim(line).find("  ") == std::string_view::npos;
  return true;
}

std::optional<Header> Layout::header(std::string_view line) {
  if (trim(line).starts_with('|'))
    return parsed(piped_cells(line, std::numeric_limits<std::size_t>::max()), Kind::piped);
  const std::vector<std::string_view> headings = narrow_ ? known_headings(line) : phrases(line);
  if (headings.size() != ruler_.columns()) return std::nullopt;
  return parsed(headings, narrow_ ? Kind::spaced : Kind::ruled);
}

std::optional<Header> Layout::parsed(const std::vector<std::string_view>& headings, Kind kind) {
  auto header = Header::parse(headings);
  if (!header || (kind == Kind::spaced && headings.front() != "Name")) return std::nullopt;
  kind_ = kind;
  words_.clear();
  for (const std::string_view heading : headings) words_.push_back(heading.ends_with(" Mem") ? 2 : 1);  // "1.25 Kb"
  return header;
}

std::span<const std::string_view> Layout::cells(std::string_view line) {
  if (kind_ == Kind::ruled) return ruler_.cells(line);
  cells_.clear();
  line = trim(line);
  if (kind_ == Kind::spaced) {
    if (!cells_of_words(line)) cells_.clear();
  } else if (line.size() > 1 && line.starts_with('|') && line.ends_with('|')) {
    cells_ = piped_cells(line, words_.size());
  }
  return cells_;
}

/// From the right end, since all but the name have known numbers of words.
bool Layout::cells_of_words(std::string_view line) {
  for (auto count = words_.rbegin(); count + 1 != words_.rend(); ++count) {
    std::string_view rest = line;
    for (std::size_t word = 0; word < *count; ++word) {
      const std::size_t blank = rest.find_last_of(" \t");
      if (blank == std::string_view::npos) return false;
      rest = trim(rest.substr(0, blank));
    }
    cells_.push_back(trim(line.substr(rest.size())));
    line = rest;
  }
  cells_.push_back(line);
  std::reverse(cells_.begin(), cells_.end());
  return true;
}

}  // namespace kdiag::adapters::averages
