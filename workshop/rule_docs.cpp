// SPDX-License-Identifier: Apache-2.0
// Pages about rules, made from the rules themselves, so that they are never out of date.
#include <kdiag/tools.hpp>

#include <algorithm>

#include "base/escape.hpp"
#include "engine/recording/recording.hpp"
#include "engine/ruleset/describe_rule.hpp"
#include "packs/find_rule.hpp"
#include "packs/tests_of_rule.hpp"

namespace kdiag {
namespace {

/// Text of an author: paragraphs stay paragraphs.
std::string paragraphs(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    out += markdown(text.substr(begin, end - begin)) + "\n\n";
    begin = end + 2;
  }
  return out;
}

std::string section(std::string_view heading, const std::string& body) {
  return body.empty() ? std::string() : "## " + std::string(heading) + "\n\n" + body;
}

std::string link(std::string_view id) { return "[" + markdown(id) + "](" + path_to_uri(id) + ".md)"; }

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string markdown_table(const std::vector<std::string>& heading, const std::string& rows) {
  if (rows.empty()) return {};
  std::string out = row(heading) + "|";
  for (std::size_t i = 0; i < heading.size(); ++i) out += "---|";
  return out + "\n" + rows + "\n";
}

/// Lines without the blanks that all of them begin with, and without blank lines at both ends.
std::vector<std::string> dedented(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto blank = [](const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; };
  while (!lines.empty() && blank(lines.back())) lines.pop_back();
  while (!lines.empty() && blank(lines.front())) lines.erase(lines.begin());
  std::size_t common = std::string::npos;
  for (const std::string& line : lines)
    if (!blank(line)) common = std::min(common, line.find_first_not_of(' '));
  for (std::string& line : lines) line.erase(0, std::min(common, line.size()));
  return lines;
}

/// Expressions as they stand in the rule, by key.
class Listing {
 public:
  void add(std::string_view key, const std::string& text, const std::string& margin = {}) {
    const std::vector<std::string> lines = dedented(text);
    text_ += margin + std::string(key) + ":";
    if (lines.size() == 1) {
      text_ += " " + lines.front() + "\n";
      return;
    }
    text_ += " |\n";
    for (const std::string& line : lines) text_ += margin + "  " + line + "\n";
  }
  void add(std::string_view key, const std::optional<Expression>& expression) {
    if (expression) add(key, expression->text.text);
  }
  void heading(std::string_view key) { text_ += std::string(key) + ":\n"; }

  /// A block of code whose fence is longer than any in it; folded where it would hide what comes behind it.
  std::string take() const {
    if (text_.empty()) return {};
    std::string fence = "```";
    while (text_.find(fence) != std::string::npos) fence += '`';
    const std::string block = fence + "\n" + text_ + fence + "\n\n";
    constexpr std::ptrdiff_t most_lines = 25;
    if (std::count(text_.begin(), text_.end(), '\n') <= most_lines) return block;
    return "<details><summary>The expressions</summary>\n\n" + block + "</details>\n\n";
  }

