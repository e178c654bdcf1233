// SPDX-License-Identifier: Apache-2.0
// The report as JSON, schema "kdiag.report/1": every key always present, in the documented order, null when unknown.
#include <kdiag/report.hpp>
#include <kdiag/timings.hpp>

#include "base/json_writer.hpp"
#include "report/comparison_json.hpp"
#include "report/cost_table.hpp"
#include "report/phrases/table.hpp"
#include "report/policy_json.hpp"

namespace kdiag {
namespace {

void write_input(JsonWriter& json, const InputEntry& input) {
  json.object([&] {
    json.member("path", input.path);
    json.text_or_null("adapter", input.adapter);
    json.text_or_null("producer", input.producer);
    json.member("role", name_of(input.role));
    json.member("events", input.events);
    json.list("notes", input.notes, [&](const NoteEntry& note) {
      json.object(Layout::line, [&] {
        json.member("id", note.id);
        json.member("severity", name_of(note.severity));
        json.member("count", note.count);
        json.member("text", note.text);
      });
    });
  });
}

void write_run(JsonWriter& json, const RunEntry& run) {
  json.object([&] {
    json.member("id", run.id);
    json.text_or_null("label", run.label);
    json.member("role", name_of(run.role));
    json.member("wall_ns", run.wall_ns);
    json.text_or_null("wall_basis", name_of(run.wall_basis));
    json.member("steps", run.steps);
    json.list("devices", run.devices, [&](const DeviceEntry& device) {
      json.object(Layout::line, [&] {
        json.member("id", device.id);
        json.member("rank", device.rank);
        json.text_or_null("name", device.name);
        json.text_or_null("vendor", device.vendor);
        if (!device.address.empty()) json.member("address", device.address);
      });
    });
    if (!run.baseline.empty()) json.member("baseline", run.baseline);
    if (!run.scope.empty()) json.member("scope", run.scope);
  });
}

void write_subject_members(JsonWriter& json, const SubjectEntry& subject) {
  json.member("kind", subject.kind);
  json.member("id", subject.id);
  json.member("label", subject.label);
}

void write_value_and_unit(JsonWriter& json, const ValueEntry& entry) {
  json.object(Layout::line, [&] {
    json.key("value");
    report::write_value(json, entry);
    json.text_or_null("unit", entry.unit);
  });
}

void write_evidence(JsonWriter& json, const EvidenceEntry& entry) {
  if (const auto* value = std::get_if<ValueEntry>(&entry)) return write_value_and_unit(json, *value);
  json.array(Layout::lines, [&] {
    for (const RowEntry& row : std::get<std::vector<RowEntry>>(entry))
      json.object(Layout::line, [&] {
        for (const auto& [name, cell] : row) {
          json.key(name);
          write_value_and_unit(json, cell);
        }
      });
  });
}

void write_gain(JsonWriter& json, const std::optional<GainEntry>& gain) {
  if (!gain) return json.null_member("gain");
  json.object("gain", Layout::line, [&] {
    json.member("low_ns", gain->low_ns);
    json.member("high_ns", gain->high_ns);
    json.text_or_null("basis", gain->basis);
  });
}

void write_location(JsonWriter& json, const std::optional<LocationEntry>& location) {
  if (!location) return json.null_member("location");
  json.object("location", Layout::line, [&] {
    json.text_or_null("file", location->file);
    json.member("line", location->line);
    json.text_or_null("function", location->function);
    json.text_or_null("how", location->how);
  });
}

/// `name`: the first intervals, `name`_total: how many there are.
void write_intervals(JsonWriter& json, const std::string& name,
                     const std::vector<std::pair<std::int64_t, std::int64_t>>& intervals, std::size_t total) {
  json.array(name, Layout::line, [&] {
    for (const auto& [start, end] : intervals)
      json.array(Layout::line, [&, from = start, to = end] {
        json.value(from);
        json.value(to);
      });
  });
  json.member(name + "_total", total);
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.object([&] {
    json.member("run", finding.run);
    json.member("rank", finding.rank);
    json.member("rule", finding.rule);
    json.member("title", finding.title);
    json.member("severity", name_of(finding.severity));
    json.object("subject", Layout::line, [&] { write_subject_members(json, finding.subject); });
    json.list("also", finding.also, [&](const AlsoEntry& also) {
      json.object(Layout::line, [&] {
        write_subject_members(json, also.subject);
        json.member("impact_ns", also.impact_ns);
        json.text_or_null("fingerprint", also.fingerprint);
      });
    });
    json.member("impact_ns", finding.impact_ns);
    json.member("impact_low_ns", finding.impact_low_ns);
    json.member("impact_share", finding.impact_share);
    json.text_or_null("share_of", name_of(finding.share_of));
    if (finding.baseline_share) json.member("baseline_share", *finding.baseline_share);
    if (finding.explained_ns > 0) json.member("explained_ns", finding.explained_ns);
    if (finding.paid_once) json.member("paid_once", true);
    if (finding.without_one_off)
      json.object("rest", Layout::line, [&] {
        json.member("impact_ns", finding.without_one_off->impact_ns);
        json.member("wall_ns", finding.without_one_off->wall_ns);
      });
    write_gain(json, finding.gain);
    json.object("confidence", Layout::line, [&] {
      json.member("value", finding.confidence.value);
      json.text_or_null("basis", finding.confidence.basis);
      json.member("n", finding.confidence.n);
    });
    write_location(json, finding.location);
    json.member("fingerprint", finding.fingerprint);
    if (finding.waived) report::write_waived(json, *finding.waived);
    if (finding.known) json.member("known", *finding.known);
    if (finding.known_severity) json.member("known_severity", name_of(*finding.known_severity));
    json.member("message", finding.message);
    json.object("evidence", [&] {
      for (const auto& [name, entry] : finding.evidence) {
        json.key(name);
        write_evidence(json, entry);
      }
    });
    if (!finding.left_out.empty())
      json.object("evidence_left_out", Layout::line, [&] {
        for (const auto& [name, rows] : finding.left_out) json.member(name, static_cast<std::int64_t>(rows));
      });
    write_intervals(json, "intervals", finding.intervals, finding.intervals_total);
    if (!finding.evidence_intervals.empty())
      write_intervals(json, "evidence_intervals", finding.evidence_intervals, finding.evidence_intervals_total);
    json.list("recommendations", finding.recommendations, [&](const RecommendationEntry& entry) {
      json.object([&] {
        json.member("text", entry.text);
        json.text_or_null("where", entry.where);
        json.text_or_null("risk", entry.risk);
        json.text_or_null("verify", entry.verify);
        json.text_or_null("url", entry.url);
      });
    });
    json.list("symptoms", finding.symptoms, [&](const Finding& symptom) { write_finding(json, symptom); });
    json.object("provenance", Layout::line, [&] {
      json.text_or_null("pack", finding.provenance.pack);
      json.text_or_null("file", finding.provenance.file);
      json.key("line");
      if (finding.provenance.line > 0) json.value(finding.provenance.line);
      else json.null();
      json.list("providers", finding.provenance.providers, [&](const std::string& name) { json.value(name); });
    });
    if (finding.suppressed.empty()) return;
    json.list("suppressed", finding.suppressed, [&](const SuppressedEntry& entry) {
      json.object(Layout::line, [&] {
        json.member("text", entry.text);
        json.member("because", entry.because);
      });
    });
  });
}

void write_outcome(JsonWriter& json, const OutcomeEntry& outcome) {
  json.object([&] {
    json.member("run", outcome.run);
    json.member("rule", outcome.rule);
    json.object("subject", Layout::line, [&] { write_subject_members(json, outcome.subject); });
    json.member("outcome", name_of(outcome.outcome));
    json.list("missing", outcome.missing, [&](const MissingEntry& missing) {
      json.object(Layout::line, [&] {
        json.member("fact", missing.fact);
        json.text_or_null("how_to_record", missing.how_to_record);
      });
    });
    json.text_or_null("reason", outcome.reason);
    json.text_or_null("nearest", outcome.nearest);
  });
}

void write_ledger(JsonWriter& json, const LedgerEntry& entry) {
  json.object([&] {
    json.member("run", entry.run);
    json.member("rank", entry.rank);
    json.member("device", entry.device);
    json.member("basis", name_of(entry.basis));
    json.member("wall_ns", entry.wall_ns);
    if (entry.cut) json.member("cut", true);
    json.list("lines", entry.lines, [&](const LedgerLine& line) {
      json.object(Layout::line, [&] {
        json.member("name", line.name);
        json.member("ns", line.ns);
        json.member("low_ns", line.low_ns);
        if (line.high_ns) json.member("high_ns", *line.high_ns);
        json.member("share", line.share);
        json.text_or_null("rule", line.rule);
        if (line.rest_ns) json.member("rest_ns", *line.rest_ns);
      });
    });
    json.list("one_off", entry.one_off, [&](const OneOffCost& cost) {
      json.object(Layout::line, [&] {
        json.member("what", cost.what);
        json.member("ns", cost.ns);
        json.member("judged", cost.judged);
        json.text_or_null("rule", cost.rule);
        if (!cost.steps) return json.null_member("steps");
        json.array("steps", Layout::line, [&] {
          json.value(cost.steps->first);
          json.value(cost.steps->second);
        });
      });
    });
    json.member("rest_ns", entry.rest_ns);
  });
}

void write_work(JsonWriter& json, const WorkEntry& entry) {
  json.object([&] {
    json.member("run", entry.run);
    json.member("rank", entry.rank);
    json.member("device", entry.device);
    json.member("flops", entry.flops);
    json.member("known_share", entry.known_share);
    json.member("rate", entry.rate);
    json.member("peak_share", entry.peak_share);
    json.member("model_share", entry.model_share);
    json.member("stated_share", entry.stated_share);
    json.list("gaps", entry.gaps, [&](const OperatorGap& gap) {
      json.object(Layout::line, [&] {
        json.member("op", gap.op);
        json.member("shapes", gap.shapes);
        json.member("calls", gap.calls);
        json.member("time_ns", gap.time_ns);
        json.member("attainable_ns", gap.attainable_ns);
        json.member("flops", gap.flops);
      });
    });
  });
}

void write_telemetry(JsonWriter& json, const TelemetryEntry& entry) {
  json.object([&] {
    json.member("run", entry.run);
    json.member("rank", entry.rank);
    json.member("device", entry.device);
    json.member("busy_share", entry.busy_share);
    json.list("series", entry.series, [&](const SampledSeries& series) {
      json.object(Layout::line, [&] {
        json.member("series", series.series);
        json.member("unit", series.unit);
        json.member("min", series.min);
        json.member("median", series.median);
        json.member("max", series.max);
        json.member("busy", series.busy);
        json.member("limit", series.limit);
        json.member("mean", series.mean);
      });
    });
    json.list("clock_limits", entry.clock_limits, [&](const std::pair<std::string, double>& limit) {
      json.object(Layout::line, [&] {
        json.member("reason", limit.first);
        json.member("share", limit.second);
      });
    });
  });
}

void write_recorded(JsonWriter& json, const RecordedEntry& entry) {
  json.object(Layout::line, [&] {
    json.member("run", entry.run);
    json.member("table", entry.table);
    json.member("rows", entry.rows);
    json.member("names", entry.names);
    json.member("median_ns", entry.median_ns);
    json.member("longest", entry.longest);
    json.member("longest_ns", entry.longest_ns);
    json.member("bus_bandwidth", entry.bus_bandwidth);
  });
}

void write_timings(JsonWriter& json, const Timings& timings) {
  json.object("timings", [&] {
    json.member("rules", timings.rules);
    json.member("read", timings.read);
    json.member("derive", timings.derive);
    json.member("judge", timings.judge);
    json.member("evaluate", timings.evaluate);
    write_costs(json, "by_rule", timings.by_rule);
    write_costs(json, "by_expression", timings.by_expression);
  });
}

std::string make_json(const Report& report, CancelFlag stop) {
  JsonWriter json(stop);
  json.object([&] {
    json.member("schema", "kdiag.report/1");
    json.member("version", report.version);
    json.list("inputs", report.inputs, [&](const InputEntry& input) { write_input(json, input); });
    json.list("runs", report.runs, [&](const RunEntry& run) { write_run(json, run); });
    json.object("tally", Layout::line, [&] {
      json.member("fired", report.tally.fired);
      json.member("clear", report.tally.clear);
      json.member("not_applicable", report.tally.not_applicable);
      json.member("inconclusive", report.tally.inconclusive);
      json.member("failed", report.tally.failed);
    });
    json.list("findings", report.findings, [&](const Finding& finding) { write_finding(json, finding); });
    json.list("outcomes", report.outcomes, [&](const OutcomeEntry& outcome) { write_outcome(json, outcome); });
    json.list("ledger", report.ledger, [&](const LedgerEntry& entry) { write_ledger(json, entry); });
    json.list("telemetry", report.telemetry, [&](const TelemetryEntry& entry) { write_telemetry(json, entry); });
    json.list("recorded", report.recorded, [&](const RecordedEntry& entry) { write_recorded(json, entry); });
    if (!report.work.empty()) json.list("work", report.work, [&](const WorkEntry& entry) { write_work(json, entry); });
    if (report.comparison) report::write_comparison(json, *report.comparison);
    else json.null_member("comparison");
    json.list("gates", report.gates, [&](const GateEntry& gate) {
      json.object(Layout::line, [&] {
        json.member("condition", gate.condition);
        json.member("outcome", name_of(gate.outcome));
        json.member("reason", gate.reason);
        json.list("rules", gate.rules, [&](const std::string& rule) { json.value(rule); });
      });
    });
    report::write_policy(json, report);
    if (report.timings) write_timings(json, *report.timings);
  });
  return json.take();
}

}  // namespace

std::string to_json(const Report& report, const std::atomic<bool>* cancel) {
  return report::unless_interrupted([&] { return make_json(report, cancel); });
}

}  // namespace kdiag
