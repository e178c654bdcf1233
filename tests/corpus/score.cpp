// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/score.hpp"

#include <algorithm>
#include <cstdio>

namespace kdiag::corpus {
namespace {

constexpr double least_precision = 0.95;
constexpr double least_recall = 0.95;
constexpr double least_first = 0.90;

void note(std::map<std::string, Severity>& worst, const Finding& finding) {
  const auto [at, added] = worst.try_emplace(finding.rule, finding.severity);
  if (!added) at->second = std::max(at->second, finding.severity);
}

void collect(const Finding& finding, Said& said) {
  note(said.worst, finding);
  for (const Finding& symptom : finding.symptoms) collect(symptom, said);
}

}  // namespace

void Score::right(const std::string& rule) {
  ++rules[rule].right;
  ++all.right;
}

void Score::right_low(const std::string& rule) {
  ++rules[rule].right_low;
  ++all.right_low;
}

void Score::wrong(const std::string& rule) {
  ++rules[rule].wrong;
  ++all.wrong;
}

void Score::missed(const std::string& rule) {
  ++rules[rule].missed;
  ++all.missed;
}

void Score::placed(const std::string& rule, bool first) {
  for (Counts* counts : {&rules[rule], &all}) {
    ++counts->alone;
    if (first) ++counts->first;
  }
}

void Score::print() const {
  const bool low = all.right_low > 0;  // where low findings were judged
  std::printf("| rule | precision | recall | named first | right |%s wrong | missed |\n", low ? " low |" : "");
  std::printf("|---|---|---|---|---|%s---|---|\n", low ? "---|" : "");
  const auto line = [low](const std::string& name, const Counts& c) {
    const std::string first =
        c.alone == 0 ? std::string("-") : std::to_string(c.first) + " of " + std::to_string(c.alone);
    std::printf("| %s | %.1f %% | %.1f %% | %s | %d |%s %d | %d |\n", name.c_str(), c.precision() * 100,
                c.recall() * 100, first.c_str(), c.right, low ? (" " + std::to_string(c.right_low) + " |").c_str() : "",
                c.wrong, c.missed);
  };
  for (const auto& [rule, counts] : rules) line("`" + rule + "`", counts);
  line("all", all);
  std::printf("\nThe fault, or one of several, is named first in %d of %d runs (%.1f %%).\n", named_first, faulty,
              100.0 * named_first / std::max(1, faulty));
  std::printf("Findings above low in healthy runs: %d of %d runs.\n", alarmed, healthy);
  if (no_profile > 0) std::printf("Inputs that hold no profile, and are refused: %d of %d.\n", refused, no_profile);
}

bool Score::good_enough() const {
  return all.precision() >= least_precision && all.recall() >= least_recall && named_first >= least_first * faulty &&
         alarmed == 0 && refused == no_profile;
}

bool Said::above_low(const std::string& rule) const {
  const auto found = worst.find(rule);
  return found != worst.end() && found->second >= Severity::medium;
}

Said said_in(const Report& report) {
  Said said;
  for (const Finding& finding : report.findings) {
    if (said.worst.empty()) said.first = finding.rule;
    collect(finding, said);
    note(said.top, finding);
  }
  return said;
}

}  // namespace kdiag::corpus
