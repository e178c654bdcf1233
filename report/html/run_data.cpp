// SPDX-License-Identifier: Apache-2.0
#include "report/html/run_data.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "report/html/shown.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/plan_phrases.hpp"
#include "report/phrases/recorded_phrases.hpp"
#include "report/phrases/telemetry_phrases.hpp"
#include "report/phrases/verdict_phrase.hpp"
#include "report/phrases/work_phrases.hpp"

namespace kdiag::report {
namespace {

/// The first elements of a list, and how many more there are.
template <class Items, class Write>
void write_first(JsonWriter& json, std::string_view name, const Items& items, std::size_t limit, Write write) {
  const std::size_t count = std::min(limit, items.size());
  json.array(name, Layout::line, [&] {
    for (std::size_t i = 0; i < count; ++i) write(items[i]);
  });
  json.member(std::string(name) + "_left_out", static_cast<std::int64_t>(items.size() - count));
}

void write_account(JsonWriter& json, const RunView& view, const LedgerEntry& entry) {
  json.object(Layout::line, [&] {
    json.member("device", shown(device_phrase(view, entry.rank, entry.device)));
    json.member("wall", entry.wall_ns);
    json.member("unused", is_unused(entry));
    sentence(json, "basis", ledger_basis(entry));
    json.array("lines", Layout::line, [&] {
      for (const LedgerLine& line : entry.lines)
        json.object(Layout::line, [&] {
          json.member("name", shown(line.name));
          json.member("label", shown(ledger_name(line)));
          json.member("ns", line.ns);
          json.member("time", shown(ledger_time(line)));
          json.member("share", line.share);
          json.member("share_text", shown(ledger_exact_share(line)));
          json.text_or_null("rule", shown(line.rule));
        });
    });
    sentence(json, "one_off", entry.rest_ns ? one_off_phrase(entry) : std::string());
  });
}

void write_telemetry(JsonWriter& json, const RunView& view, const TelemetryEntry& entry) {
  json.object(Layout::line, [&] {
    json.member("device", shown(device_phrase(view, entry.rank, entry.device)));
    json.array("phrases", Layout::line, [&] {
      for (const std::string& phrase : telemetry_phrases(entry)) json.value(shown(phrase));
    });
  });
}

/// What operations are worth, and the operators that are furthest from the device's limits: headings, then rows.
void write_work(JsonWriter& json, const RunView& view, const WorkEntry& entry, std::size_t most) {
  json.object(Layout::line, [&] {
    json.member("device", shown(device_phrase(view, entry.rank, entry.device)));
    json.array("phrases", Layout::line, [&] {
      for (const std::string& phrase : work_phrases(entry)) json.value(shown(phrase));
    });
    json.list("rows", gap_cells(view, entry, most), [&](const std::vector<std::string>& row) {
      json.array(Layout::line, [&] {
        for (const std::string& cell : row) json.value(shown(cell));
      });
    });
  });
}

void write_unresolved(JsonWriter& json, const Unresolved& group) {
  json.object(Layout::line, [&] {
    json.list("rules", group.rules, [&](const std::string& rule) { json.value(shown(rule)); });
    sentence(json, "why", missing_phrase(group.missing, group.reason));
    std::vector<std::string> recordings;
    for (const MissingEntry& missing : group.missing)
      if (!missing.how_to_record.empty() &&
          std::find(recordings.begin(), recordings.end(), missing.how_to_record) == recordings.end())
        recordings.push_back(missing.how_to_record);
    json.list("record", recordings, [&](const std::string& text) { json.value(shown(text, longest_sentence)); });
  });
}

/// The recordings that settle most of what could not be told, the best first.
void write_plan(JsonWriter& json, const RunView& view, const PageLimits& limits) {
  if (view.plan == nullptr) return json.null_member("plan");
  json.object("plan", Layout::line, [&] {
    sentence(json, "summary", plan_summary(*view.report, *view.plan));
    write_first(json, "recordings", view.plan->recordings, limits.lines, [&](const PlannedRecording& recording) {
      json.object(Layout::line, [&] {
        sentence(json, "brings", missing_phrase(missing_of(recording), {}));
        sentence(json, "how", recording.how);
        json.text_or_null("command", shorten_middle(visible_lines(recording.command), longest_sentence));
        sentence(json, "cost", cost_phrase(recording));
        json.member("settles", static_cast<std::int64_t>(recording.settles.size()));
      });
    });
  });
}

}  // namespace

void write_run_words(JsonWriter& json, const RunView& view, const PageLimits& limits) {
  json.member("name", shown(run_phrase(view)));
  json.member("label", shown(view.run->label));
  json.array("facts", Layout::line, [&] {
    for (const std::string& phrase : run_phrases(view)) json.value(shown(phrase, longest_sentence));
  });
  json.member("judged", !judged_nothing(view));
  sentence(json, "verdict", verdict_phrase(view));
  json.text_or_null("severity", view.findings.empty() ? std::string_view() : name_of(view.findings[0]->severity));
  write_first(json, "ledger", view.ledger, limits.lines,
              [&](const LedgerEntry* entry) { write_account(json, view, *entry); });
  json.array("apart", Layout::line, [&] {
    for (const ExcludedSteps& apart : excluded_steps(view.ledger)) {
      const std::string devices = device_phrase(view, apart);
      json.value(shown((devices.empty() ? "" : devices + ": ") + "not judged: " + apart.phrase, longest_sentence));
    }
  });
  write_first(json, "telemetry", view.telemetry, limits.lines,
              [&](const TelemetryEntry* entry) { write_telemetry(json, view, *entry); });
  write_first(json, "work", view.work, limits.lines,
              [&](const WorkEntry* entry) { write_work(json, view, *entry, limits.lines); });
  json.array("recorded", Layout::line, [&] {
    for (const std::string& phrase : recorded_phrases(view)) json.value(shown(phrase, longest_sentence));
  });
  write_plan(json, view, limits);
  write_first(json, "cannot_tell", view.unresolved, limits.lines,
              [&](const Unresolved& group) { write_unresolved(json, group); });
  write_first(json, "failed", view.failures, limits.lines, [&](const OutcomeEntry* entry) {
    json.object(Layout::line, [&] {
      json.member("rule", shown(entry->rule));
      sentence(json, "why", entry->reason);
    });
  });
}

}  // namespace kdiag::report
