// SPDX-License-Identifier: Apache-2.0
// A report sorted by run, as the renderers for people need it: what belongs together stands together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/plan.hpp>
#include <kdiag/report.hpp>

#include "report/phrases/stop_check.hpp"

namespace kdiag::report {

/// Rules of a run that could not tell for the same reason, or that the same recording would help.
struct Unresolved {
  std::vector<MissingEntry> missing;  ///< empty: `reason` alone says why
  std::string reason;
  std::vector<std::string> rules;
};

/// One run and what the report says of it. Points into the report, which must live longer.
struct RunView {
  const Report* report = nullptr;
  const RunEntry* run = nullptr;
  std::size_t position = 0;  ///< place among the runs, from 0
  std::size_t alike = 1;     ///< runs with its role, itself included
  std::string adapters;      ///< of the inputs with its role: "pytorch-kineto + nvidia-smi-csv"
  std::map<std::pair<std::optional<std::int64_t>, std::int64_t>, const DeviceEntry*> devices;  ///< by rank and id
  std::vector<const Finding*> findings;  ///< that are not accepted
  std::vector<const Finding*> waived;
  std::vector<const OutcomeEntry*> outcomes;
  std::vector<const LedgerEntry*> ledger;
  std::vector<const TelemetryEntry*> telemetry;
  std::vector<const RecordedEntry*> recorded;
  std::vector<const WorkEntry*> work;
  Tally rules;  ///< rules by the first that occurred of: failed, fired, inconclusive, clear, not applicable
  std::vector<Unresolved> unresolved;         ///< those that hold back most rules first
  std::vector<const OutcomeEntry*> failures;  ///< one per failed rule
  const RunPlan* plan = nullptr;              ///< what to record next; null where nothing is known that would help
};

/// Throws Interrupted once the flag is set.
std::vector<RunView> views_of(const Report& report, CancelFlag stop = nullptr);

}  // namespace kdiag::report
