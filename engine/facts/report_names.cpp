// SPDX-License-Identifier: Apache-2.0
// The words for severities, outcomes and verdicts, as rules, reports and options spell them.
#include <kdiag/compare.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info: return "info";
    case Severity::low: return "low";
    case Severity::medium: return "medium";
    case Severity::high: return "high";
    case Severity::critical: return "critical";
  }
  return "info";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::failed: return "failed";
    case Outcome::fired: return "fired";
    case Outcome::inconclusive: return "inconclusive";
    case Outcome::clear: return "clear";
    case Outcome::not_applicable: return "not_applicable";
  }
  return "not_applicable";
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regression: return "regression";
    case Verdict::improvement: return "improvement";
    case Verdict::neutral: return "neutral";
    case Verdict::inconclusive: return "inconclusive";
  }
  return "inconclusive";
}

std::optional<Severity> severity_of(const Comparison& comparison) {
  if (comparison.verdict != Verdict::regression || !comparison.cycle.change) return std::nullopt;
  const double change = *comparison.cycle.change;
  return change >= 0.4   ? Severity::critical
         : change >= 0.2 ? Severity::high
         : change >= 0.1 ? Severity::medium
                         : Severity::low;
}

}  // namespace kdiag
