// SPDX-License-Identifier: Apache-2.0
// Waivers as text: entries of their own, and into a project file that has others.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>
#include <kdiag/project.hpp>

#include "base/ascii.hpp"
#include "base/diagnostic.hpp"
#include "base/escape.hpp"
#include "dsl/yaml_tree.hpp"

namespace kdiag {
namespace {

/// A text in single quotes, which YAML takes as it stands, on one line.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : visible(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

/// The same where it needs them: ids of rules, fingerprints and days do not, unless a report was made up.
std::string as_scalar(std::string_view text) {
  const auto is_plain = [](char c) { return is_word(c) || c == '.' || c == ':' || c == '-'; };
  const bool plain =
      !text.empty() && is_word(text.front()) && text.back() != ':' && std::all_of(text.begin(), text.end(), is_plain);
  return plain ? std::string(text) : in_quotes(text);
}

std::string entry(const NewWaiver& waiver, const std::string& indent) {
  std::string out = indent + "- rule: " + as_scalar(waiver.rule) + "\n";
  const auto add = [&](std::string_view key, const std::string& value) {
    out.append(indent).append("  ").append(key).append(": ").append(value).append("\n");
  };
  add("fingerprint", as_scalar(waiver.fingerprint) + "  # " + visible(waiver.title));
  add("reason", in_quotes(waiver.reason));
  if (!waiver.owner.empty()) add("owner", in_quotes(waiver.owner));
  if (!waiver.until.empty()) add("until", as_scalar(waiver.until));
  return out;
}

std::string entries(const std::vector<NewWaiver>& waivers, const std::string& indent) {
  std::string out;
  for (const NewWaiver& waiver : waivers) out += entry(waiver, indent);
  return out;
}

/// Where a line that begins at `at` ends, its line break included.
std::size_t end_of_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

/// Behind the last line that belongs to a list at the top level of the file, which the next key ends.
std::size_t end_of_list(std::string_view text, std::size_t first_item) {
  std::size_t end = end_of_line(text, first_item);
  for (std::size_t at = end; at < text.size(); at = end_of_line(text, at)) {
    const std::string_view line = text.substr(at, end_of_line(text, at) - at);
    const bool blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (!blank && line[0] != ' ' && line[0] != '-' && line[0] != '#') break;
    if (!blank && line[0] != '#') end = at + line.size();
  }
  return end;
}

/// The file with what was added to it, if that can be read: yaml-cpp takes a last line for a key that is none once
/// another follows ("x-rules", without a colon).
Result<std::string> if_valid(std::string_view name, std::string text) {
  const auto source = std::make_shared<const Source>(Source{std::string(name), text});
  Diagnostics diagnostics;
  (void)parse_yaml(source, diagnostics);
  if (has_error(diagnostics)) return diagnostics;
  return text;
}

}  // namespace

std::string waiver_text(const std::vector<NewWaiver>& waivers) { return "waivers:\n" + entries(waivers, "  "); }

Result<std::string> with_waivers(std::string_view name, std::string_view text, const std::vector<NewWaiver>& waivers) {
  const auto source = std::make_shared<const Source>(Source{std::string(name), std::string(text)});
  Diagnostics diagnostics;
  const YamlNode root = parse_yaml(source, diagnostics);
  if (has_error(diagnostics)) return diagnostics;
  std::string out(text);
  if (!out.empty() && out.back() != '\n') out += '\n';
  const YamlNode* list = root.find("waivers");
  if (list == nullptr) return if_valid(name, out + "\n" + waiver_text(waivers));
  const std::size_t first = list->is(YamlNode::Kind::sequence) && !list->items.empty()
                                ? out.rfind('-', list->items.front().span.offset)
                                : std::string::npos;
  const std::size_t line = first == std::string::npos ? first : out.rfind('\n', first) + 1;
  if (first == std::string::npos || out.find_first_not_of(' ', line) != first)
    return make_error(error_id::wrong_kind_of_value, list->span, "`waivers` is no list with an entry on each line", {},
                      "write `waivers:` and below it `- rule: ...`, or take the empty list out");
  const std::size_t end = end_of_list(out, first);
  return if_valid(name, out.substr(0, end) + entries(waivers, std::string(first - line, ' ')) + out.substr(end));
}

}  // namespace kdiag
