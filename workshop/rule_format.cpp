// SPDX-License-Identifier: Apache-2.0
// Formats rule files. The text is edited, never written anew, and only its blanks and line breaks: what else stands in
// it, comments included, stays as it is. The result is read again and must mean the same.
#include <kdiag/error_ids.hpp>
#include <kdiag/refusal_ids.hpp>
#include <kdiag/tools.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/interrupt.hpp"
#include "dsl/expressions/expr_tokens.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/yaml_tree.hpp"
#include "ingest/reading.hpp"
#include "workshop/file_expressions.hpp"

namespace kdiag {
namespace {

bool is_white(char c) { return c == ' ' || c == '\t'; }
bool is_space(char c) { return is_white(c) || c == '\r' || c == '\n'; }

/// Bytes of a file.
struct Region {
  std::size_t begin = 0, end = 0;
};

/// Regions that do not overlap each other.
class Regions {
 public:
  Regions() = default;
  explicit Regions(std::vector<Region> regions) : regions_(std::move(regions)) {
    std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) { return a.begin < b.begin; });
  }
  /// Whether a byte of `where` lies in one of them.
  bool overlap(const Region& where) const {
    const auto after = std::partition_point(regions_.begin(), regions_.end(),
                                            [&](const Region& region) { return region.end <= where.begin; });
    return after != regions_.end() && after->begin < where.end;
  }

 private:
  std::vector<Region> regions_;
};

struct Edit {
  Region where;
  std::string text;
};

// --- Expressions ----------------------------------------------------------------------------------------------------

Region region_of(const SourceText& text) { return {text.origin.front(), text.origin.back()}; }

/// The blanks between tokens of one line. Those before comments, and what is split over lines, stay.
void space(const SourceText& text, const std::string& file, std::vector<Edit>& edits) {
  const std::vector<Token> tokens = expr_tokens(text.text);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::comment || tokens[i - 1].kind == TokenKind::comment) continue;
    const Region gap{text.origin[tokens[i - 1].range.end - 1] + 1U, text.origin[tokens[i].range.begin]};
    if (gap.begin > gap.end) continue;
    const std::string_view now = std::string_view(file).substr(gap.begin, gap.end - gap.begin);
    if (!std::all_of(now.begin(), now.end(), is_white)) continue;
    std::string wanted(blanks_before(text.text, tokens, i), ' ');
    if (now != wanted) edits.push_back({gap, std::move(wanted)});
  }
}

// --- Lines ----------------------------------------------------------------------------------------------------------

struct Line {
  Region region;             ///< without the line break
  std::size_t text_end = 0;  ///< behind the last byte that is no blank
  std::size_t next = 0;      ///< where the next line begins
};

std::vector<Line> lines_of(const std::string& file) {
  std::vector<Line> out;
  for (std::size_t begin = 0; begin < file.size();) {
    Line line;
    const std::size_t end = std::min(file.find('\n', begin), file.size());
    line.next = std::min(end + 1, file.size());
    line.region = {begin, end > begin && end < file.size() && file[end - 1] == '\r' ? end - 1 : end};
    line.text_end = line.region.end;
    while (line.text_end > begin && is_white(file[line.text_end - 1])) --line.text_end;
    out.push_back(line);
    begin = line.next;
  }
  return out;
}

/// Where texts of several lines stand, whose blanks have a meaning.
void collect_texts(const YamlNode& node, const Regions& expressions, std::vector<Region>& out) {
  for (const YamlNode& item : node.items) collect_texts(item, expressions, out);
  for (const YamlMember& member : node.members) collect_texts(member.value, expressions, out);
  if (!node.is(YamlNode::Kind::scalar) || node.text.origin.empty()) return;
  if (const Region region = region_of(node.text); !expressions.overlap(region)) out.push_back(region);
}

class LineEditor {
 public:
  LineEditor(const std::string& file, Regions texts, std::vector<Edit>& edits, CancelFlag cancel)
      : file_(file), lines_(lines_of(file)), texts_(std::move(texts)), edits_(edits), cancel_(cancel) {}

  void run(const RuleFile& rules) {
    for (const Line& line : lines_)
      if (line.text_end < line.region.end && !in_text(line.region.end))
        edits_.push_back({{line.text_end, line.region.end}, {}});
    std::vector<bool> first_of_rule(lines_.size(), false);
    for (std::size_t i = 1; i < rules.rules.size(); ++i)
      if (const auto line = line_of_item(rules.rules[i].block.offset)) first_of_rule[first_comment(*line)] = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      stop_if(cancel_);
      one_blank_line(i, first_of_rule[i]);
    }
    end_of_file();
  }

 private:
  bool blank(std::size_t i) const { return lines_[i].text_end == lines_[i].region.begin; }
  bool comment(std::size_t i) const {
    const std::size_t first = file_.find_first_not_of(" \t", lines_[i].region.begin);
    return first < lines_[i].text_end && file_[first] == '#';
  }
  bool in_text(std::size_t at) const { return texts_.overlap({at, at + 1}); }

  /// The line `- rule: ...`, when the item begins on it.
  std::optional<std::size_t> line_of_item(std::size_t offset) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset,
                                        [](std::size_t at, const Line& line) { return at < line.region.begin; });
    if (after == lines_.begin()) return {};
    const std::size_t begin = (after - 1)->region.begin;
    const std::size_t dash = file_.find_first_not_of(" \t", begin);
    if (file_[dash] != '-' || file_.find_first_not_of(" \t", dash + 1) != offset) return {};
    return static_cast<std::size_t>(after - 1 - lines_.begin());
  }

  /// Comments right above a rule belong to it.
  std::size_t first_comment(std::size_t line) const {
    while (line > 0 && comment(line - 1)) --line;
    return line;
  }

  /// Several blank lines before a line become one, and none before a rule becomes one.
  void one_blank_line(std::size_t i, bool wanted) {
    if (blank(i) || i == 0 || in_text(lines_[i].region.begin)) return;
    std::size_t first = i;
    while (first > 0 && blank(first - 1) && !in_text(lines_[first - 1].region.begin)) --first;
    const bool only_blank = first == 0;  // at the begin of the file
    if (i - first > 1 || (only_blank && i > first))
      edits_.push_back({{lines_[only_blank ? first : first + 1].region.begin, lines_[i].region.begin}, {}});
    if (i == first && wanted) edits_.push_back({{lines_[i].region.begin, lines_[i].region.begin}, line_break()});
  }

  void end_of_file() {
    std::size_t last = lines_.size();
    while (last > 0 && blank(last - 1) && !in_text(lines_[last - 1].region.begin)) --last;
    if (last == 0) return;
    if (last < lines_.size()) edits_.push_back({{lines_[last].region.begin, file_.size()}, {}});
    if (lines_[last - 1].next == lines_[last - 1].region.end)
      edits_.push_back({{file_.size(), file_.size()}, line_break()});
  }

  std::string line_break() const {
    return !lines_.empty() && lines_[0].region.end + 2 == lines_[0].next ? "\r\n" : "\n";
  }

  const std::string& file_;
  std::vector<Line> lines_;
  Regions texts_;
  std::vector<Edit>& edits_;
  CancelFlag cancel_;
};

