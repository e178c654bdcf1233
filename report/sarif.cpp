// SPDX-License-Identifier: Apache-2.0
// The findings as SARIF 2.1.0 (OASIS), for tools that show results beside the source.
#include <kdiag/compare.hpp>
#include <kdiag/report.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/stop_check.hpp"

namespace kdiag {
namespace {

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::critical:
    case Severity::high: return "error";
    case Severity::medium: return "warning";
    case Severity::low:
    case Severity::info: return "note";
  }
  return "note";
}

std::string_view level_of(NoteSeverity severity) {
  if (severity == NoteSeverity::error) return "error";
  return severity == NoteSeverity::info ? "note" : "warning";
}

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.object(name, Layout::line, [&] { json.member("text", text); });
}

constexpr std::string_view regression_id = "compare.regression";

// Every rule that was judged, so that a result's rule can be looked up and a quiet rule is seen to have run.
void write_rules(JsonWriter& json, const Report& report) {
  std::set<std::string_view> ids;
  for (const OutcomeEntry& outcome : report.outcomes) ids.insert(outcome.rule);
  for (const Finding& finding : report.findings) ids.insert(finding.rule);
  if (report.comparison) ids.insert(regression_id);
  json.list("rules", ids, [&](std::string_view id) {
    json.object([&] {
      json.member("id", id);
      write_text(json, "shortDescription", id == regression_id ? "The run is slower than the normal one" : id);
    });
  });
}

void write_tool(JsonWriter& json, const Report& report) {
  json.object("tool", [&] {
    json.object("driver", [&] {
      json.member("name", "kdiag");
      json.member("version", report.version);
      write_rules(json, report);
    });
  });
}

void write_artifact_location(JsonWriter& json, std::string_view path) {
  json.object("artifactLocation", Layout::line, [&] { json.member("uri", path_to_uri(path)); });
}

void write_invocation(JsonWriter& json, const Report& report) {
  json.array("invocations", Layout::lines, [&] {
    json.object([&] {
      json.member("executionSuccessful", true);
      json.array("toolExecutionNotifications", Layout::lines, [&] {
        for (const InputEntry& input : report.inputs)
          for (const NoteEntry& note : input.notes)
            json.object([&] {
              json.object("descriptor", Layout::line, [&] { json.member("id", note.id); });
              json.member("level", level_of(note.severity));
              write_text(json, "message", note.text);
              json.array("locations", Layout::lines, [&] {
                json.object(
                    [&] { json.object("physicalLocation", [&] { write_artifact_location(json, input.path); }); });
              });
            });
        for (const OutcomeEntry& outcome : report.outcomes)
          if (outcome.outcome == Outcome::failed)
            json.object([&] {
              json.object("associatedRule", Layout::line, [&] { json.member("id", outcome.rule); });
              json.member("level", "error");
              write_text(json, "message", outcome.reason);
            });
      });
    });
  });
}

std::string message_of(const Finding& finding) {
  std::string text = finding.title;
  if (!finding.message.empty()) text += "\n" + finding.message;
  for (const RecommendationEntry& advice : finding.recommendations) text += "\n- " + advice.text;
  return sarif_message(std::move(text));
}

void write_location(JsonWriter& json, const Finding& finding) {
  json.object([&] {
    if (const auto& location = finding.location; location && !location->file.empty()) {
      json.object("physicalLocation", [&] {
        write_artifact_location(json, location->file);
        if (location->line && *location->line > 0)
          json.object("region", Layout::line, [&] { json.member("startLine", location->line); });
      });
    }
    json.array("logicalLocations", Layout::lines, [&] {
      if (finding.location && !finding.location->function.empty())
        json.object(Layout::line, [&] {
          json.member("name", finding.location->function);
          json.member("kind", "function");
        });
      json.object(Layout::line, [&] {
        json.member("name", finding.subject.label);
        json.member("kind", "resource");
      });
    });
  });
}

void write_properties(JsonWriter& json, const Finding& finding) {
  json.object("properties", [&] {
    json.member("run", finding.run);
    json.member("rank", finding.rank);
    json.member("severity", name_of(finding.severity));
    json.member("subject", finding.subject.label);
    json.member("impactNs", finding.impact_ns);
    json.member("impactLowNs", finding.impact_low_ns);
    json.member("impactShare", finding.impact_share);
    json.text_or_null("shareOf", name_of(finding.share_of));
    json.member("gainLowNs", finding.gain ? finding.gain->low_ns : std::nullopt);
    json.member("gainHighNs", finding.gain ? finding.gain->high_ns : std::nullopt);
    json.member("confidence", finding.confidence.value);
    json.list("symptoms", finding.symptoms, [&](const Finding& symptom) {
      json.object(Layout::line, [&] {
        json.member("rule", symptom.rule);
        json.member("title", symptom.title);
      });
    });
  });
}

