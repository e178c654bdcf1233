// SPDX-License-Identifier: Apache-2.0
#include "report/text/finding.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "base/escape.hpp"
#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/table.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t indent = 4;
constexpr std::size_t column = 11;  // where texts beside a label start
constexpr std::size_t severity_width = 8;

// What is shown without `all` (judgement: a finding has to fit a glance, the rest is one option away).
constexpr std::size_t longest_title = 160;
constexpr std::size_t longest_message = 600;
constexpr std::size_t longest_value = 60;
constexpr std::size_t shown_values = 4;
constexpr std::size_t shown_rows = 3;
constexpr std::size_t shown_others = 4;

void print_field(Page& page, std::string_view label, std::string_view text) {
  if (!text.empty()) page.field(label, indent, column, words_of(text));
}

std::string titled(const Finding& finding, bool all) {
  return all ? finding.title : shorten_middle(finding.title, longest_title);
}

void print_heading(Page& page, const Finding& finding, bool all) {
  const std::string number = std::to_string(finding.rank);
  std::string severity = severity_word(finding.severity);
  severity.resize(severity_width, ' ');
  const std::string place = std::string(number.size() < 2 ? 1 : 0, ' ') + number + "  ";
  const std::string lead = place + page.paint(style_of(finding.severity), severity) + "  ";
  page.heading(lead, place.size() + severity_width + 2, titled(finding, all), finding.rule, Style::strong);
}

void print_figures(Page& page, const RunView& view, const Finding& finding) {
  page.field("", 0, indent,
             dotted({subject_phrase(view, finding), lost_time_phrase(view, finding), gain_phrase(view, finding),
                     confidence_phrase(finding.confidence), known_word(finding)}));
}

bool is_unknown(const ValueEntry& entry) { return std::holds_alternative<std::monostate>(entry.value); }

// What is not known says nothing to a reader; the JSON report has it.
std::vector<std::string> value_phrases(const Finding& finding, bool all) {
  std::vector<std::string> values;
  std::size_t hidden = 0;
  for (const auto& [name, entry] : finding.evidence) {
    const auto* value = std::get_if<ValueEntry>(&entry);
    if (value == nullptr || is_unknown(*value)) continue;
    if (!all && values.size() == shown_values) {
      ++hidden;
      continue;
    }
    const std::string text = format_value(*value);
    values.push_back(name + " " + (all ? text : shorten_middle(text, longest_value)));
  }
  if (hidden > 0) values.push_back(std::to_string(hidden) + " more with --all");
  return values;
}

// Whether a column of the first `shown` rows says nothing: no value is known, or each names the place that the finding
// has in its heading.
bool says_nothing(const Table& table, std::size_t column, std::size_t shown, const Finding& finding) {
  const std::string& name = table.columns[column];
  const auto silent = [&](const std::vector<ValueEntry>& row) {
    if (is_unknown(row[column])) return true;
    const auto* place = std::get_if<std::string>(&row[column].value);
    return place != nullptr && (name == "device" || name == "rank") &&
           (finding.subject.label == *place || finding.subject.label.starts_with(*place + " "));
  };
  return std::all_of(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(shown), silent);
}

void drop_silent_columns(Table& table, std::size_t shown, const Finding& finding) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    if (!says_nothing(table, column, shown, finding)) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  for (auto& row : table.rows)
    for (ValueEntry& entry : row)
      if (is_unknown(entry)) entry = {.value = std::string("-"), .unit = entry.unit};
}

// The table's name stands in its heading, so that it costs no line of its own.
std::vector<std::string> evidence_lines(const std::string& name, const Finding& finding,
                                        const std::vector<RowEntry>& rows, std::size_t width, bool all) {
  const std::size_t shown = all ? rows.size() : std::min(rows.size(), shown_rows);
  Table table = table_of(rows);
  drop_silent_columns(table, shown, finding);
  if (table.columns.empty()) return {};
  if (!table.columns.empty()) table.columns[0] = table.columns[0] == "name" ? name : name + ": " + table.columns[0];
  std::vector<std::string> lines = table_lines(table, width, shown);
  if (std::string others = others_phrase(finding, name, rows.size() - shown); !others.empty())
    lines.push_back(std::move(others));
  return lines;
}

