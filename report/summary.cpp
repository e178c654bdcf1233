// SPDX-License-Identifier: Apache-2.0
// The report as a few lines of Markdown, for chats, issues and the summary of a job: the answer first, the rest folded.
#include <kdiag/compare.hpp>
#include <kdiag/format.hpp>
#include <kdiag/report.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "report/markdown_table.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/plan_phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/run_view.hpp"
#include "report/phrases/verdict_phrase.hpp"

namespace kdiag {
namespace {

using namespace report;

// Of each kind at most so many lines: 40 in all, as the test counts (judgement: what a chat shows without scrolling).
constexpr std::size_t most_gates = 2, most_losses = 2, most_parts = 3, most_runs = 4, most_findings = 5, most_plans = 2;
constexpr std::size_t longest_cell = 160, longest_text = 300;  // characters; judgement

/// A text of a trace or rule in a line, its middle left out where it is long.
std::string short_text(const std::string& text, std::size_t most = longest_text) {
  return markdown(shorten_middle(flowing(text), most));
}

std::string and_more(std::size_t all, std::size_t shown, std::string_view noun) {
  return all > shown ? "and " + counted(all - shown, "more " + std::string(noun)) : std::string();
}

/// Lines of a kind: at most so many, the last of which says how many there are besides.
std::string short_list(const std::vector<std::string>& lines, std::size_t most, std::string_view noun) {
  const std::size_t shown = lines.size() <= most ? lines.size() : most - 1;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += "- " + lines[i] + "\n";
  if (const std::string more = and_more(lines.size(), shown, noun); !more.empty()) out += "- " + more + "\n";
  return out.empty() ? out : out + "\n";
}

std::string folded(const std::string& title, const std::string& content) {
  return content.empty() ? content : "<details><summary>" + title + "</summary>\n\n" + content + "</details>\n";
}

std::string gate_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const GateEntry& gate : report.gates)
    if (gate.outcome != GateOutcome::passed) lines.push_back(short_text(gate_phrase(gate)));
  return short_list(lines, most_gates, "gate");
}

std::string loss_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const InputNote& of : notes_of(report))
    if (is_damage(*of.note))
      lines.push_back("**" + damage_word(*of.note) + ":** " + short_text(note_phrase(report, of)));
  return short_list(lines, most_losses, "note");
}

/// The parts that changed most, in one line.
std::string parts_line(const Comparison& comparison) {
  std::vector<const DecompositionEntry*> parts;
  for (const DecompositionEntry& part : comparison.decomposition)
    if (part.delta_ns != 0) parts.push_back(&part);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto* a, const auto* b) { return std::abs(a->delta_ns) > std::abs(b->delta_ns); });
  std::vector<std::string> phrases;
  for (std::size_t i = 0; i < std::min(most_parts, parts.size()); ++i)
    phrases.push_back(markdown_code(parts[i]->name) + " " + markdown(signed_duration(parts[i]->delta_ns)));
  return join(phrases, ", ");
}

std::string comparison_lines(const Report& report) {
  if (!report.comparison) return {};
  const Comparison& comparison = *report.comparison;
  std::string out = "**" + verdict_word(comparison.verdict) + "** " + short_text(cycle_phrase(comparison)) + ". " +
                    short_text(reason_phrase(comparison));
  if (const std::string parts = parts_line(comparison); !parts.empty()) out += " Most of it: " + parts + ".";
  return out + "\n\n";
}

std::string run_lines(const std::vector<RunView>& views) {
  std::vector<std::string> lines;
  for (const RunView& view : views) {
    const std::string name = short_text(run_phrase(view), longest_cell);
    lines.push_back((name.empty() ? name : "**" + name + "**: ") + short_text(verdict_phrase(view)));
  }
  return lines.size() == 1 ? lines.front() + "\n\n" : short_list(lines, most_runs, "run");
}

using FoundIn = std::pair<const RunView*, const Finding*>;

/// The worst of all runs first; of equal ones as the report has them.
std::vector<FoundIn> findings_of(const std::vector<RunView>& views) {
  std::vector<FoundIn> found;
  for (const RunView& view : views)
    for (const Finding* finding : view.findings) found.emplace_back(&view, finding);
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundIn& a, const FoundIn& b) { return a.second->severity > b.second->severity; });
  return found;
}

std::string finding_row(const RunView& view, const Finding& finding) {
  std::string title = short_text(finding.title, longest_cell);
  if (const std::string subject = subject_phrase(view, finding); !subject.empty())
    title += " · " + short_text(subject, longest_cell);
  if (const std::string known = known_word(finding); !known.empty()) title += " · " + known;
  return table_row({severity_word(finding.severity), title, markdown(impact_phrase(view, finding)),
                    markdown_code_cell(shorten_middle(finding.rule, longest_cell))});
}

/// Where, and what to do about it; empty where the finding says neither.
std::string what_to_do(const Finding& finding) {
  std::string out;
  if (finding.location) out = "at " + markdown_code(shorten_middle(location_phrase(*finding.location), longest_cell));
  const std::string text =
      short_text(finding.recommendations.empty() ? finding.message : finding.recommendations.front().text);
  return out + (out.empty() || text.empty() ? "" : ": ") + text;
}

std::string finding_lines(const std::vector<FoundIn>& found) {
  if (found.empty()) return {};
  std::string rows, advice;
  for (std::size_t i = 0, number = 0; i < std::min(most_findings, found.size()); ++i) {
    const auto& [view, finding] = found[i];
    rows += finding_row(*view, *finding);
    if (const std::string what = what_to_do(*finding); !what.empty())
      advice += std::to_string(++number) + ". " + markdown_code(shorten_middle(finding->rule, longest_cell)) + ": " +
                what + "\n";
  }
  std::string more = and_more(found.size(), most_findings, "finding");
  if (!more.empty()) more += "\n\n";
  return table_head({"severity", "finding", "costs", "rule"}, {false, false, false, false}) + rows + "\n" + more +
         folded("What to do", advice.empty() ? advice : advice + "\n");
}

std::string plan_lines(const Report& report, const std::vector<RunView>& views) {
  std::size_t rules = 0;
  for (const RunView& view : views) rules += static_cast<std::size_t>(view.rules.inconclusive);
  std::vector<std::string> lines;
  if (report.plan)
    for (const RunPlan& plan : report.plan->runs)
      for (const PlannedRecording& recording : plan.recordings)
        if (const std::string line = short_text(recording.how) + ": " + markdown(settles_phrase(recording));
            std::find(lines.begin(), lines.end(), line) == lines.end())
          lines.push_back(line);
  const std::string title = counted(rules, "rule") + " cannot tell";
  if (lines.empty()) return rules == 0 ? std::string() : title + "\n";
  return folded(title + ": kdiag plan says what to record", short_list(lines, most_plans, "recording"));
}

std::string make_summary(const Report& report, CancelFlag stop) {
  std::vector<RunView> views = views_of(report, stop);
  std::erase_if(views, judged_nothing);
  std::string out = gate_lines(report) + loss_lines(report) + comparison_lines(report);
  if (views.empty() && !report.comparison) out += "Nothing to judge: no input holds a run.\n\n";
  if (!views.empty()) out += run_lines(views);
  out += finding_lines(findings_of(views)) + plan_lines(report, views);
  out.erase(out.find_last_not_of('\n') + 1);
  return out + "\n\n" + markdown(product_phrase(report)) + "\n";
}

}  // namespace

std::string to_summary(const Report& report, const std::atomic<bool>* cancel) {
  return unless_interrupted([&] { return make_summary(report, cancel); });
}

}  // namespace kdiag