// --- The whole ------------------------------------------------------------------------------------------------------

std::string apply(const std::string& file, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.where.begin < b.where.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.where.begin < at) {  // inside what is gone already
      if (edit.where.end > at) at = edit.where.end;
      continue;
    }
    out += file.substr(at, edit.where.begin - at) + edit.text;
    at = edit.where.end;
  }
  return out + file.substr(at);
}

std::string without_blanks(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), is_space), text.end());
  return text;
}

/// Equal but for blanks inside of expressions.
bool same(const YamlNode& a, const YamlNode& b, const Regions& expressions, CancelFlag cancel) {
  stop_if(cancel);
  if (a.kind != b.kind || a.items.size() != b.items.size() || a.members.size() != b.members.size()) return false;
  if (a.is(YamlNode::Kind::scalar) && a.text.text != b.text.text) {
    const std::size_t begin = a.text.origin.empty() ? a.span.offset : a.text.origin.front();
    const std::size_t end = a.text.origin.empty() ? begin + 1 : a.text.origin.back();
    return without_blanks(a.text.text) == without_blanks(b.text.text) && expressions.overlap({begin, end});
  }
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same(a.items[i], b.items[i], expressions, cancel)) return false;
  for (std::size_t i = 0; i < a.members.size(); ++i)
    if (a.members[i].key.text.text != b.members[i].key.text.text ||
        !same(a.members[i].value, b.members[i].value, expressions, cancel))
      return false;
  return true;
}

/// A file as the formatter needs it.
struct Read {
  SourcePtr source;
  YamlNode yaml;
  RuleFile rules;
  std::vector<const Expression*> expressions;
  Regions regions;  ///< of the expressions
};

Result<Read> read(std::string_view name, std::string text, CancelFlag cancel) {
  Read out;
  out.source = std::make_shared<const Source>(Source{std::string(name), std::move(text)});
  Diagnostics diagnostics;
  out.yaml = parse_yaml(out.source, diagnostics, cancel);
  if (out.yaml.find("kdiag_test") == nullptr) {  // of test files only the layout is formatted
    diagnostics.clear();
    out.rules = parse_rule_file(out.source, diagnostics, {}, cancel);
    out.expressions = expressions_of(out.rules);
    std::vector<Region> regions;
    for (const Expression* expression : out.expressions) regions.push_back(region_of(expression->text));
    out.regions = Regions(std::move(regions));
  }
  if (has_error(diagnostics)) return diagnostics;
  return out;
}

bool means_the_same(const Read& before, const Read& after, CancelFlag cancel) {
  return without_blanks(before.source->text) == without_blanks(after.source->text) &&
         same(before.yaml, after.yaml, before.regions, cancel) &&
         std::equal(before.expressions.begin(), before.expressions.end(), after.expressions.begin(),
                    after.expressions.end(), [cancel](const Expression* a, const Expression* b) {
                      stop_if(cancel);
                      return equal(*a->tree, *b->tree);
                    });
}

/// Throws Interrupted soon after `cancel` was set.
Result<std::string> formatted(std::string_view name, std::string_view text, CancelFlag cancel) {
  const Result<Read> before = read(name, std::string(text), cancel);
  if (!before) return before.error();
  const std::string& file = before->source->text;
  std::vector<Edit> edits;
  for (const Expression* expression : before->expressions) {
    stop_if(cancel);
    space(expression->text, file, edits);
  }
  std::vector<Region> texts;
  collect_texts(before->yaml, before->regions, texts);
  LineEditor(file, Regions(std::move(texts)), edits, cancel).run(before->rules);
  std::string out = apply(file, std::move(edits));
  const Result<Read> after = read(name, out, cancel);
  if (!after || !means_the_same(*before, *after, cancel))
    return make_error(error_id::not_formattable, {before->source, 0, 0},
                      "the file cannot be formatted without changing what it means", {},
                      "it was left as it is; it may hold a text in an unusual style");
  return out;
}

}  // namespace

Result<std::string> format_rules(std::string_view name, std::string_view text, const std::atomic<bool>* cancel) {
  try {
    return formatted(name, text, cancel);
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "formatting was interrupted");
  }
}

}  // namespace kdiag
