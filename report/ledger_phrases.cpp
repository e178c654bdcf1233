// SPDX-License-Identifier: Apache-2.0
#include "report/ledger_phrases.hpp"

#include <kdiag/format.hpp>

#include <algorithm>

namespace kdiag::report {

bool is_idle(const LedgerLine& line) { return line.name.starts_with("idle."); }

std::string ledger_name(const LedgerLine& line) {
  std::string name = line.name.substr(line.name.rfind('.') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
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

std::string ledger_basis(const LedgerEntry& entry) {
  if (entry.basis == "timeline") return "measured on the timeline";
  if (entry.basis == "phases") return "from stated phases";
  if (entry.basis == "serial") return "serial device time, no idle known";
  if (entry.basis == "functions") return "from functions by cycle";
  return entry.basis;
}

}  // namespace kdiag::report
