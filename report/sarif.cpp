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
#include "report/sarif_parts.hpp"
#include "report/shown_place.hpp"

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

void write_tool(JsonWriter& json, const Report& report) {
  json.object("tool", [&] {
    json.object("driver", [&] {
      json.member("name", "kdiag");
      json.member("version", report.version);
      json.array("rules", Layout::lines, [&] {
        if (report.comparison)
          report::write_sarif_rule(json, {.id = std::string(report::regression_id),
                                          .summary = "The run is slower than the normal one",
                                          .description = "The cycle of the run takes longer than that of the normal "
                                                         "run, by more than the noise of both."});
        report::write_found_rules(json, report);
      });
    });
    report::write_packs(json, report);
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
              report::write_sarif_text(json, "message", note.text);
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
              report::write_sarif_text(json, "message", outcome.reason);
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

void write_physical_location(JsonWriter& json, const report::ShownPlace& place) {
  json.object("physicalLocation", [&] {
    write_artifact_location(json, place.file);
    json.object("region", Layout::line, [&] { json.member("startLine", place.line); });
  });
}

void write_location(JsonWriter& json, const Report& report, const Finding& finding) {
  json.object([&] {
    write_physical_location(json, report::shown_place(report, finding));
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

/// Which result of an earlier run this one is. GitHub goes by the name that its own tools give the line of a result.
void write_fingerprints(JsonWriter& json, std::string_view fingerprint) {
  json.object("partialFingerprints", Layout::line, [&] {
    json.member("kdiag/v1", fingerprint);
    json.member("primaryLocationLineHash", fingerprint);
  });
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

void write_result(JsonWriter& json, const Report& report, const Finding& finding) {
  const Comparison* comparison = report.comparison.get();
  json.object([&] {
    json.member("ruleId", finding.rule);
    json.member("level", level_of(finding.severity));
    if (comparison != nullptr) json.member("baselineState", baseline_state(*comparison, finding.rule));
    else if (finding.known) json.member("baselineState", *finding.known ? "unchanged" : "new");
    report::write_sarif_text(json, "message", message_of(finding));
    json.array("locations", Layout::lines, [&] { write_location(json, report, finding); });
    write_fingerprints(json, finding.fingerprint);
    if (finding.waived) write_suppression(json, *finding.waived);
    write_properties(json, finding);
  });
}

/// A regression is a result of its own, whether or not a cause of it was found.
void write_regression(JsonWriter& json, const Report& report, Severity severity) {
  const Comparison& comparison = *report.comparison;
  json.object([&] {
    json.member("ruleId", report::regression_id);
    json.member("level", level_of(severity));
    json.member("baselineState", "new");
    report::write_sarif_text(json, "message", sarif_message(report::regression_phrase(comparison)));
    json.array("locations", Layout::lines, [&] {
      json.object([&] {
        write_physical_location(json, report::place_of_run(report, comparison.abnormal));
        json.array("logicalLocations", Layout::lines, [&] {
          json.object(Layout::line, [&] {
            json.member("name", "run " + comparison.abnormal);
            json.member("kind", "resource");
          });
        });
      });
    });
    write_fingerprints(json, report::regression_id);
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
    for (const Finding& finding : report.findings) write_result(json, report, finding);
  });
}

/// Every rule that was judged, so that a quiet one is seen to have run; and what a comparison says.
void write_run_properties(JsonWriter& json, const Report& report) {
  std::set<std::string_view> judged;
  for (const OutcomeEntry& outcome : report.outcomes) judged.insert(outcome.rule);
  json.object("properties", [&] {
    json.list("judgedRules", judged, [&](std::string_view id) { json.value(id); });
    if (!report.comparison) return;
    const Comparison& comparison = *report.comparison;
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
    report::write_sarif_head(json);
    json.array("runs", Layout::lines, [&] {
      json.object([&] {
        write_tool(json, report);
        write_invocation(json, report);
        json.member("columnKind", "unicodeCodePoints");
        write_results(json, report);
        write_run_properties(json, report);
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
