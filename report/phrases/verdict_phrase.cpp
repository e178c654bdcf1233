// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/verdict_phrase.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

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

using Entries = std::vector<const LedgerEntry*>;

/// The devices that worked, as far as the account has shares of the wall.
Entries working(const RunView& view) {
  Entries entries;
  for (const LedgerEntry* entry : view.ledger)
    if (entry->basis != LedgerBasis::serial && !is_unused(*entry)) entries.push_back(entry);
  return entries;
}

/// The share of the wall in which each device worked.
Busy busy_of(const Entries& entries) {
  Busy busy;
  for (const LedgerEntry* entry : entries) {
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

/// What the devices did beside computing, where that is most of it: " (copy 96.9 %, compute 0.312 %)".
std::string work_phrase(const Entries& entries) {
  struct Work {
    LedgerLine line;
    double low = 1, high = 0, sum = 0;
    std::size_t devices = 0;
  };
  std::map<std::string, Work> by_name;
  double all = 0;
  for (const LedgerEntry* entry : entries)
    for (const LedgerLine& line : entry->lines) {
      if (is_idle(line) || !line.share) continue;
      Work& work = by_name[line.name];
      work.line = line;
      work.low = std::min(work.low, *line.share);
      work.high = std::max(work.high, *line.share);
      work.sum += *line.share;
      ++work.devices;
      all += *line.share;
    }
  const auto computing = by_name.find("compute");
  if (computing == by_name.end() || 2 * computing->second.sum >= all) return {};
  std::vector<Work> works;
  for (const auto& [name, work] : by_name)
    if (name == "compute" || work.sum > little * all) works.push_back(work);
  std::stable_sort(works.begin(), works.end(), [](const Work& a, const Work& b) { return a.sum > b.sum; });
  std::vector<std::string> parts;
  for (const Work& work : works)
    parts.push_back(ledger_name(work.line) + " " +
                    format_share_range(work.devices < entries.size() ? 0 : work.low, work.high));
  return " (" + join(parts, ", ") + ")";
}

}  // namespace

std::string state_phrase(const RunView& view) {
  const Entries entries = working(view);
  const Busy busy = busy_of(entries);
  if (busy.devices == 0) return {};
  const std::string kind = device_kind(view), share = format_share_range(busy.low, busy.high);
  const bool exact = busy.all_known || busy.low >= 1 || share.starts_with('>');
  return (busy.devices == 1 ? kind : counted(busy.devices, kind)) + " busy " + (exact ? "" : "at least ") + share +
         " of the time" + work_phrase(entries) + ". ";
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
