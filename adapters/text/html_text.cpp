// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/html_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kdiag::adapters {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 6> html_entities = {
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&nbsp;", ' '}}};

bool opens_tag(std::string_view text) {
  if (text.size() < 2 || text[0] != '<') return false;
  const char c = text[1];
  return c == '/' || c == '!' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string html_text(std::string_view html) {
  std::string out;
  auto put = [&out](char c) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  };
  while (!html.empty()) {
    if (opens_tag(html)) {
      html.remove_prefix(std::min(html.find('>'), html.size() - 1) + 1);
      continue;
    }
    const auto* entity = std::find_if(html_entities.begin(), html_entities.end(),
                                      [html](const auto& known) { return html.starts_with(known.first); });
    put(entity == html_entities.end() ? html.front() : entity->second);
    html.remove_prefix(entity == html_entities.end() ? 1 : entity->first.size());
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::vector<std::string> html_list_items(std::string_view html) {
  std::vector<std::string> items;
  for (std::size_t begin = html.find("<li>"); begin != std::string_view::npos;) {
    begin += 4;
    const std::size_t next = html.find("<li>", begin);
    const std::size_t close = std::min(html.find("</li>", begin), next);
    std::string text = html_text(html.substr(begin, close == std::string_view::npos ? close : close - begin));
    if (!text.empty()) items.push_back(std::move(text));
    begin = next;
  }
  return items;
}

}  // namespace kdiag::adapters
