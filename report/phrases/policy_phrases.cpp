// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/policy_phrases.hpp"

#include <cstddef>

#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

std::string waiver_phrase(const WaiverEntry& waiver) {
  const WaivedEntry& details = waiver.details;
  std::string phrase = details.place + " " + waiver.waives + ": ";
  if (waiver.state == WaiverState::unused) return phrase + "waives nothing that was found";
  phrase += "expired on " + details.until;
  if (!details.owner.empty()) phrase += " (" + details.owner + ")";
  if (waiver.findings == 0) return phrase + ", and waives nothing that was found";
  return phrase + ", " + counted(waiver.findings, "finding") + (waiver.findings == 1 ? " counts" : " count") + " again";
}

std::string vanished_phrase(const VanishedEntry& gone) {
  const std::string what = gone.rule + ": " + gone.title;
  if (!gone.now) return "cannot tell, its rule was not judged: " + what;
  switch (*gone.now) {
    case Outcome::failed: return "cannot tell, its rule failed: " + what;
    case Outcome::inconclusive: return "cannot tell, data is missing: " + what;
    case Outcome::fired: return "gone, the rule found something else: " + what;
    case Outcome::clear:
    case Outcome::not_applicable: break;
  }
  return "gone: " + what;
}

}  // namespace

std::string waived_phrase(const WaivedEntry& waived) {
  std::string phrase;
  if (!waived.owner.empty()) phrase += "by " + waived.owner;
  if (!waived.until.empty()) phrase += std::string(phrase.empty() ? "" : " ") + "until " + waived.until;
  if (!waived.reason.empty()) phrase += std::string(phrase.empty() ? "" : ": ") + waived.reason;
  return phrase + (phrase.empty() ? "" : " ") + "(" + waived.place + ")";
}

std::string known_word(const Finding& finding) {
  if (!finding.known) return {};
  if (finding.known_severity) return "was " + std::string(name_of(*finding.known_severity));
  return *finding.known ? "known" : "new";
}

std::string waived_findings_phrase(const RunView& view) {
  if (view.waived.empty()) return {};
  std::vector<std::string> rules;
  for (const Finding* finding : view.waived)
    rules.push_back(finding->rule + " (" + std::string(name_of(finding->severity)) + ")");
  return counted(rules.size(), "finding") + (rules.size() == 1 ? " is" : " are") + " accepted: " + join(rules, ", ");
}

std::vector<std::string> waiver_phrases(const Report& report) {
  std::vector<std::string> phrases;
  for (const WaiverEntry& waiver : report.waivers)
    if (waiver.state != WaiverState::used) phrases.push_back(waiver_phrase(waiver));
  return phrases;
}

std::vector<std::string> known_phrases(const Report& report) {
  if (!report.known) return {};
  const KnownEntry& known = *report.known;
  std::vector<std::string> phrases = {counted(known.known, "finding") + (known.known == 1 ? " is" : " are") + " in " +
                                      known.file + ", " + std::to_string(known.fresh) +
                                      (known.fresh == 1 ? " is new" : " are new")};
  for (const VanishedEntry& gone : known.vanished) phrases.push_back(vanished_phrase(gone));
  return phrases;
}

}  // namespace kdiag::report
