// SPDX-License-Identifier: Apache-2.0
// The report as Markdown (GitHub flavour), in full and safe to paste into an issue.
#include <kdiag/compare.hpp>
#include <kdiag/format.hpp>
#include <kdiag/report.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "report/comparison_markdown.hpp"
#include "report/markdown_table.hpp"
#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/recorded_phrases.hpp"
#include "report/phrases/run_view.hpp"
#include "report/phrases/table.hpp"
#include "report/phrases/telemetry_phrases.hpp"
#include "report/phrases/verdict_phrase.hpp"
#include "report/phrases/work_phrases.hpp"

namespace kdiag {
namespace {

using namespace report;

constexpr std::size_t shown_others = 16;  // more subjects of one finding are for the JSON report (judgement)

std::string cell(const ValueEntry& entry) {
  if (std::holds_alternative<std::string>(entry.value)) return markdown_code_cell(format_value(entry));
  return markdown(format_value(entry));
}

std::string rows_table(const std::vector<RowEntry>& rows) {
  const Table table = table_of(rows);
  std::vector<std::string> names;
  std::vector<bool> right;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    names.push_back(markdown(table.columns[i]));
    right.push_back(is_quantity(table.rows[0][i]));
  }
  std::string out = table_head(names, right);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const ValueEntry& entry : row) cells.push_back(cell(entry));
    out += table_row(cells);
  }
  return out + "\n";
}

std::string evidence_of(const Finding& finding) {
  std::string values;
  std::string tables;
  for (const auto& [name, entry] : finding.evidence) {
    if (const auto* value = std::get_if<ValueEntry>(&entry)) values += table_row({markdown(name), cell(*value)});
    else if (const auto& rows = std::get<std::vector<RowEntry>>(entry); !rows.empty()) {
      tables += markdown(name) + ":\n\n" + rows_table(rows);
      if (const std::string others = others_phrase(finding, name, 0); !others.empty()) tables += others + "\n\n";
    }
  }
  if (!values.empty()) values = table_head({"evidence", "value"}, {false, true}) + values + "\n";
  return values + tables;
}

std::string item(std::string_view label, std::string_view text) {
  if (text.empty()) return {};
  return "- **" + std::string(label) + ":** " + markdown(text) + "\n";
}

std::string code_item(std::string_view label, std::string_view text) {
  if (text.empty()) return {};
  return "- **" + std::string(label) + ":** " + markdown_code(text) + "\n";
}

std::string named_rule(const Finding& finding) {
  return markdown(finding.title) + " (" + markdown_code(finding.rule) + ")";
}

std::string symptoms_of(const Finding& finding, std::size_t depth) {
  std::string out;
  for (const Finding& symptom : finding.symptoms) {
    out += std::string(2 * depth, ' ') + "- **Explains:** " + named_rule(symptom) + "\n";
    out += symptoms_of(symptom, depth + 1);
  }
  return out;
}

std::string advice_of(const Finding& finding) {
  std::string out;
  for (const RecommendationEntry& advice : finding.recommendations) {
    out += item("Do", advice.text);
    out += item("Where", advice.where);
    out += item("Risk", advice.risk);
    out += item("Verify", advice.verify);
    out += code_item("See", advice.url);
  }
  return out;
}

std::string finding_text(const RunView& view, const Finding& finding) {
  std::string out = "### " + std::to_string(finding.rank) + ". " + severity_word(finding.severity) + ": " +
                    named_rule(finding) + "\n\n";
  std::vector<std::string> figures;
  for (const std::string& part :
       {subject_phrase(view, finding), lost_time_phrase(view, finding), gain_phrase(view, finding),
        confidence_phrase(finding.confidence), known_word(finding)})
    if (!part.empty()) figures.push_back(markdown(part));
  out += join(figures, " · ") + "\n\n";
  if (!finding.message.empty()) out += markdown(finding.message) + "\n\n";
  out += evidence_of(finding);
  std::string list;
  if (finding.location) list += code_item("At", location_phrase(*finding.location));
  list += item("Also", also_phrase(finding, shown_others));
  if (finding.waived) list += item("Waived", waived_phrase(*finding.waived));
  list += item("Name", finding.fingerprint);
  list += advice_of(finding) + symptoms_of(finding, 0);
  return out + list + (list.empty() ? "" : "\n");
}

