// SPDX-License-Identifier: Apache-2.0
#include "workshop/match_expectation.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <kdiag/format.hpp>

namespace kdiag {
namespace {

struct Placed {
  const Finding* finding;
  const Finding* cause;  ///< the finding that it stands beneath; null at the top
};

void collect(const std::vector<Finding>& findings, const Finding* cause, std::vector<Placed>& out) {
  for (const Finding& finding : findings) {
    out.push_back({&finding, cause});
    collect(finding.symptoms, &finding, out);
  }
}

std::string in_words(Outcome outcome) {
  return outcome == Outcome::not_applicable ? "not applicable" : std::string(name_of(outcome));
}

std::string duration(std::int64_t ns) { return format_duration(ns) + " (" + std::to_string(ns) + " ns)"; }

std::string labels(const Finding& finding) {
  std::string out = finding.subject.label;
  for (const AlsoEntry& also : finding.also) out += ", " + also.subject.label;
  return out;
}

class Matcher {
 public:
  Matcher(const Expectation& expect, const Report& report) : expect_(expect), report_(report) {
    collect(report.findings, nullptr, findings_);
  }

  std::vector<Mismatch> match(const std::function<bool(std::string_view)>& counts) {
    for (const ExpectedFinding& expected : expect_.findings) match(expected);
    for (const ExpectedOutcome& expected : expect_.outcomes) match(expected);
    if (expect_.only)
      for (const Placed& placed : findings_)
        if (counts(placed.finding->rule) && !is_expected(placed.finding->rule))
          out_.push_back({expect_.only_span, placed.finding->rule,
                          expect_.findings.empty() ? "no finding" : "no other finding",
                          placed.finding->rule + " fired: " + placed.finding->title});
    return std::move(out_);
  }

 private:
  bool is_expected(const std::string& rule) const {
    return std::any_of(expect_.findings.begin(), expect_.findings.end(),
                       [&](const ExpectedFinding& expected) { return expected.rule.rule == rule; });
  }

  /// How a rule ended, with what decided.
  std::string ending(const std::string& rule) const {
    const OutcomeEntry* first = nullptr;
    for (const OutcomeEntry& entry : report_.outcomes)
      if (entry.rule == rule && (first == nullptr || entry.outcome < first->outcome)) first = &entry;
    if (first == nullptr) return "nothing: the rule is disabled or deprecated";
    const std::string& detail = first->nearest.empty() ? first->reason : first->nearest;
    return in_words(first->outcome) + (detail.empty() ? "" : " (" + detail + ")");
  }

  std::optional<Outcome> outcome(const std::string& rule) const {
    std::optional<Outcome> out;
    for (const OutcomeEntry& entry : report_.outcomes)
      if (entry.rule == rule) out = std::min(out.value_or(entry.outcome), entry.outcome);
    return out;
  }

  void match(const ExpectedFinding& expected) {
    // A rule has one finding a run: with several runs, the one that comes nearest is compared.
    std::optional<std::vector<Mismatch>> nearest;
    for (const Placed& placed : findings_) {
      if (placed.finding->rule != expected.rule.rule) continue;
      std::vector<Mismatch> wrong = compare(expected, placed);
      if (!nearest || wrong.size() < nearest->size()) nearest = std::move(wrong);
    }
    if (!nearest)
      nearest = {{expected.rule.span, expected.rule.rule, expected.rule.rule + " fired", ending(expected.rule.rule)}};
    out_.insert(out_.end(), nearest->begin(), nearest->end());
  }

  static std::vector<Mismatch> compare(const ExpectedFinding& expected, const Placed& placed) {
    std::vector<Mismatch> out;
    const Finding& got = *placed.finding;
    const auto differs = [&](const std::string& wanted, std::string found) {
      out.push_back({expected.rule.span, expected.rule.rule, expected.rule.rule + " " + wanted, std::move(found)});
    };
    if (expected.severity && *expected.severity != got.severity)
      differs("with severity " + std::string(name_of(*expected.severity)), std::string(name_of(got.severity)));
    if (expected.impact &&
        (!got.impact_ns || *got.impact_ns < expected.impact->first || *got.impact_ns > expected.impact->second))
      differs("with an impact from " + duration(expected.impact->first) + " to " + duration(expected.impact->second),
              got.impact_ns ? duration(*got.impact_ns) : "no impact");
    if (expected.symptom_of && (placed.cause == nullptr || placed.cause->rule != expected.symptom_of->rule))
      differs("as a symptom of " + expected.symptom_of->rule,
              placed.cause == nullptr ? "a finding of its own" : "a symptom of " + placed.cause->rule);
    if (!expected.subject.empty() && !concerns(got, expected.subject)) differs("on " + expected.subject, labels(got));
    if (!expected.title.empty() && expected.title != got.title)
      differs("with the title '" + expected.title + "'", "'" + got.title + "'");
    return out;
  }

  static bool concerns(const Finding& finding, const std::string& subject) {
    const auto named = [&](const SubjectEntry& entry) { return entry.label == subject || entry.id == subject; };
    return named(finding.subject) || std::any_of(finding.also.begin(), finding.also.end(),
                                                 [&](const AlsoEntry& also) { return named(also.subject); });
  }

  void match(const ExpectedOutcome& expected) {
    const std::string& rule = expected.rule.rule;
    const auto got = outcome(rule);
    if (got != expected.outcome) {
      out_.push_back({expected.rule.span, rule, rule + " " + in_words(expected.outcome), ending(rule)});
      return;
    }
    std::vector<std::string> missing;
    for (const OutcomeEntry& entry : report_.outcomes)
      if (entry.rule == rule)
        for (const MissingEntry& fact : entry.missing) missing.push_back(fact.fact);
    std::string listed;
    for (const std::string& fact : missing) listed += (listed.empty() ? "" : ", ") + fact;
    for (const Reference& fact : expected.missing)
      if (std::find(missing.begin(), missing.end(), fact.rule) == missing.end())
        out_.push_back({fact.span, rule, rule + " missing " + fact.rule,
                        listed.empty() ? "no missing fact" : "missing " + listed});
  }

  const Expectation& expect_;
  const Report& report_;
  std::vector<Placed> findings_;
  std::vector<Mismatch> out_;
};

}  // namespace

std::vector<Mismatch> match_expectation(const Expectation& expect, const Report& report,
                                        const std::function<bool(std::string_view rule)>& counts) {
  return Matcher(expect, report).match(counts);
}

}  // namespace kdiag
