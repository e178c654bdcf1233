// SPDX-License-Identifier: Apache-2.0
// The report as text: per run a header, few findings, where the time went, and what could not be told.
#include <kdiag/report.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "report/ascii.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/recorded_phrases.hpp"
#include "report/phrases/run_view.hpp"
#include "report/phrases/table.hpp"
#include "report/phrases/verdict_phrase.hpp"
#include "report/text/brief.hpp"
#include "report/text/comparison.hpp"
#include "report/text/finding.hpp"
#include "report/text/ledger.hpp"
#include "report/text/page.hpp"
#include "report/text/telemetry.hpp"
#include "report/text/unresolved.hpp"
#include "report/text/work.hpp"

namespace kdiag {
namespace {

using namespace report;

constexpr std::size_t shown_findings = 5;  // docs/report.md: at most five unless `all`
// Judgement: enough to act on, few enough to read.
constexpr std::size_t shown_notes = 5;
constexpr std::size_t longest_verdict = 240;
constexpr std::size_t longest_line = 10'000;  // of a brief report, whose lines are not broken

// What was lost comes before any verdict: it may be why something looks clear.
void print_damage(Page& page, const Report& report, bool all) {
  std::vector<InputNote> notes = notes_of(report);
  std::erase_if(notes, [](const InputNote& of) { return !is_damage(*of.note); });
  const std::size_t shown = all ? notes.size() : std::min(notes.size(), shown_notes);
  for (std::size_t i = 0; i < shown; ++i) {
    page.field(damage_word(*notes[i].note), 0, 11, words_of(note_phrase(report, notes[i])), Style::alarm);
  }
  if (shown < notes.size())
    page.line("           " + counted(notes.size() - shown, "more note") + " of this kind with --all");
  if (!notes.empty()) page.line();
}

// The answer comes first; of several runs each says before which one it is.
void print_header(Page& page, const RunView& view) {
  const auto print_verdict = [&] {
    if (const std::string verdict = verdict_phrase(view); !verdict.empty())
      page.field("Verdict", 0, 9, words_of(shorten_middle(verdict, longest_verdict)), Style::strong);
  };
  if (view.alike <= 1) print_verdict();
  page.field(product_phrase(*view.report) + " ·", 0, 2, dotted(run_phrases(view)), Style::strong);
  if (view.alike > 1) print_verdict();
  page.line();
}

std::string hidden_findings(const RunView& view) {
  std::array<std::size_t, 5> counts{};
  for (std::size_t i = shown_findings; i < view.findings.size(); ++i)
    ++counts[static_cast<std::size_t>(view.findings[i]->severity)];
  std::vector<std::string> parts;
  for (const Severity severity : {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info})
    if (const std::size_t count = counts[static_cast<std::size_t>(severity)]; count > 0)
      parts.push_back(std::to_string(count) + " " + std::string(name_of(severity)));
  return counted(view.findings.size() - shown_findings, "more finding") + " (" + join(parts, ", ") +
         "): --all shows them.";
}

void print_waived(Page& page, const RunView& view, bool all) {
  if (view.waived.empty()) return;
  if (!all) {
    page.field("waived", 1, section_column, words_of(waived_findings_phrase(view) + ". --all shows them."),
               Style::strong);
    return;
  }
  for (const Finding* finding : view.waived) {
    print_finding(page, view, *finding, all);
    page.line();
  }
}

void print_findings(Page& page, const RunView& view, bool all) {
  if (view.findings.empty()) return;  // the verdict says so
  const std::size_t shown = all ? view.findings.size() : std::min(view.findings.size(), shown_findings);
  for (std::size_t i = 0; i < shown; ++i) {
    print_finding(page, view, *view.findings[i], all);
    page.line();
  }
  if (shown < view.findings.size()) {
    page.field("", 0, 1, words_of(hidden_findings(view)));
    page.line();
  }
}

void print_failures(Page& page, const RunView& view) {
  std::string_view section = "failed";
  for (const OutcomeEntry* entry : view.failures) {
    page.field(section, 1, section_column, words_of(entry->rule + ": " + entry->reason), Style::alarm);
    section = "";
  }
}

std::string outcome_reason(const OutcomeEntry& entry) {
  if (entry.outcome == Outcome::inconclusive) return missing_phrase(entry.missing, entry.reason);
  return entry.nearest.empty() ? entry.reason : entry.nearest;
}

void print_outcomes(Page& page, const RunView& view) {
  std::vector<std::vector<std::string>> cells;
  for (const OutcomeEntry* entry : view.outcomes)
    cells.push_back({visible(name_of(entry->outcome)), visible(entry->rule), visible(entry->subject.label),
                     flowing(outcome_reason(*entry))});
  if (cells.empty()) return;
  page.line(" " + page.paint(Style::strong, "every rule"));
  for (const std::string& line : align_columns(std::move(cells), {false, false, false, false}, page.width() - 3))
    page.line("   " + line);
}

void print_notes(Page& page, const Report& report, bool all) {
  std::string_view section = "notes";
  const auto print = [&](const std::string& text) {
    page.field(section, 1, section_column, words_of(text), Style::strong);
    section = "";
  };
  std::vector<InputNote> notes = notes_of(report);
  std::erase_if(notes, [all](const InputNote& of) {
    return is_damage(*of.note) || (!all && of.note->severity == NoteSeverity::info);
  });
  const std::size_t shown = all ? notes.size() : std::min(notes.size(), shown_notes);
  for (std::size_t i = 0; i < shown; ++i) print(note_phrase(report, notes[i]));
  if (shown < notes.size()) print(counted(notes.size() - shown, "more note") + ": --all lists them.");
}

void print_gates(Page& page, const Report& report) {
  std::string_view section = "gate";
  for (const GateEntry& gate : report.gates) {
    page.field(section, 1, section_column, words_of(gate_phrase(gate)), Style::strong);
    section = "";
  }
}

void print_policy(Page& page, const Report& report) {
  const auto print = [&page](std::string_view section, const std::vector<std::string>& phrases) {
    for (const std::string& phrase : phrases) {
      page.field(section, 1, section_column, words_of(phrase), Style::strong);
      section = "";
    }
  };
  print("known findings", known_phrases(report));
  print("waivers", waiver_phrases(report));
}

/// Which rules of the user judged, exactly: two reports by the same packs can be compared.
void print_packs(Page& page, const Report& report) {
  std::string_view section = "packs";
  for (const PackEntry& pack : report.packs) {
    page.field(section, 1, section_column,
               words_of(pack.name + (pack.version.empty() ? "" : "@" + pack.version) + " " + pack.hash), Style::strong);
    section = "";
  }
}

/// Two runs of one file were each judged alone, which is not what such a file is written for.
void print_comparing(Page& page, const Report& report) {
  if (report.comparison || report.runs.size() != 2 || report.inputs.size() != 1) return;
  page.line();
  page.line(" Two runs in one file. This tells what changed:");
  page.line("   kdiag compare " + visible(report.inputs[0].path));  // whole, since people copy it
}

void print_run(Page& page, const RunView& view, bool all) {
  print_header(page, view);
  print_findings(page, view, all);
  print_waived(page, view, all);
  print_ledger(page, view, all);
  print_work(page, view, all);
  print_telemetry(page, view, all);
  if (!view.recorded.empty())
    page.field("what was recorded", 1, section_column, dotted(recorded_phrases(view)), Style::strong);
  print_unresolved(page, view, all);
  print_failures(page, view);
  if (all) print_outcomes(page, view);
}

std::string make_brief(const Report& report, const TextOptions& options) {
  Page page(longest_line, options.color, options.cancel);
  print_damage(page, report, true);
  if (const Comparison* both = report.comparison.get()) {
    const std::string cycle = cycle_phrase(*both);
    page.line(verdict_word(both->verdict) + " " + flowing(cycle.empty() ? both->reason : cycle));
  }
  const std::vector<RunView> views = views_of(report, options.cancel);
  for (const RunView& view : views)
    if (!judged_nothing(view)) print_brief(page, view);
  if (views.empty()) page.line("nothing to judge: no input holds a run");
  print_gates(page, report);
  return page.take();
}

std::string make_text(const Report& report, const TextOptions& options) {
  Page page(options.width, options.color, options.cancel);
  if (options.links) page.show_links();
  print_damage(page, report, options.all);
  if (report.comparison && options.whole_comparison) print_comparison(page, report, options);
  else if (report.comparison) print_verdict(page, report);
  const std::vector<RunView> views = views_of(report, options.cancel);
  bool first = !report.comparison || !options.whole_comparison;  // the verdict ends with a blank line
  for (const RunView& view : views) {
    if (report.comparison && judged_nothing(view)) continue;  // compared, not judged
    if (!std::exchange(first, false)) page.line();
    print_run(page, view, options.all);
  }
  if (views.empty()) page.line(product_phrase(report) + " · nothing to judge: no input holds a run");
  print_notes(page, report, options.all);
  print_policy(page, report);
  if (options.all) print_packs(page, report);
  print_gates(page, report);
  print_comparing(page, report);
  return page.take();
}

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  return unless_interrupted([&] {
    return in_ascii(options.brief ? make_brief(report, options) : make_text(report, options), options.ascii);
  });
}

}  // namespace kdiag
