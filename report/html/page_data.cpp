// SPDX-License-Identifier: Apache-2.0
#include "report/html/page_data.hpp"

#include <algorithm>
#include <utility>

#include "report/html/comparison_data.hpp"
#include "report/html/finding_data.hpp"
#include "report/html/page_time.hpp"
#include "report/html/run_data.hpp"
#include "report/html/shown.hpp"
#include "report/html/step_data.hpp"
#include "report/html/table_data.hpp"
#include "report/html/timeline_data.hpp"
#include "report/phrases/finding_arguments.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/policy_phrases.hpp"

namespace kdiag::report {
namespace {

void add_times(FindingTimes& out, const Finding& finding, std::int64_t origin) {
  const std::size_t before = out.all.size();
  for (const auto& [start, end] : shown_time(finding).intervals) {
    const auto from = page_time(start, origin), to = page_time(end, origin);
    if (from && to) out.all.emplace_back(*from, *to);
  }
  if (out.all.size() > before) out.first.push_back(out.all[before]);
  for (const Finding& symptom : finding.symptoms) add_times(out, symptom, origin);
}

void write_run(JsonWriter& json, const PageRun& run, const PageLimits& limits, std::size_t slices) {
  json.object(Layout::line, [&] {
    write_run_words(json, run.view, limits);
    const auto origin = run.lanes ? std::optional(run.lanes->origin) : std::nullopt;
    const auto write_findings = [&](const std::string& name, const std::vector<const Finding*>& findings) {
      const std::size_t count = std::min(limits.findings, findings.size());
      json.array(name, Layout::line, [&] {
        for (std::size_t i = 0; i < count; ++i) write_finding(json, run.view, *findings[i], origin, limits);
      });
      json.member(name + "_left_out", static_cast<std::int64_t>(findings.size() - count));
    };
    write_findings("findings", run.view.findings);
    write_findings("waived", run.view.waived);
    if (run.lanes) {
      FindingTimes times;
      for (const Finding* finding : run.view.findings) add_times(times, *finding, *origin);
      write_timeline(json, *run.lanes, times, slices, limits);
    } else {
      json.null_member("timeline");
    }
    if (!run.columns) return;
    write_steps(json, *run.columns, limits);
    write_tables(json, *run.columns, limits);
  });
}

/// What known findings and waivers say, which are of all runs.
std::vector<std::string> policy_phrases(const Report& report) {
  std::vector<std::string> out = known_phrases(report);
  for (const std::string& phrase : waiver_phrases(report)) out.push_back("Waiver: " + phrase);
  return out;
}

void write_notes(JsonWriter& json, const Report& report, const PageLimits& limits) {
  std::size_t written = 0, all = 0;
  json.array("notes", Layout::line, [&] {
    for (const InputNote& of : notes_of(report)) {
      const NoteEntry& note = *of.note;
      if (++all > limits.lines) continue;
      ++written;
      json.object(Layout::line, [&] {
        json.member("word", is_damage(note) ? damage_word(note) : std::string(name_of(note.severity)));
        json.member("damage", is_damage(note));
        sentence(json, "text", note_phrase(report, of));
      });
    }
  });
  json.member("notes_left_out", static_cast<std::int64_t>(all - written));
}

}  // namespace

std::vector<PageRun> page_runs(const Report& report, const HtmlOptions& options) {
  std::vector<PageRun> out;
  std::size_t subjects = 0, baselines = 0;
  for (RunView& view : views_of(report, options.cancel)) {
    const bool subject = view.run->role == RunRole::subject;
    const std::optional<Facts>& facts = subject ? options.facts : options.baseline;
    const std::size_t place = subject ? subjects++ : baselines++;  // runs of each role are in the order of their facts
    PageRun run{.view = std::move(view), .columns = {}, .lanes = {}};
    if (facts && place < run_count(*facts)) {
      run.columns = RunColumns(*facts, place);
      run.lanes = lanes_of(*run.columns, run.view, options.cancel);
    }
    out.push_back(std::move(run));
  }
  return out;
}

std::string page_data(const Report& report, const std::vector<PageRun>& runs, const PageLimits& limits,
                      CancelFlag stop) {
  std::vector<std::size_t> wanted;
  for (const PageRun& run : runs) wanted.push_back(run.lanes ? count_slices(*run.lanes) : 0);
  const std::vector<std::size_t> slices = share_out(wanted, limits.slices);
  const std::size_t shown_runs = std::min(limits.runs, runs.size());
  JsonWriter json(stop);
  json.object(Layout::line, [&] {
    json.member("product", product_phrase(report));
    write_notes(json, report, limits);
    json.list("policy", policy_phrases(report),
              [&](const std::string& text) { json.value(shown(text, longest_sentence)); });
    json.list("gates", report.gates, [&](const GateEntry& gate) { json.value(shown(gate_phrase(gate))); });
    if (report.comparison) write_comparison_data(json, report, limits);
    else json.null_member("comparison");
    json.array("runs", Layout::line, [&] {
      for (std::size_t i = 0; i < shown_runs; ++i) write_run(json, runs[i], limits, slices[i]);
    });
    json.member("runs_left_out", static_cast<std::int64_t>(runs.size() - shown_runs));
  });
  return json.take();
}

}  // namespace kdiag::report