void print_evidence(Page& page, const Finding& finding, bool all) {
  std::string_view label = "Facts";
  const std::vector<std::string> values = value_phrases(finding, all);
  if (!values.empty()) {
    page.field(label, indent, column, dotted(values));
    label = "";
  }
  for (const auto& [name, entry] : finding.evidence) {
    const auto* rows = std::get_if<std::vector<RowEntry>>(&entry);
    if (rows == nullptr || rows->empty()) continue;
    for (const std::string& line : evidence_lines(name, finding, *rows, page.width() - column, all)) {
      page.field(label, indent, column, {line});
      label = "";
    }
    if (!all) return;  // the first table only
  }
}

/// What shows in a later trace whether the advice helped, ready for a shell: asked in the rule's place, where its lets
/// have names and each subject is asked for itself.
std::string check_command(const Finding& finding, std::string_view verify) {
  std::string quoted;
  for (const char c : verify) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "kdiag query --in " + finding.rule + " '" + quoted + "' NEW_TRACE (true once it is fixed)";
}

void print_advice(Page& page, const Finding& finding, bool all) {
  std::string_view label = "Do";
  const auto& list = finding.recommendations;
  for (auto at = list.begin(); at != list.end(); ++at) {
    const RecommendationEntry& advice = *at;
    print_field(page, label, advice.text);
    if (all) print_field(page, "Where", advice.where);
    const bool detailed = !advice.risk.empty() || !advice.url.empty() || (all && !advice.verify.empty());
    print_field(page, "Risk", advice.risk);
    // What verifies the next advice too stands below that.
    if (all && !advice.verify.empty() && (std::next(at) == list.end() || std::next(at)->verify != advice.verify))
      print_field(page, "Check", check_command(finding, advice.verify));
    page.link("See", indent, column, advice.url);
    label = detailed ? "Do" : "";  // plain steps read as one list
  }
  if (!all) return;
  for (const SuppressedEntry& advice : finding.suppressed)
    print_field(page, "Not", advice.text + " (" + advice.because + ")");
}

/// `branches`: the lines of the tree that pass by on the left.
void print_symptoms(Page& page, const Finding& finding, std::size_t depth, const std::string& branches, bool all) {
  for (std::size_t i = 0; i < finding.symptoms.size(); ++i) {
    const Finding& symptom = finding.symptoms[i];
    const bool last = i + 1 == finding.symptoms.size();
    const std::string lead = branches + (last ? "└─" : "├─") + " explains  ";
    page.heading(lead, indent + 3 * depth + 2 + 11, titled(symptom, all), symptom.rule, Style::plain);
    print_symptoms(page, symptom, depth + 1, branches + (last ? "   " : "│  "), all);
  }
}

}  // namespace

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::critical: return Style::alarm;
    case Severity::high: return Style::red;
    case Severity::medium: return Style::yellow;
    case Severity::low: return Style::cyan;
    case Severity::info: return Style::plain;
  }
  return Style::plain;
}

void print_finding(Page& page, const RunView& view, const Finding& finding, bool all) {
  print_heading(page, finding, all);
  print_figures(page, view, finding);
  if (!finding.message.empty())
    page.field("", 0, indent, words_of(all ? finding.message : shorten_middle(finding.message, longest_message)));
  print_evidence(page, finding, all);
  if (finding.location) print_field(page, "At", location_phrase(*finding.location));
  print_field(page, "Also", also_phrase(finding, all ? finding.also.size() : shown_others));
  if (finding.waived) print_field(page, "Waived", waived_phrase(*finding.waived));
  if (all) print_field(page, "Name", finding.fingerprint);
  print_advice(page, finding, all);
  print_symptoms(page, finding, 0, std::string(indent, ' '), all);
}

}  // namespace kdiag::report
