// SPDX-License-Identifier: Apache-2.0
// The C interface: diagnosing, explaining, querying, and what a report says.
#include <array>
#include <limits>

#include <kdiag/compare.hpp>
#include <kdiag/html.hpp>
#include <kdiag/plan.hpp>

#include "base/once.hpp"
#include "capi/c_handles.hpp"

struct kdiag_report {
  explicit kdiag_report(kdiag::Report made) : report(std::move(made)) {}
  kdiag::Report report;

  /// A text of the report, made when it is first asked for.
  struct Rendered {
    kdiag::Once once;
    std::string text;
  };
  enum Format : std::size_t { text, json, markdown, sarif };
  mutable std::array<Rendered, 4> kept;
};

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

template <class Render>
const char* rendered(const kdiag_report* report, kdiag_report::Format format, size_t* size, Render render) noexcept {
  if (size != nullptr) *size = 0;
  if (report == nullptr) return nullptr;
  try {
    kdiag_report::Rendered& out = report->kept[format];
    out.once.call([&] { out.text = render(report->report); });
    return text_out(out.text, size);
  } catch (...) {
    return nullptr;
  }
}

const kdiag_finding* to_c(const Finding& finding) { return reinterpret_cast<const kdiag_finding*>(&finding); }
const Finding& from_c(const kdiag_finding* finding) { return *reinterpret_cast<const Finding*>(finding); }

std::int64_t or_absent(const std::optional<std::int64_t>& value) { return value.value_or(KDIAG_ABSENT_INTEGER); }

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

kdiag_evidence scalar_evidence(const ValueEntry& entry) {
  kdiag_evidence out{};
  out.unit = string_of(entry.unit);
  out.text = string_of({});
  out.type = KDIAG_EVIDENCE_UNKNOWN;
  out.number = not_a_number;
  out.integer = KDIAG_ABSENT_INTEGER;
  out.since_start_ns = or_absent(entry.since_start_ns);
  if (const auto* truth = std::get_if<bool>(&entry.value)) {
    out.type = KDIAG_VALUE_BOOLEAN;
    out.boolean = *truth ? 1 : 0;
  } else if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
    out.type = KDIAG_VALUE_NUMBER;
    out.integer = *integer;
    out.number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&entry.value)) {
    out.type = KDIAG_VALUE_NUMBER;
    out.number = *real;
  } else if (const auto* text = std::get_if<std::string>(&entry.value)) {
    out.type = KDIAG_VALUE_TEXT;
    out.text = string_of(*text);
  }
  return out;
}

DiagnoseOptions diagnose_options(const kdiag_context& context, unsigned threads, const kdiag_facts* baseline) {
  return {.threads = threads, .cancel = &context.stop, .baseline = baseline_in(baseline)};
}

/// Gives a report to the caller, one of a call that was stopped only where that is wanted.
kdiag_status give_report(kdiag_context& context, Report made, bool keep_partial, kdiag_report** report) {
  auto handle = std::make_unique<kdiag_report>(std::move(made));
  const bool partial = context.stop;
  if (!partial || keep_partial) *report = handle.release();
  return partial ? stopped(context) : KDIAG_OK;
}

/// The name of an enumerator by its number; "" for what is none.
template <class Enum>
const char* name_by_number(int number, Enum last) {
  return number < 0 || number > static_cast<int>(last) ? "" : name_of(static_cast<Enum>(number)).data();
}

const DeviceEntry* device_at(const Report& report, std::size_t index, const RunEntry** run) {
  for (const RunEntry& entry : report.runs) {
    *run = &entry;
    if (index < entry.devices.size()) return &entry.devices[index];
    index -= entry.devices.size();
  }
  return nullptr;
}

}  // namespace

kdiag_status kdiag_diagnose(kdiag_context* context, const kdiag_facts* facts, const kdiag_facts* baseline,
                            const kdiag_rules* rules, const kdiag_diagnose_options* options, kdiag_report** report) {
  if (report != nullptr) *report = nullptr;
  return guarded(context, [&]() -> kdiag_status {
    require(facts != nullptr && rules != nullptr && report != nullptr,
            "facts, rules or the place for the report is NULL");
    const kdiag_diagnose_options given = read_options(options);
    DiagnoseOptions chosen = diagnose_options(*context, context->threads, baseline);
    chosen.timings = given.timings != 0;
    if (given.policy != nullptr) chosen.policy = &given.policy->policy;
    Report made = diagnose(facts->facts, rules->rules, chosen);
    return give_report(*context, std::move(made), given.keep_partial != 0, report);
  });
}