std::string one_off_text(const RunView& view) {
  std::string out;
  for (const ExcludedSteps& apart : excluded_steps(view.ledger)) {
    const std::string devices = device_phrase(view, apart);
    out += "- " + (devices.empty() ? "" : markdown(devices) + ": ") + "not judged: " + markdown(apart.phrase) + "\n";
  }
  for (const LedgerEntry* entry : view.ledger) {
    if (!entry->rest_ns) continue;
    out += "- " + markdown(device_phrase(view, entry->rank, entry->device)) + ": " + markdown(one_off_phrase(*entry));
    std::string_view separator = ": ";
    for (const LedgerLine& line : without_one_off(*entry).lines)
      if (line.ns > 0)
        out +=
            std::string(std::exchange(separator, ", ")) + markdown_code(line.name) + " " + markdown(ledger_share(line));
    out += "\n";
  }
  return out.empty() ? out : "### One-off costs\n\n" + out + "\n";
}

std::string ledger_text(const RunView& view) {
  if (view.ledger.empty()) return {};
  std::string out = "### Where the time went\n\n" +
                    table_head({"device", "line", "time", "share", "explained by"}, {false, false, true, true, false});
  for (const LedgerEntry* entry : view.ledger) {
    const std::string device = markdown(device_phrase(view, entry->rank, entry->device));
    for (const LedgerLine& line : entry->lines)
      out += table_row({device, markdown_code_cell(line.name), ledger_time(line), markdown(ledger_exact_share(line)),
                        line.rule.empty() ? "" : markdown_code_cell(line.rule)});
    out += table_row({device, "all", entry->wall_ns ? format_duration(*entry->wall_ns) : "unknown", "",
                      markdown(ledger_basis(*entry))});
  }
  return out + "\n" + one_off_text(view);
}

std::string telemetry_text(const RunView& view) {
  if (view.telemetry.empty()) return {};
  std::string out =
      "### What was sampled\n\n" + table_head({"device", "series", "range", "median", "while busy", "limit"},
                                              {false, false, true, true, true, true});
  for (const TelemetryEntry* entry : view.telemetry) {
    const std::string device = markdown(device_phrase(view, entry->rank, entry->device));
    const auto value = [](const SampledSeries& series, std::optional<double> number) {
      return number ? markdown(sampled_value(series, *number)) : std::string();
    };
    for (const SampledSeries& series : entry->series)
      out += table_row({device, markdown_code_cell(series.series), markdown(sampled_range(series)),
                        value(series, series.median), value(series, series.busy), value(series, series.limit)});
    for (const auto& [reason, share] : entry->clock_limits)
      out += table_row({device, "clock limit", markdown(reason), "", format_share(share), ""});
  }
  return out + "\n";
}

std::string work_text(const RunView& view) {
  std::string out;
  for (const WorkEntry* entry : view.work) {
    const std::string device =
        view.work.size() > 1 ? markdown(device_phrase(view, entry->rank, entry->device)) + ": " : "";
    out += "**Operations:** " + device + markdown(join(work_phrases(*entry), " · ")) + "\n\n";
    const std::vector<std::vector<std::string>> cells = gap_cells(view, *entry);
    if (cells.size() == 1) continue;
    out += table_head(cells[0], {false, true, true, true, true, false});
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const std::vector<std::string>& row = cells[i];
      out += table_row({markdown_code_cell(row[0]), markdown(row[1]), markdown(row[2]), markdown(row[3]),
                        markdown(row[4]), markdown_code_cell(row[5])});
    }
    out += "\n";
  }
  return out;
}

