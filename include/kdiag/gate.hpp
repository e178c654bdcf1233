// SPDX-License-Identifier: Apache-2.0
// Conditions on a report under which continuous integration fails. The command's exit code comes from here, the same
// for `kdiag compare A B` and `kdiag --baseline A B`.
//
//     report.gates = kdiag::check_gates(report, {.fail_on = kdiag::Severity::high});
//     for (const kdiag::GateEntry& gate : report.gates)
//       if (gate.outcome == kdiag::GateOutcome::failed) std::cerr << gate.condition << '\n';
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/export.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

/// By how much the cycle of a comparison, a part of it, a function or the impact of a rule's findings may grow.
struct GrowthLimit {
  std::string text;             ///< as it was asked for: "5%", "idle.host_sync=10ms"
  std::string part;             ///< empty: the cycle; a part's name, function:NAME or finding:RULE
  std::optional<double> share;  ///< of what it took in the normal run; else `ns`
  std::int64_t ns = 0;
};

/// Which findings count. findings: all of the judged run, as of a run alone, besides what a comparison says; changes:
/// what the comparison says alone, so that what the normal run has as well, and as bad, fails nothing.
enum class GateScope : std::uint8_t { findings, changes };

struct GateOptions {
  std::optional<Severity> fail_on = {};      ///< least severity of what fails; absent: nothing does
  std::vector<GrowthLimit> fail_above = {};  ///< on a comparison
  bool strict = false;                       ///< what cannot be told is inconclusive
  GateScope scope = GateScope::findings;     ///< changes: only with a comparison
};

/// One entry for each condition that is asked for, in this order: severity, limits, strictness.
///  - A severity fails for a finding, not counting symptoms, of that severity or above, unless it is waived or known
///    (kdiag/policy.hpp). With a comparison also for a
///    regression of that severity (severity_of); of `changes` the findings that are new, worse or moved count, unless
///    they are within the noise.
///  - A limit fails for a regression of the cycle, a part, a function or a finding by more. It is inconclusive without
///  a
///    verdict, which fails strictness alone, and invalid without a comparison, and of names that there are not.
///  - Strictness is inconclusive where the comparison has no verdict; for `findings` also where a rule could not tell.
KDIAG_API std::vector<GateEntry> check_gates(const Report& report, const GateOptions& options);

}  // namespace kdiag