kdiag_status kdiag_compare(kdiag_context* context, const kdiag_facts* normal, const kdiag_facts* abnormal,
                           const kdiag_rules* rules, const kdiag_compare_options* options, kdiag_report** report) {
  if (report != nullptr) *report = nullptr;
  return guarded(context, [&]() -> kdiag_status {
    require(normal != nullptr && abnormal != nullptr && rules != nullptr && report != nullptr,
            "a side, the rules or the place for the report is NULL");
    const kdiag_compare_options given = read_options(options);
    CompareOptions chosen{.threads = context->threads, .cancel = &context->stop, .timings = given.timings != 0};
    if (given.anchor != nullptr) chosen.anchor = given.anchor;
    if (given.changes > 0) chosen.changes = given.changes;
    if (given.policy != nullptr) chosen.policy = &given.policy->policy;
    if (given.samples != nullptr) chosen.per = {given.samples, given.samples_normal, given.samples_abnormal};
    Result<Report> compared = compare({normal->facts, abnormal->facts}, rules->rules, chosen);
    if (!compared) return fail(*context, std::move(compared.error()));
    return give_report(*context, std::move(*compared), given.keep_partial != 0, report);
  });
}
void kdiag_report_free(kdiag_report* report) { delete report; }

int kdiag_report_verdict(const kdiag_report* report) {
  if (report == nullptr || !report->report.comparison) return KDIAG_VERDICT_NONE;
  switch (report->report.comparison->verdict) {
    case Verdict::regression: return KDIAG_VERDICT_REGRESSION;
    case Verdict::improvement: return KDIAG_VERDICT_IMPROVEMENT;
    case Verdict::neutral: return KDIAG_VERDICT_NEUTRAL;
    case Verdict::inconclusive: return KDIAG_VERDICT_INCONCLUSIVE;
  }
  return KDIAG_VERDICT_NONE;
}

const char* kdiag_verdict_name(int verdict) {
  return name_by_number(verdict - KDIAG_VERDICT_REGRESSION, Verdict::inconclusive);  // both in one order
}
const char* kdiag_severity_name(int severity) { return name_by_number(severity, Severity::critical); }
const char* kdiag_outcome_name(int outcome) { return name_by_number(outcome, Outcome::not_applicable); }

const char* kdiag_report_json(const kdiag_report* report, size_t* size) {
  return rendered(report, kdiag_report::json, size, [](const Report& made) { return to_json(made); });
}
const char* kdiag_report_markdown(const kdiag_report* report, size_t* size) {
  return rendered(report, kdiag_report::markdown, size, [](const Report& made) { return to_markdown(made); });
}
const char* kdiag_report_sarif(const kdiag_report* report, size_t* size) {
  return rendered(report, kdiag_report::sarif, size, [](const Report& made) { return to_sarif(made); });
}
const char* kdiag_report_text(const kdiag_report* report, size_t* size) {
  return rendered(report, kdiag_report::text, size, [](const Report& made) { return to_text(made); });
}
kdiag_status kdiag_report_format(kdiag_context* context, const kdiag_report* report, const kdiag_text_options* options,
                                 kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    require(report != nullptr, "the report is NULL");
    const kdiag_text_options given = read_options(options);
    TextOptions out;
    out.color = given.color != 0;
    out.all = given.all != 0;
    if (given.width > 0) out.width = given.width;
    out.whole_comparison = given.verdict_only == 0;
    if (given.changes > 0) out.changes = given.changes;
    return to_text(report->report, out);
  });
}

kdiag_status kdiag_report_html(kdiag_context* context, const kdiag_report* report, const kdiag_facts* facts,
                               const kdiag_facts* baseline, kdiag_text** html) {
  if (html != nullptr) *html = nullptr;
  return guarded(context, [&]() -> kdiag_status {
    require(report != nullptr && html != nullptr, "the report or the place for the page is NULL");
    std::string page = to_html(
        report->report, {.facts = baseline_in(facts), .baseline = baseline_in(baseline), .cancel = &context->stop});
    if (page.empty()) return stopped(*context);
    *html = new kdiag_text{std::move(page)};  // NOLINT(bugprone-unhandled-exception-at-new): guarded() catches it
    return KDIAG_OK;
  });
}

kdiag_status kdiag_report_plan(kdiag_context* context, const kdiag_report* report, kdiag_text** plan) {
  if (plan != nullptr) *plan = nullptr;
  return guarded(context, [&]() -> kdiag_status {
    require(report != nullptr && plan != nullptr, "the report or the place for the plan is NULL");
    std::string document = plan_json(report->report, &context->stop);
    if (document.empty()) return stopped(*context);
    *plan = new kdiag_text{std::move(document)};  // NOLINT(bugprone-unhandled-exception-at-new): guarded() catches it
    return KDIAG_OK;
  });
}