std::string unresolved_text(const RunView& view) {
  std::string out;
  for (const Unresolved& group : view.unresolved) {
    std::vector<std::string> rules;
    for (const std::string& rule : group.rules) rules.push_back(markdown_code(rule));
    out += "- " + join(rules, ", ") + ": " + markdown(missing_phrase(group.missing, group.reason)) + "\n";
    for (const MissingEntry& missing : group.missing)
      if (!missing.how_to_record.empty()) out += "  - Record: " + markdown_code(missing.how_to_record) + "\n";
  }
  return out.empty() ? out : "### Cannot tell\n\n" + out + "\n";
}

std::string failures_text(const RunView& view) {
  std::string out;
  for (const OutcomeEntry* entry : view.failures)
    out += "- " + markdown_code(entry->rule) + ": " + markdown(entry->reason) + "\n";
  return out.empty() ? out : "### Failed\n\n" + out + "\n";
}

std::string run_text(const RunView& view) {
  std::string out = "## " + markdown(product_phrase(*view.report));
  if (view.report->runs.size() > 1) out += ": " + markdown(run_phrase(view));
  out += "\n\n";
  std::vector<std::string> parts;
  for (const std::string& part : run_phrases(view)) parts.push_back(markdown(part));
  out += join(parts, " · ") + "\n\n";
  if (const std::string verdict = verdict_phrase(view); !verdict.empty())
    out += "**Verdict:** " + markdown(verdict) + "\n\n";
  out += telemetry_text(view);
  if (!view.recorded.empty()) out += "**Recorded:** " + markdown(join(recorded_phrases(view), " · ")) + "\n\n";
  for (const Finding* finding : view.findings) out += finding_text(view, *finding);
  for (const Finding* finding : view.waived) out += finding_text(view, *finding);
  return out + ledger_text(view) + work_text(view) + unresolved_text(view) + failures_text(view);
}

std::string damage_text(const Report& report) {
  std::string out;
  for (const InputNote& of : notes_of(report))
    if (is_damage(*of.note))
      out += "> **" + damage_word(*of.note) + ":** " + markdown(note_phrase(report, of)) + "\n>\n";
  if (!out.empty()) out.replace(out.size() - 2, 2, "\n");
  return out;
}

std::string notes_text(const Report& report) {
  std::string out;
  for (const InputNote& of : notes_of(report))
    if (!is_damage(*of.note))
      out += "- **" + markdown(name_of(of.note->severity)) + ":** " + markdown(note_phrase(report, of)) + "\n";
  return out.empty() ? out : "### Notes on the input\n\n" + out;
}

std::string gates_text(const Report& report) {
  std::string out;
  for (const GateEntry& gate : report.gates) out += "- " + markdown(gate_phrase(gate)) + "\n";
  return out.empty() ? out : "### Gate\n\n" + out + "\n";
}

std::string policy_text(const Report& report) {
  std::string out;
  for (const std::string& phrase : known_phrases(report)) out += "- " + markdown(phrase) + "\n";
  for (const std::string& phrase : waiver_phrases(report)) out += "- **Waiver:** " + markdown(phrase) + "\n";
  return out.empty() ? out : "### Known and waived\n\n" + out + "\n";
}

std::string make_markdown(const Report& report, CancelFlag stop) {
  std::string out = damage_text(report) + gates_text(report) + policy_text(report);
  if (report.comparison) out += comparison_text(report);
  for (const RunView& view : views_of(report, stop)) {
    stop_if(stop);
    const bool only_compared = report.comparison && judged_nothing(view);
    if (!only_compared) out += run_text(view);
  }
  if (report.runs.empty())
    out += "## " + markdown(product_phrase(report)) + "\n\nNothing to judge: no input holds a run.\n\n";
  out += notes_text(report);
  out.erase(out.find_last_not_of('\n') + 1);
  return out + "\n";
}

}  // namespace

std::string to_markdown(const Report& report, const std::atomic<bool>* cancel) {
  return unless_interrupted([&] { return make_markdown(report, cancel); });
}

}  // namespace kdiag