 private:
  std::string text_;
};

std::string condition(const Rule& rule) {
  Listing out;
  out.add("applies", rule.applies);
  if (!rule.let.empty()) out.heading("let");
  for (const NamedExpression& let : rule.let) out.add(let.name, let.value.text.text, "  ");
  out.add("when", rule.when);
  if (rule.script_path) out.add("script", rule.script_path->rule);
  const bool always = rule.severity.size() == 1 && !rule.severity.front().ladder &&
                      rule.severity.front().condition.text.text == name_of(rule.severity.front().severity);
  if (always) {
    out.add("severity", rule.severity.front().condition.text.text);
  } else if (!rule.severity.empty()) {
    out.heading("severity");
    for (const SeverityTier& tier : rule.severity)
      out.add("- " + (tier.ladder ? "ladder " + tier.ladder->rule + " of" : std::string(name_of(tier.severity))),
              tier.condition.text.text);
  }
  out.add("impact", rule.impact);
  out.add("gain", rule.gain);
  out.add("confidence", rule.confidence);
  out.add("location", rule.location);
  if (rule.one_off) {
    out.heading("one_off");
    out.add("what", rule.one_off->what, "  ");
    out.add("time", rule.one_off->time.text.text, "  ");
  }
  return out.take();
}

std::string parameters(const CheckedRule& checked) {
  std::string rows, first;
  for (const Param& param : checked.rule->params) {
    const auto in_force = std::find_if(checked.param_texts.begin(), checked.param_texts.end(),
                                       [&](const auto& p) { return p.first == param.name; });
    if (param.shared && in_force == checked.param_texts.end()) continue;  // the rule does not use it
    if (first.empty()) first = param.name;
    const std::string range =
        param.range ? param.range->first.text.text + " to " + param.range->second.text.text : std::string();
    rows += row({markdown_code_cell(param.name), param.type,
                 in_force == checked.param_texts.end() ? std::string() : markdown_code_cell(in_force->second), range,
                 markdown(param.doc)});
  }
  if (rows.empty()) return {};
  return markdown_table({"name", "type", "default", "range", "meaning"}, rows) + "Change one with " +
         markdown_code("--set " + checked.rule->id + "." + first + "=VALUE") + ".\n\n";
}

/// What a fact is: of "devices.sm_clock_avg" the column's meaning.
std::string_view meaning(const std::string& fact) {
  constexpr std::string_view samples = "samples:";
  if (fact.starts_with(samples)) {
    const SeriesInfo* series = find_series(std::string_view(fact).substr(samples.size()));
    return series == nullptr ? std::string_view() : series->doc;
  }
  const std::size_t dot = fact.find('.');
  if (dot == std::string::npos) {
    const TableId table = find_table(fact);
    return table.valid() ? info(table).doc : std::string_view();
  }
  const ColumnId column = find_column(fact.substr(0, dot), fact.substr(dot + 1));
  return column.valid() ? info(column).doc : std::string_view();
}

std::string facts(const CheckedRule& checked, const LoadedRules& rules) {
  std::string rows;
  for (const std::string& fact : facts_read(checked, rules))
    rows += row({markdown_code_cell(fact), markdown(meaning(fact)), markdown(how_to_record(fact))});
  if (rows.empty()) return {};
  return "Some are read only when others are absent.\n\n" + markdown_table({"fact", "meaning", "how to record"}, rows);
}

std::string advice(const Rule& rule) {
  std::string out;
  for (const Recommendation& recommendation : rule.recommend) {
    out += "- " + markdown(recommendation.text.text.text) + "\n";
    const auto detail = [&out](std::string_view what, const std::string& text) {
      if (!text.empty()) out += "  - " + std::string(what) + ": " + text + "\n";
    };
    const auto code = [](const std::optional<Expression>& e) {
      return e ? markdown_code(e->text.text) : std::string();
    };
    detail("if", code(recommendation.condition));
    for (const Reference& rule : recommendation.unless) detail("not beside", markdown_code(rule.rule));
    detail("where", markdown(recommendation.where));
    detail("risk", markdown(recommendation.risk));
    detail("verified by", code(recommendation.verify));
    detail("see", markdown_reference(recommendation.url));
  }
  if (rule.verify) out += "\nVerified by " + markdown_code(rule.verify->text.text) + ".\n";
  return out.empty() ? out : out + "\n";
}

std::string exceptions(const Rule& rule) {
  std::string out;
  for (const Exception& exception : rule.except)
    out += "- " + markdown_code(exception.when.text.text) +
           (exception.reason.empty() ? "" : ": " + markdown(exception.reason)) + "\n";
  return out.empty() ? out : out + "\n";
}

std::string relations(const CheckedRule& checked, const LoadedRules& rules) {
  const auto self = static_cast<std::size_t>(&checked - rules.rules.data());
  std::string causes;
  std::string symptoms;
  const auto add = [](std::string& list, const std::string& id) { list += (list.empty() ? "" : ", ") + link(id); };
  for (const std::size_t cause : rules.causes_of[self]) add(causes, rules.rules[cause].rule->id);
  for (std::size_t i = 0; i < rules.rules.size(); ++i)
    if (std::find(rules.causes_of[i].begin(), rules.causes_of[i].end(), self) != rules.causes_of[i].end())
      add(symptoms, rules.rules[i].rule->id);
  std::string out;
  if (!causes.empty()) out += "Is explained by " + causes + ".\n\n";
  if (!symptoms.empty()) out += "Explains " + symptoms + ".\n\n";
  return out;
}

std::string references(const Rule& rule) {
  std::string out;
  for (const std::string& text : rule.references) out += "- " + markdown_reference(text) + "\n";
  return out.empty() ? out : out + "\n";
}

/// What a test expects of its own rule: "fired"; empty when it says nothing of it.
std::string expected_outcome(const RuleTest& test, const Rule& rule) {
  for (const ExpectedFinding& finding : test.expect.findings)
    if (finding.rule.rule == rule.id) return std::string(name_of(Outcome::fired));
  for (const ExpectedOutcome& outcome : test.expect.outcomes)
    if (outcome.rule.rule == rule.id) return std::string(name_of(outcome.outcome));
  return {};
}

std::string tests(const Rule& rule) {
  std::string rows;
  for (const RuleTest& test : tests_of(rule)) rows += row({markdown(test.name), expected_outcome(test, rule)});
  return markdown_table({"facts", "outcome"}, rows);
}

std::string says(const Rule& rule) {
  if (rule.title.size() == 1) return "Says: " + markdown_code(title_text(rule)) + "\n\n";
  std::string out = "Says the first that holds:\n\n";
  for (const Sentence& title : rule.title)
    out += "- " + markdown_code(title.text.text.text) +
           (title.condition ? " if " + markdown_code(title.condition->text.text) : "") + "\n";
  return out + "\n";
}

}  // namespace