/// What SARIF (3.27.24) calls the fate of a finding.
std::string_view baseline_state(const Comparison& comparison, std::string_view rule) {
  const auto fate = std::find_if(comparison.finding_changes.begin(), comparison.finding_changes.end(),
                                 [&](const FindingChange& entry) { return entry.rule == rule; });
  if (fate == comparison.finding_changes.end() || fate->fate == Fate::appeared) return "new";
  return fate->fate == Fate::unchanged ? "unchanged" : "updated";
}

/// SARIF (3.35): what a person accepts is an external suppression, since it stands in no source file.
void write_suppression(JsonWriter& json, const WaivedEntry& waived) {
  json.array("suppressions", Layout::lines, [&] {
    json.object([&] {
      json.member("kind", "external");
      json.member("status", "accepted");
      json.member("justification", report::waived_phrase(waived));
    });
  });
}

void write_result(JsonWriter& json, const Finding& finding, const Comparison* comparison) {
  json.object([&] {
    json.member("ruleId", finding.rule);
    json.member("level", level_of(finding.severity));
    if (comparison != nullptr) json.member("baselineState", baseline_state(*comparison, finding.rule));
    else if (finding.known) json.member("baselineState", *finding.known ? "unchanged" : "new");
    write_text(json, "message", message_of(finding));
    json.array("locations", Layout::lines, [&] { write_location(json, finding); });
    json.object("partialFingerprints", Layout::line, [&] { json.member("kdiag/v1", finding.fingerprint); });
    if (finding.waived) write_suppression(json, *finding.waived);
    write_properties(json, finding);
  });
}

/// A regression is a result of its own, whether or not a cause of it was found.
void write_regression(JsonWriter& json, const Report& report, Severity severity) {
  const Comparison& comparison = *report.comparison;
  const auto input = std::find_if(report.inputs.begin(), report.inputs.end(),
                                  [](const InputEntry& entry) { return entry.role == RunRole::subject; });
  json.object([&] {
    json.member("ruleId", regression_id);
    json.member("level", level_of(severity));
    json.member("baselineState", "new");
    write_text(json, "message", sarif_message(report::regression_phrase(comparison)));
    json.array("locations", Layout::lines, [&] {
      json.object([&] {
        if (input != report.inputs.end())
          json.object("physicalLocation", [&] { write_artifact_location(json, input->path); });
        json.array("logicalLocations", Layout::lines, [&] {
          json.object(Layout::line, [&] {
            json.member("name", "run " + comparison.abnormal);
            json.member("kind", "resource");
          });
        });
      });
    });
    json.object("partialFingerprints", Layout::line, [&] { json.member("kdiag/v1", regression_id); });
    json.object("properties", [&] {
      json.member("run", comparison.abnormal);
      json.member("severity", name_of(severity));
      json.member("change", comparison.cycle.change);
    });
  });
}

void write_results(JsonWriter& json, const Report& report) {
  json.array("results", Layout::lines, [&] {
    if (const auto severity = report.comparison ? severity_of(*report.comparison) : std::nullopt)
      write_regression(json, report, *severity);
    for (const Finding& finding : report.findings) write_result(json, finding, report.comparison.get());
  });
}

void write_comparison_properties(JsonWriter& json, const Comparison& comparison) {
  json.object("properties", [&] {
    json.member("verdict", name_of(comparison.verdict));
    json.member("reason", comparison.reason);
    json.member("cycle", report::cycle_phrase(comparison));
    json.member("change", comparison.cycle.change);
    json.member("comparability", comparison.comparability.score);
  });
}

std::string make_sarif(const Report& report, CancelFlag stop) {
  JsonWriter json(stop);
  json.object([&] {
    json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.member("version", "2.1.0");
    json.array("runs", Layout::lines, [&] {
      json.object([&] {
        write_tool(json, report);
        write_invocation(json, report);
        json.member("columnKind", "unicodeCodePoints");
        write_results(json, report);
        if (report.comparison) write_comparison_properties(json, *report.comparison);
      });
    });
  });
  return json.take();
}

}  // namespace

std::string to_sarif(const Report& report, const std::atomic<bool>* cancel) {
  return report::unless_interrupted([&] { return make_sarif(report, cancel); });
}

}  // namespace kdiag
