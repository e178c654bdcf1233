// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/verdict_phrase.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <cmath>

#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

struct Busy {
  double low = 1, high = 0;
  bool all_known = true;  ///< whether no device may have worked longer
  std::size_t devices = 0;
};

// Of less the account speaks as of nothing (judgement).
constexpr double little = 0.01;

/// The share of the wall in which each device worked, as far as the account has one.
Busy busy_of(const RunView& view) {
  Busy busy;
  for (const LedgerEntry* entry : view.ledger) {
    if (entry->basis == LedgerBasis::serial || is_unused(*entry)) continue;
    if (entry->cut) busy.all_known = false;
    double low = 0;
    double high = 0;
    for (const LedgerLine& line : entry->lines) {
      if (line.name == "idle.unknown" && line.share.value_or(0) > little) busy.all_known = false;
      if (is_idle(line) || !line.share || line.ns <= 0) continue;
      low += *line.share * static_cast<double>(line.low_ns) / static_cast<double>(line.ns);
      high += *line.share;
    }
    busy.low = std::min(busy.low, low);
    busy.high = std::max(busy.high, high);
    ++busy.devices;
  }
  return busy;
}

}  // namespace

std::string state_phrase(const RunView& view) {
  const Busy busy = busy_of(view);
  if (busy.devices == 0) return {};
  const std::string kind = device_kind(view), share = format_share_range(busy.low, busy.high);
  const bool exact = busy.all_known || busy.low >= 1 || share.starts_with('>');
  return (busy.devices == 1 ? kind : counted(busy.devices, kind)) + " busy " + (exact ? "" : "at least ") + share +
         " of the time. ";
}

std::string verdict_phrase(const RunView& view) {
  if (judged_nothing(view)) return {};
  const std::string state = state_phrase(view);
  if (view.findings.empty() && !view.waived.empty())
    return state + "Nothing but " + counted(view.waived.size(), "accepted finding") + ".";
  if (view.findings.empty()) return state + clean_phrase(view);
  const auto first = std::find_if(view.findings.begin(), view.findings.end(),
                                  [](const Finding* finding) { return finding->severity >= Severity::medium; });
  const bool grave = first != view.findings.end();
  const Finding& finding = grave ? **first : *view.findings.front();
  std::string cause = (grave ? "" : "Only minor findings. ") + severity_word(finding.severity) + ": ";
  cause += finding.title;
  const bool says_share = finding.title.find('%') != std::string::npos;
  if (const std::string share = impact_share_phrase(finding); !says_share && !share.empty())
    cause += " (" + share + ")";
  return state + cause + ".";
}

}  // namespace kdiag::report