kdiag_status kdiag_report_tally(const kdiag_report* report, kdiag_tally* out) {
  if (report == nullptr) return KDIAG_ERROR_ARGUMENT;
  const Tally& counts = report->report.tally;
  kdiag_tally tally{};
  tally.fired = counts.fired;
  tally.clear = counts.clear;
  tally.not_applicable = counts.not_applicable;
  tally.inconclusive = counts.inconclusive;
  tally.failed = counts.failed;
  return write_info(tally, out);
}

size_t kdiag_report_device_count(const kdiag_report* report) {
  std::size_t count = 0;
  if (report != nullptr)
    for (const RunEntry& run : report->report.runs) count += run.devices.size();
  return count;
}

kdiag_status kdiag_report_device(const kdiag_report* report, size_t index, kdiag_device_info* out) {
  const RunEntry* run = nullptr;
  const DeviceEntry* device = report == nullptr ? nullptr : device_at(report->report, index, &run);
  if (device == nullptr) return KDIAG_ERROR_ARGUMENT;
  kdiag_device_info info{};
  info.run = string_of(run->id);
  info.id = device->id;
  info.rank = or_absent(device->rank);
  info.name = string_of(device->name);
  info.vendor = string_of(device->vendor);
  info.kind = string_of(device->kind);
  return write_info(info, out);
}

// --- Findings -------------------------------------------------------------------------------------------------------

size_t kdiag_report_finding_count(const kdiag_report* report) {
  return report == nullptr ? 0 : report->report.findings.size();
}
const kdiag_finding* kdiag_report_finding(const kdiag_report* report, size_t index) {
  return index < kdiag_report_finding_count(report) ? to_c(report->report.findings[index]) : nullptr;
}
const kdiag_finding* kdiag_finding_symptom(const kdiag_finding* finding, size_t index) {
  return finding != nullptr && index < from_c(finding).symptoms.size() ? to_c(from_c(finding).symptoms[index])
                                                                       : nullptr;
}

kdiag_status kdiag_finding_get(const kdiag_finding* handle, kdiag_finding_info* out) {
  if (handle == nullptr) return KDIAG_ERROR_ARGUMENT;
  const Finding& finding = from_c(handle);
  kdiag_finding_info info{};
  info.severity = static_cast<int>(finding.severity);
  info.rank = finding.rank;
  info.run = string_of(finding.run);
  info.rule = string_of(finding.rule);
  info.title = string_of(finding.title);
  info.message = string_of(finding.message);
  info.fingerprint = string_of(finding.fingerprint);
  info.subject_kind = string_of(finding.subject.kind);
  info.subject_id = string_of(finding.subject.id);
  info.subject_label = string_of(finding.subject.label);
  info.impact_ns = or_absent(finding.impact_ns);
  info.impact_low_ns = or_absent(finding.impact_low_ns);
  info.gain_low_ns = finding.gain ? or_absent(finding.gain->low_ns) : KDIAG_ABSENT_INTEGER;
  info.gain_high_ns = finding.gain ? or_absent(finding.gain->high_ns) : KDIAG_ABSENT_INTEGER;
  info.impact_share = finding.impact_share.value_or(not_a_number);
  info.confidence = finding.confidence.value;
  info.file = string_of(finding.location ? finding.location->file : std::string_view{});
  info.function = string_of(finding.location ? finding.location->function : std::string_view{});
  info.line = finding.location ? or_absent(finding.location->line) : KDIAG_ABSENT_INTEGER;
  info.recommendations = finding.recommendations.size();
  info.symptoms = finding.symptoms.size();
  info.evidence = finding.evidence.size();
  return write_info(info, out);
}

kdiag_status kdiag_finding_recommendation(const kdiag_finding* finding, size_t index, kdiag_recommendation* out) {
  if (finding == nullptr) return KDIAG_ERROR_ARGUMENT;
  return write_element(from_c(finding).recommendations, index, out,
                       [](kdiag_recommendation& info, const RecommendationEntry& entry) {
                         info.text = string_of(entry.text);
                         info.where = string_of(entry.where);
                         info.risk = string_of(entry.risk);
                         info.verify = string_of(entry.verify);
                         info.url = string_of(entry.url);
                       });
}

kdiag_status kdiag_finding_evidence(const kdiag_finding* finding, size_t index, kdiag_evidence* out) {
  if (finding == nullptr || index >= from_c(finding).evidence.size()) return KDIAG_ERROR_ARGUMENT;
  const auto& [name, entry] = from_c(finding).evidence[index];
  const auto* value = std::get_if<ValueEntry>(&entry);
  static const ValueEntry no_value;
  kdiag_evidence info = scalar_evidence(value == nullptr ? no_value : *value);
  if (value == nullptr) info.type = KDIAG_EVIDENCE_ROWS;
  info.name = string_of(name);
  return write_info(info, out);
}

