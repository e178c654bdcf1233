// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/ledger_phrases.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <map>

#include "report/phrases/phrases.hpp"

namespace kdiag::report {

bool is_idle(const LedgerLine& line) { return line.name.starts_with("idle."); }

bool is_unused(const LedgerEntry& entry) {
  return std::all_of(entry.lines.begin(), entry.lines.end(),
                     [](const LedgerLine& line) { return line.ns == 0 || line.name == "idle.no_work"; });
}

std::string ledger_name(const LedgerLine& line) {
  std::string name = line.name.substr(line.name.rfind('.') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  const bool moves = line.name == "kernel.copy" || line.name == "kernel.memset";  // beside `copy` and `memset`
  return moves ? name + " kernels" : name;
}

std::string ledger_time(const LedgerLine& line) {
  return format_duration_range(line.low_ns, line.high_ns.value_or(line.ns));
}

std::string ledger_share(const LedgerLine& line) {
  if (!line.share) return "share unknown";
  const auto share_of = [&](std::int64_t ns) {
    return line.ns > 0 ? *line.share * static_cast<double>(ns) / static_cast<double>(line.ns) : *line.share;
  };
  return format_share_range(share_of(line.low_ns), share_of(line.high_ns.value_or(line.ns)));
}

std::string ledger_exact_share(const LedgerLine& line) {
  if (line.low_ns != line.ns || line.high_ns || !line.share) return ledger_share(line);
  return format_value({*line.share, "ratio"});
}

std::string ledger_basis(LedgerBasis basis) {
  switch (basis) {
    case LedgerBasis::none: return {};
    case LedgerBasis::timeline: return "measured on the timeline";
    case LedgerBasis::phases: return "from stated phases";
    case LedgerBasis::serial: return "serial device time, no idle known";
    case LedgerBasis::functions: return "from functions by cycle";
  }
  return {};
}

std::string ledger_basis(const LedgerEntry& entry) {
  if (entry.cut && entry.basis == LedgerBasis::serial) return "totals of what is listed: there was more";
  if (entry.cut) return "on the timeline as far as it was kept: work may be missing";
  const bool copies =
      std::any_of(entry.lines.begin(), entry.lines.end(), [](const LedgerLine& line) { return line.name == "copy"; });
  if (entry.basis == LedgerBasis::serial && copies) return "totals added up: neither overlap nor idle known";
  return ledger_basis(entry.basis);
}

namespace {

std::string phrase_of(const LedgerEntry& entry, bool judged) {
  std::string phrase;
  for (const OneOffCost& cost : entry.one_off)
    if (cost.judged == judged) phrase += (phrase.empty() ? "" : ", ") + one_off_phrase(cost);
  return phrase;
}

}  // namespace

std::string one_off_phrase(const LedgerEntry& entry) {
  const bool rest = *entry.rest_ns > 0;
  return phrase_of(entry, true) + (rest ? ". Without them " + format_duration(*entry.rest_ns) : ", and nothing else");
}

std::vector<ExcludedSteps> excluded_steps(const std::vector<const LedgerEntry*>& entries) {
  std::vector<ExcludedSteps> out;
  std::map<std::string, std::size_t> places;
  for (const LedgerEntry* entry : entries) {
    const std::string phrase = phrase_of(*entry, false);
    if (phrase.empty()) continue;
    const auto [place, is_new] = places.emplace(phrase, out.size());
    if (is_new) out.push_back({phrase, {}});
    out[place->second].entries.push_back(entry);
  }
  return out;
}

std::string device_phrase(const RunView& view, const ExcludedSteps& apart) {
  if (apart.entries.size() == view.ledger.size()) return {};
  const LedgerEntry& first = *apart.entries.front();
  std::string phrase = device_phrase(view, first.rank, first.device);
  if (apart.entries.size() > 1) phrase += " and " + std::to_string(apart.entries.size() - 1) + " more";
  return phrase;
}

LedgerEntry without_one_off(const LedgerEntry& entry) {
  LedgerEntry rest = entry;
  rest.wall_ns = entry.rest_ns;
  for (LedgerLine& line : rest.lines) {
    line.ns = line.low_ns = line.rest_ns.value_or(line.ns);
    line.share = entry.rest_ns.value_or(0) > 0
                     ? std::optional(static_cast<double>(line.ns) / static_cast<double>(*entry.rest_ns))
                     : std::nullopt;
  }
  return rest;
}

}  // namespace kdiag::report