Result<std::string> rule_page(const RuleSet& set, std::string_view id) {
  const Result<const CheckedRule*> checked = find_rule(set, id);
  if (!checked) return checked.error();
  const Rule& rule = *(*checked)->rule;
  const LoadedRules& rules = set.loaded().complete();
  std::string out = "# " + markdown(rule.id) + "\n\n" + paragraphs(rule.summary) + says(rule);
  std::string about = "A " + std::string(name_of(rule.role)) + ", judged once per " + (*checked)->subject.text() +
                      "; " + std::string(name_of(rule.status));
  if (!rule.pack.empty()) about += "; pack " + markdown_code(rule.pack);
  for (std::size_t i = 0; i < rule.tags.size(); ++i) about += (i == 0 ? "; tags " : ", ") + markdown(rule.tags[i]);
  out += about + ".\n\n";
  out += section("Why it matters", paragraphs(rule.why));
  out += section("How it decides", paragraphs(rule.how) + condition(rule));
  out += section("Exceptions", exceptions(rule));
  out += section("False positives", paragraphs(rule.false_positives));
  out += section("What to do", advice(rule));
  out += section("Causes and symptoms", relations(**checked, rules));
  out += section("Parameters", parameters(**checked));
  out += section("Facts it decides by", facts(**checked, rules));
  out += section("Tests", tests(rule));
  out += section("References", references(rule));
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string rule_index(const RuleSet& rules) {
  std::string rows;
  for (const CheckedRule& checked : rules.loaded().complete().rules) {
    const Rule& rule = *checked.rule;
    rows += row({link(rule.id), std::string(name_of(rule.role)), checked.subject.text(),
                 rule.summary.empty() ? markdown_code_cell(title_text(rule)) : markdown(rule.summary)});
  }
  return "# Rules\n\n" + markdown_table({"rule", "role", "judged for each", "what it finds"}, rows);
}

}  // namespace kdiag
