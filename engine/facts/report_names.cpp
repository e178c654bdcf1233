// SPDX-License-Identifier: Apache-2.0
// The words for what reports say, as rules, reports and options spell them.
#include <kdiag/catalogue.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

namespace {

/// Of the words of an enumeration, in the order of its enumerators.
template <class Enum, std::size_t count>
constexpr std::string_view word(const std::string_view (&words)[count], Enum value) {
  const auto place = static_cast<std::size_t>(value);
  return place < count ? words[place] : std::string_view{};
}

constexpr std::string_view severities[] = {"info", "low", "medium", "high", "critical"};
constexpr std::string_view outcomes[] = {"failed", "fired", "inconclusive", "clear", "not_applicable"};
constexpr std::string_view wall_bases[] = {"", "steps", "device", "phases", "host", "samples"};
constexpr std::string_view wholes[] = {"", "wall", "device_time"};
constexpr std::string_view ledger_bases[] = {"", "timeline", "phases", "serial", "functions"};
constexpr std::string_view verdicts[] = {"regression", "improvement", "neutral", "inconclusive"};
constexpr std::string_view cycle_bases[] = {"", "steps", "range", "repetition", "run"};
constexpr std::string_view floor_bases[] = {"", "assumed", "measured", "runs"};
constexpr std::string_view gate_outcomes[] = {"passed", "failed", "inconclusive", "invalid"};
constexpr std::string_view waiver_states[] = {"used", "unused", "expired"};
constexpr std::string_view natures[] = {"unknown", "none", "cost", "work"};
constexpr std::string_view divided_times[] = {"run", "cycle"};
constexpr std::string_view change_kinds[] = {"api", "copy", "function", "kernel", "op", "range"};
constexpr std::string_view change_ways[] = {"new", "gone", "slower", "faster", "more_calls", "fewer_calls"};
constexpr std::string_view fates[] = {"gone", "reduced", "unchanged", "worse", "moved", "not_comparable", "new"};

}  // namespace

std::string_view name_of(Severity severity) { return word(severities, severity); }
std::string_view name_of(Outcome outcome) { return word(outcomes, outcome); }
std::string_view name_of(WallBasis basis) { return word(wall_bases, basis); }
std::string_view name_of(ShareOf whole) { return word(wholes, whole); }
std::string_view name_of(LedgerBasis basis) { return word(ledger_bases, basis); }
std::string_view name_of(NoteSeverity severity) { return word(catalogue_detail::note_severities, severity); }
std::string_view name_of(RunRole role) { return word(catalogue_detail::roles, role); }
std::string_view name_of(Verdict verdict) { return word(verdicts, verdict); }
std::string_view name_of(CycleBasis basis) { return word(cycle_bases, basis); }
std::string_view name_of(FloorBasis basis) { return word(floor_bases, basis); }
std::string_view name_of(GateOutcome outcome) { return word(gate_outcomes, outcome); }
std::string_view name_of(WaiverState state) { return word(waiver_states, state); }
std::string_view name_of(Nature nature) { return word(natures, nature); }
std::string_view name_of(DividedTime time) { return word(divided_times, time); }
std::string_view name_of(ChangeKind kind) { return word(change_kinds, kind); }
std::string_view name_of(ChangeWay way) { return word(change_ways, way); }
std::string_view name_of(Fate fate) { return word(fates, fate); }

std::optional<Severity> severity_of(const Comparison& comparison) {
  if (comparison.verdict != Verdict::regression || !comparison.cycle.change) return std::nullopt;
  const double change = *comparison.cycle.change;
  return change >= 0.4   ? Severity::critical
         : change >= 0.2 ? Severity::high
         : change >= 0.1 ? Severity::medium
                         : Severity::low;
}

}  // namespace kdiag
