// SPDX-License-Identifier: Apache-2.0
// Gates and rules as JUnit XML.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

#include "report/junit_xml.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/policy_phrases.hpp"
#include "report/phrases/run_view.hpp"
#include "report/phrases/stop_check.hpp"

namespace kdiag {
namespace {

using report::JunitCounts;
using report::RunView;
using report::xml_attribute;

/// A suite that grows case by case.
class Suite {
 public:
  explicit Suite(std::string name) : name_(std::move(name)) {}

  /// `element`: what a case holds, such as a failure; empty of one that passed without a word.
  void add(std::string_view group, std::string_view name, const std::string& element) {
    ++counts_.tests;
    cases_ += "    <testcase" + xml_attribute("classname", group) + xml_attribute("name", name) +
              (element.empty() ? "/>\n" : ">\n      " + element + "\n    </testcase>\n");
  }
  std::string failure(std::string_view type, std::string_view message, std::string_view details) {
    ++counts_.failures;
    return told("failure", type, message, details);
  }
  std::string error(std::string_view type, std::string_view message) {
    ++counts_.errors;
    return told("error", type, message, {});
  }
  std::string skipped(std::string_view message) {
    ++counts_.skipped;
    return "<skipped" + xml_attribute("message", message) + "/>";
  }
  static std::string output(std::string_view text) { return "<system-out>" + xml(flowing(text)) + "</system-out>"; }

  const JunitCounts& counts() const { return counts_; }
  std::string text() const {
    return "  <testsuite" + xml_attribute("name", name_) + counts_.attributes() + ">\n" + cases_ + "  </testsuite>\n";
  }

 private:
  static std::string told(std::string_view element, std::string_view type, std::string_view message,
                          std::string_view details) {
    return "<" + std::string(element) + xml_attribute("type", type) + xml_attribute("message", message) +
           (details.empty() ? "/>" : ">" + xml(details) + "</" + std::string(element) + ">");
  }

  std::string name_, cases_;
  JunitCounts counts_;
};

Suite suite_of_gates(const Report& report) {
  Suite suite("gates");
  for (const GateEntry& gate : report.gates) {
    const bool strictness = gate.condition == "--strict";
    std::string element = Suite::output(gate.reason);
    if (gate.outcome == GateOutcome::failed) element = suite.failure("gate", gate.reason, {});
    else if (gate.outcome == GateOutcome::invalid) element = suite.error("gate", gate.reason);
    else if (gate.outcome == GateOutcome::inconclusive)
      element = strictness ? suite.failure("inconclusive", gate.reason, {}) : suite.skipped(gate.reason);
    suite.add("kdiag.gate", gate.condition, element);
  }
  return suite;
}

/// What a finding says, in lines: message and advice.
std::string details_of(const Finding& finding) {
  std::string text = finding.message + "\n";
  for (const RecommendationEntry& advice : finding.recommendations) text += "Do: " + advice.text + "\n";
  return text;
}

void add_findings(std::map<std::string_view, const Finding*>& by_rule, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    by_rule.emplace(finding.rule, &finding);
    add_findings(by_rule, finding.symptoms);
  }
}

/// A rule has one case, whatever the number of its subjects: the first that occurred in the order of the tally.
std::vector<const OutcomeEntry*> outcome_by_rule(const RunView& view) {
  std::vector<const OutcomeEntry*> outcomes;
  std::map<std::string_view, std::size_t> places;
  for (const OutcomeEntry* entry : view.outcomes) {
    const auto [place, added] = places.emplace(entry->rule, outcomes.size());
    if (added) outcomes.push_back(entry);
    else if (entry->outcome < outcomes[place->second]->outcome) outcomes[place->second] = entry;
  }
  return outcomes;
}

Suite suite_of_run(const RunView& view, const std::set<std::string_view>& failing) {
  Suite suite("run " + view.run->id + (view.run->label.empty() ? "" : ": " + view.run->label));
  std::map<std::string_view, const Finding*> findings;
  for (const auto* some : {&view.findings, &view.waived})
    for (const Finding* finding : *some) {
      findings.emplace(finding->rule, finding);
      add_findings(findings, finding->symptoms);
    }
  for (const OutcomeEntry* entry : outcome_by_rule(view)) {
    const auto found = findings.find(entry->rule);
    const Finding* finding = found == findings.end() ? nullptr : found->second;
    std::string element;
    switch (entry->outcome) {
      case Outcome::failed: element = suite.error("rule", entry->reason); break;
      case Outcome::fired:
        if (finding == nullptr) break;
        if (failing.contains(entry->rule))
          element = suite.failure(name_of(finding->severity), finding->title, details_of(*finding));
        else if (finding->waived) element = suite.skipped("waived " + report::waived_phrase(*finding->waived));
        else element = Suite::output(std::string(name_of(finding->severity)) + ": " + finding->title);
        break;
      case Outcome::inconclusive: element = suite.skipped(report::missing_phrase(entry->missing, entry->reason)); break;
      case Outcome::clear: break;
      case Outcome::not_applicable: element = suite.skipped(entry->reason); break;
    }
    suite.add(entry->rule.substr(0, entry->rule.find('.')), entry->rule, element);
  }
  return suite;
}

std::string make_junit(const Report& report, CancelFlag stop) {
  std::set<std::string_view> failing;
  for (const GateEntry& gate : report.gates)
    if (gate.outcome == GateOutcome::failed) failing.insert(gate.rules.begin(), gate.rules.end());
  std::vector<Suite> suites;
  if (!report.gates.empty()) suites.push_back(suite_of_gates(report));
  for (const RunView& view : report::views_of(report, stop)) {
    stop_if(stop);
    if (!report::judged_nothing(view)) suites.push_back(suite_of_run(view, failing));
  }
  JunitCounts all;
  for (const Suite& suite : suites) all += suite.counts();
  std::string out =
      std::string(report::xml_declaration) + "<testsuites" + xml_attribute("name", "kdiag") + all.attributes() + ">\n";
  for (const Suite& suite : suites) out += suite.text();
  return out + "</testsuites>\n";
}

}  // namespace

std::string to_junit(const Report& report, const std::atomic<bool>* cancel) {
  return report::unless_interrupted([&] { return make_junit(report, cancel); });
}

}  // namespace kdiag
