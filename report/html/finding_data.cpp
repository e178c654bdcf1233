// SPDX-License-Identifier: Apache-2.0
#include "report/html/finding_data.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include <kdiag/format.hpp>

#include "report/html/page_time.hpp"
#include "report/html/shown.hpp"
#include "report/phrases/finding_arguments.hpp"
#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/table.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t shown_subjects = 16;  // more subjects of one finding are for the JSON report (judgement)
constexpr std::size_t deepest_symptom = 8;  // what explains what is two or three deep

void write_share(JsonWriter& json, const Finding& finding) {
  if (!finding.impact_ns || !finding.impact_share) return json.null_member("share");
  const double high = *finding.impact_share;
  const double least = static_cast<double>(finding.impact_low_ns.value_or(0)) /
                       static_cast<double>(std::max<std::int64_t>(*finding.impact_ns, 1));
  json.array("share", Layout::line, [&] {
    json.value(high * std::clamp(least, 0.0, 1.0));
    json.value(high);
  });
}

void write_table(JsonWriter& json, const Finding& finding, const std::string& name, const std::vector<RowEntry>& rows,
                 const PageLimits& limits) {
  const Table table = table_of(rows);
  const std::size_t shown_rows = std::min(limits.rows, table.rows.size());
  json.object(Layout::line, [&] {
    json.member("name", shown(name));
    json.list("columns", table.columns, [&](const std::string& column) { json.value(shown(column)); });
    json.array("right", Layout::line, [&] {
      for (const ValueEntry& entry : table.rows.front()) json.value(is_quantity(entry));
    });
    json.array("rows", Layout::line, [&] {
      for (std::size_t row = 0; row < shown_rows; ++row)
        json.array(Layout::line, [&] {
          for (const ValueEntry& entry : table.rows[row]) json.value(shown(format_value(entry)));
        });
    });
    sentence(json, "others", others_phrase(finding, name, table.rows.size() - shown_rows));
  });
}

void write_evidence(JsonWriter& json, const Finding& finding, const PageLimits& limits) {
  json.array("values", Layout::line, [&] {
    for (const auto& [name, entry] : finding.evidence)
      if (const auto* value = std::get_if<ValueEntry>(&entry))
        json.array(Layout::line, [&, &label = name] {
          json.value(shown(label));
          json.value(shown(format_value(*value)));
        });
  });
  json.array("tables", Layout::line, [&] {
    for (const auto& [name, entry] : finding.evidence)
      if (const auto* rows = std::get_if<std::vector<RowEntry>>(&entry); rows != nullptr && !rows->empty())
        write_table(json, finding, name, *rows, limits);
  });
}

void write_advice(JsonWriter& json, const Finding& finding) {
  json.list("advice", finding.recommendations, [&](const RecommendationEntry& advice) {
    json.object(Layout::line, [&] {
      sentence(json, "text", advice.text);
      sentence(json, "where", advice.where);
      sentence(json, "risk", advice.risk);
      sentence(json, "verify", advice.verify);
      sentence(json, "url", advice.url);
    });
  });
}

void write_intervals(JsonWriter& json, const Finding& finding, std::optional<std::int64_t> origin) {
  const ShownTime shown = shown_time(finding);
  json.array("intervals", Layout::line, [&] {
    if (!origin) return;
    for (const auto& [start, end] : shown.intervals) {
      const auto from = page_time(start, *origin), to = page_time(end, *origin);
      if (!from || !to) continue;
      json.array(Layout::line, [&, a = *from, b = *to] {
        json.value(a);
        json.value(b);
      });
    }
  });
  json.member("intervals_total", static_cast<std::int64_t>(shown.total));
}

void write_one(JsonWriter& json, const RunView& view, const Finding& finding, std::optional<std::int64_t> origin,
               const PageLimits& limits, std::size_t depth) {
  json.object(Layout::line, [&] {
    json.member("rank", finding.rank);
    json.member("severity", name_of(finding.severity));
    json.member("title", shown(finding.title, longest_sentence));
    json.member("rule", shown(finding.rule));
    sentence(json, "subject", subject_phrase(view, finding));
    sentence(json, "place", finding.subject.label);
    sentence(json, "impact", lost_time_phrase(view, finding));
    write_share(json, finding);
    sentence(json, "gain", gain_phrase(view, finding));
    sentence(json, "confidence", confidence_phrase(finding.confidence));
    sentence(json, "known", known_word(finding));
    sentence(json, "waived", finding.waived ? waived_phrase(*finding.waived) : std::string());
    sentence(json, "fingerprint", finding.fingerprint);
    sentence(json, "message", finding.message);
    write_evidence(json, finding, limits);
    sentence(json, "location", finding.location ? location_phrase(*finding.location) : std::string());
    sentence(json, "also", also_phrase(finding, shown_subjects));
    write_advice(json, finding);
    sentence(json, "source",
             finding.provenance.file.empty() ? std::string()
                                             : finding.provenance.file + ":" + std::to_string(finding.provenance.line));
    write_intervals(json, finding, origin);
    json.array("symptoms", Layout::line, [&] {
      const std::size_t count = depth < deepest_symptom ? std::min(limits.findings, finding.symptoms.size()) : 0;
      for (std::size_t i = 0; i < count; ++i) write_one(json, view, finding.symptoms[i], origin, limits, depth + 1);
    });
    json.member("symptoms_total", static_cast<std::int64_t>(finding.symptoms.size()));
  });
}

}  // namespace

void write_finding(JsonWriter& json, const RunView& view, const Finding& finding, std::optional<std::int64_t> origin,
                   const PageLimits& limits) {
  write_one(json, view, finding, origin, limits, 0);
}

}  // namespace kdiag::report
