// SPDX-License-Identifier: Apache-2.0
// The findings of an earlier report.
#include <cstring>
#include <string>
#include <utility>

#include <kdiag/policy.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "api/limit_table.hpp"
#include "base/interrupt.hpp"
#include "base/text_file.hpp"
#include "dsl/read_rule.hpp"
#include "dsl/rule_file.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

using adapters::JsonValue;

std::optional<Severity> severity_named(std::string_view word) {
  for (const auto& [name, severity] : severity_words())
    if (name == word) return severity;
  return std::nullopt;
}

void add_findings(const JsonValue& list, bool symptoms, KnownFindings& out) {
  for (const JsonValue& finding : list.items) {
    KnownFinding& known = out.findings.emplace_back();
    known.fingerprint = finding["fingerprint"].text;
    known.rule = finding["rule"].text;
    known.title = finding["title"].text;
    known.symptom = symptoms;
    known.waived = finding["waived"].kind == JsonValue::Kind::object;
    known.severity = severity_named(finding["severity"].text);
    known.impact_share = finding["impact_share"].real();
    for (const JsonValue& also : finding["also"].items)
      if (!also["fingerprint"].text.empty()) known.others.push_back(also["fingerprint"].text);
    add_findings(finding["symptoms"], true, out);
  }
}

Diagnostic no_report(std::string_view name) {
  return load_error(refusal_id::no_report, std::string(name) + " is no report of kdiag",
                    "Write one: kdiag --format json --output " + std::string(name) + " TRACE.");
}

}  // namespace

Result<KnownFindings> load_known_text(std::string_view name, std::string_view text) {
  const std::optional<JsonValue> document = adapters::parse_json(text);
  if (!document || (*document)["schema"].text != "kdiag.report/1") return no_report(name);
  KnownFindings out{.name = std::string(name), .findings = {}};
  add_findings((*document)["findings"], false, out);
  return out;
}

Result<KnownFindings> load_known(std::string_view path, const std::atomic<bool>* cancel) {
  const std::string file(path);
  try {
    std::string text;
    if (const int why = read_text_file(file, most_report_bytes + 1, text, cancel); why != 0)
      return unreadable(file, std::strerror(why), "report");
    if (text.size() > most_report_bytes)
      return load_error(refusal_id::no_report, file + " is larger than any report that kdiag reads again",
                        "`kdiag limits` says how large one may be.");
    return load_known_text(path, text);
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "loading the report was interrupted");
  }
}

}  // namespace kdiag
