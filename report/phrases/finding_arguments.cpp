// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/finding_arguments.hpp"

#include <algorithm>
#include <iterator>

#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view advice_names[] = {"do", "do 2", "do 3", "do 4", "do 5"};

void add_with_symptoms(std::vector<const Finding*>& out, const Finding& finding) {
  out.push_back(&finding);
  for (const Finding& symptom : finding.symptoms) add_with_symptoms(out, symptom);
}

}  // namespace

std::string finding_lane(const Finding& finding) {
  return std::to_string(finding.rank) + " " + severity_word(finding.severity) + " " + finding.rule;
}

std::vector<std::pair<std::string_view, std::string>> finding_arguments(const RunView& view, const Finding& finding) {
  std::vector<std::pair<std::string_view, std::string>> out;
  const auto add = [&out](std::string_view name, std::string text) {
    if (!text.empty()) out.emplace_back(name, std::move(text));
  };
  add("rule", finding.rule);
  add("severity", std::string(name_of(finding.severity)));
  add("subject", finding.subject.label);
  add("impact", impact_phrase(view, finding));
  add("gain", gain_phrase(view, finding));
  add("confidence", confidence_phrase(finding.confidence));
  add("message", finding.message);
  if (finding.location) add("at", location_phrase(*finding.location));
  const std::size_t advices = std::min(finding.recommendations.size(), std::size(advice_names));
  for (std::size_t i = 0; i < advices; ++i) add(advice_names[i], finding.recommendations[i].text);
  if (const ShownTime shown = shown_time(finding); shown.total > shown.intervals.size())
    add("shown", std::to_string(shown.intervals.size()) + " of " + std::to_string(shown.total) + " intervals");
  return out;
}

ShownTime shown_time(const Finding& finding) {
  if (!finding.intervals.empty()) return {finding.intervals, finding.intervals_total};
  return {finding.evidence_intervals, finding.evidence_intervals_total};
}

std::vector<std::pair<std::int64_t, std::int64_t>> shown_intervals(
    const Finding& finding, const std::optional<std::pair<std::int64_t, std::int64_t>>& judged) {
  const ShownTime shown = shown_time(finding);
  if (!shown.intervals.empty() || !judged) return shown.intervals;
  return {*judged};
}

std::vector<const Finding*> with_symptoms(const std::vector<const Finding*>& findings) {
  std::vector<const Finding*> out;
  for (const Finding* finding : findings) add_with_symptoms(out, *finding);
  return out;
}

}  // namespace kdiag::report
