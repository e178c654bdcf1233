// SPDX-License-Identifier: Apache-2.0
#include "cli/line_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kdiag::cli {
namespace {

constexpr std::size_t context = 3;  // lines around a change, as diff -u

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    out.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// A line of both texts (which may differ in its blanks), or of one of them.
struct Pair {
  const std::string_view* before = nullptr;
  const std::string_view* after = nullptr;
  bool equal() const { return before && after && *before == *after; }
};

/// Lines with text correspond one to one: only blank ones come and go.
std::vector<Pair> pairs_of(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after) {
  std::vector<Pair> out;
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < before.size() || b < after.size()) {
    const bool gone = a < before.size() && blank(before[a]) && !(b < after.size() && blank(after[b]));
    const bool come = b < after.size() && blank(after[b]) && !(a < before.size() && blank(before[a]));
    const bool one = gone || b == after.size();
    const bool other = come || a == before.size();
    out.push_back({other && !one ? nullptr : &before[a], one ? nullptr : &after[b]});
    if (out.back().before) ++a;
    if (out.back().after) ++b;
  }
  return out;
}

void append(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string header(const std::vector<Pair>& pairs, std::size_t first, std::size_t last) {
  const auto count = [&](std::size_t begin, std::size_t end, auto member) {
    return std::count_if(pairs.begin() + static_cast<std::ptrdiff_t>(begin),
                         pairs.begin() + static_cast<std::ptrdiff_t>(end),
                         [member](const Pair& pair) { return pair.*member != nullptr; });
  };
  const auto range = [&](auto member) {
    const auto lines = count(first, last, member);
    return std::to_string(count(0, first, member) + (lines > 0 ? 1 : 0)) + "," + std::to_string(lines);
  };
  return "@@ -" + range(&Pair::before) + " +" + range(&Pair::after) + " @@\n";
}

}  // namespace

std::string blank_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  const std::vector<Pair> pairs = pairs_of(old_lines, new_lines);
  std::string out = "--- " + std::string(name) + "\n+++ " + std::string(name) + "\n";
  for (std::size_t at = 0; at < pairs.size();) {
    if (pairs[at].equal()) {
      ++at;
      continue;
    }
    const std::size_t first = at > context ? at - context : 0;
    std::size_t last = at;  // behind the hunk: changes nearer than two contexts share one
    for (std::size_t i = at; i < pairs.size() && i < last + 2 * context + 1; ++i)
      if (!pairs[i].equal()) last = i + 1;
    last = std::min(last + context, pairs.size());
    out += header(pairs, first, last);
    for (std::size_t i = first; i < last; ++i) {
      if (pairs[i].equal()) append(out, ' ', *pairs[i].before);
      else {
        if (pairs[i].before) append(out, '-', *pairs[i].before);
        if (pairs[i].after) append(out, '+', *pairs[i].after);
      }
    }
    at = last;
  }
  return out;
}

}  // namespace kdiag::cli