// --- Outcomes -------------------------------------------------------------------------------------------------------

size_t kdiag_report_outcome_count(const kdiag_report* report) {
  return report == nullptr ? 0 : report->report.outcomes.size();
}

kdiag_status kdiag_report_outcome(const kdiag_report* report, size_t index, kdiag_outcome* out) {
  if (report == nullptr) return KDIAG_ERROR_ARGUMENT;
  return write_element(report->report.outcomes, index, out, [](kdiag_outcome& info, const OutcomeEntry& entry) {
    info.outcome = static_cast<int>(entry.outcome);
    info.run = string_of(entry.run);
    info.rule = string_of(entry.rule);
    info.subject_kind = string_of(entry.subject.kind);
    info.subject_id = string_of(entry.subject.id);
    info.subject_label = string_of(entry.subject.label);
    info.reason = string_of(entry.reason);
    info.nearest = string_of(entry.nearest);
    info.missing = entry.missing.size();
  });
}

kdiag_status kdiag_report_missing(const kdiag_report* report, size_t outcome, size_t index, kdiag_string* fact,
                                  kdiag_string* how_to_record) {
  if (outcome >= kdiag_report_outcome_count(report)) return KDIAG_ERROR_ARGUMENT;
  const std::vector<MissingEntry>& missing = report->report.outcomes[outcome].missing;
  if (index >= missing.size()) return KDIAG_ERROR_ARGUMENT;
  if (fact != nullptr) *fact = string_of(missing[index].fact);
  if (how_to_record != nullptr) *how_to_record = string_of(missing[index].how_to_record);
  return KDIAG_OK;
}

// --- Questions ------------------------------------------------------------------------------------------------------

kdiag_status kdiag_explain(kdiag_context* context, const kdiag_facts* facts, const kdiag_facts* baseline,
                           const kdiag_rules* rules, const char* rule, kdiag_text** text) {
  return make_handle(context, text, [&] {
    return explain(facts_in(facts), rules_in(rules), required_name(rule), diagnose_options(*context, 1, baseline));
  });
}

kdiag_status kdiag_query(kdiag_context* context, const kdiag_facts* facts, const kdiag_facts* baseline,
                         const kdiag_rules* rules, const char* expression, kdiag_answer** answer) {
  return kdiag_query_with(context, facts, baseline, rules, expression, nullptr, answer);
}
kdiag_status kdiag_query_with(kdiag_context* context, const kdiag_facts* facts, const kdiag_facts* baseline,
                              const kdiag_rules* rules, const char* expression, const kdiag_query_options* options,
                              kdiag_answer** answer) {
  return make_handle(context, answer, [&]() -> Result<QueryAnswer> {
    const kdiag_query_options given = read_options(options);
    QueryOptions chosen;
    if (given.width > 0) chosen.width = given.width;
    if (given.max_rows > 0) chosen.max_rows = given.max_rows;
    constexpr std::uint32_t all = KDIAG_ANSWER_TEXT | KDIAG_ANSWER_JSON | KDIAG_ANSWER_CSV;
    if ((given.texts & ~all) != 0) throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "an answer has no such text"};
    const std::uint32_t texts = given.texts == 0 ? all : given.texts;
    chosen.text = (texts & KDIAG_ANSWER_TEXT) != 0;
    chosen.json = (texts & KDIAG_ANSWER_JSON) != 0;
    chosen.csv = (texts & KDIAG_ANSWER_CSV) != 0;
    chosen.cancel = &context->stop;
    chosen.baseline = baseline_in(baseline);
    const Facts& asked = facts_in(facts);
    if (rules != nullptr) return query(asked, rules->rules, required_name(expression), chosen);
    RuleOptions builtin;
    builtin.cancel = &context->stop;
    const Result<RuleSet> library = builtin_rules(builtin);
    if (!library) return library.error();
    return query(asked, *library, required_name(expression), chosen);
  });
}
const char* kdiag_answer_text(const kdiag_answer* answer, size_t* size) {
  return answer == nullptr ? nullptr : text_out(answer->answer.text, size);
}
const char* kdiag_answer_json(const kdiag_answer* answer, size_t* size) {
  return answer == nullptr ? nullptr : text_out(answer->answer.json, size);
}
const char* kdiag_answer_csv(const kdiag_answer* answer, size_t* size) {
  return answer == nullptr ? nullptr : text_out(answer->answer.csv, size);
}
int kdiag_answer_unknown(const kdiag_answer* answer) { return answer != nullptr && answer->answer.unknown ? 1 : 0; }
void kdiag_answer_free(kdiag_answer* answer) { delete answer; }
