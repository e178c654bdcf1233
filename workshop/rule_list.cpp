// SPDX-License-Identifier: Apache-2.0
// The rules at hand: in one line each, and as they stand in their files.
#include <kdiag/tools.hpp>

#include <algorithm>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "packs/find_rule.hpp"
#include "report/phrases/table.hpp"

namespace kdiag {
namespace {

RuleEntry entry_of(const Rule& rule, const LoadedRules& loaded) {
  RuleEntry out;
  out.id = rule.id;
  const CheckedRule* const checked = loaded.find(rule.id);  // with what overrides changed
  const Rule& in_force = checked != nullptr ? *checked->rule : rule;
  out.status = in_force.enabled ? name_of(in_force.status) : "disabled";
  out.role = name_of(rule.role);
  out.subject = rule.for_each.empty() ? "run" : rule.for_each;
  out.summary = rule.summary.empty() ? title_text(rule) : rule.summary;
  out.tags = rule.tags;
  out.pack = rule.pack;
  out.file = rule.span.source->name;
  out.line = position_of(*rule.span.source, rule.span.offset).line;
  return out;
}

struct TextLine {
  std::size_t begin = 0, end = 0;  ///< without the line break
  std::size_t indent = 0;
  bool blank = false, comment = false;
};

TextLine line_at(std::string_view text, std::size_t begin) {
  TextLine line{.begin = begin, .end = std::min(text.find('\n', begin), text.size())};
  const std::size_t first = std::min(text.find_first_not_of(" \t\r", begin), line.end);
  line.indent = first - begin;
  line.blank = first == line.end;
  line.comment = !line.blank && text[first] == '#';
  return line;
}

/// The lines of the mapping that begins at a byte: those behind it that are indented at least as far. Comments between
/// them belong to it, comments behind the last one to what follows.
std::pair<std::size_t, std::size_t> lines_of_block(std::string_view text, std::size_t offset) {
  const std::size_t break_before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = break_before == std::string_view::npos ? 0 : break_before + 1;
  const std::size_t column = offset - begin;
  std::size_t end = line_at(text, begin).end;
  for (std::size_t at = end + 1; at < text.size();) {
    const TextLine line = line_at(text, at);
    if (!line.blank && !line.comment) {
      if (line.indent < column) break;
      end = line.end;
    }
    at = line.end + 1;
  }
  return {begin, end};
}

}  // namespace

std::vector<RuleEntry> list_rules(const RuleSet& rules) {
  std::vector<RuleEntry> out;
  for (const auto& file : whole_files(rules.loaded().files))
    for (const Rule& rule : file->rules) out.push_back(entry_of(rule, rules.loaded()));
  return out;
}

std::string to_text(const std::vector<RuleEntry>& rules) {
  std::vector<std::vector<std::string>> cells{{"id", "status", "role", "subject", "summary"}};
  for (const RuleEntry& rule : rules)
    cells.push_back({visible(rule.id), rule.status, rule.role, visible(rule.subject),
                     visible(rule.summary.substr(0, rule.summary.find('\n')))});
  std::string out;
  for (const std::string& line : report::align_columns(std::move(cells), std::vector<bool>(5))) out += line + "\n";
  return out;
}

std::string to_json(const std::vector<RuleEntry>& rules) {
  JsonWriter json;
  json.array(Layout::lines, [&] {
    for (const RuleEntry& rule : rules)
      json.object([&] {
        json.member("id", rule.id);
        json.member("status", rule.status);
        json.member("role", rule.role);
        json.member("subject", rule.subject);
        json.member("summary", rule.summary);
        json.array("tags", Layout::line, [&] {
          for (const std::string& tag : rule.tags) json.value(tag);
        });
        json.member("pack", rule.pack);
        json.member("file", rule.file);
        json.member("line", static_cast<std::uint64_t>(rule.line));
      });
  });
  return json.take();
}

Result<RuleSource> rule_source(const RuleSet& rules, std::string_view rule) {
  const Result<const CheckedRule*> checked = find_rule(rules, rule);
  if (!checked) return checked.error();
  const Span& block = (*checked)->rule->block;
  const auto [begin, end] = lines_of_block(block.source->text, block.offset);
  RuleSource out{.file = block.source->name, .line = position_of(*block.source, block.offset).line, .text = {}};
  out.text = block.source->text.substr(begin, end - begin) + "\n";
  return out;
}

}  // namespace kdiag
