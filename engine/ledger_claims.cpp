// SPDX-License-Identifier: Apache-2.0
#include "engine/ledger_claims.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag {
namespace {

constexpr std::string_view idle_prefix = "idle.";
constexpr std::string_view unknown_cause = "unknown";

/// Whether a row of devices is the device that an entry of a ledger is of.
bool is_of_device(const LedgerEntry& entry, const FactStore& store, std::uint32_t row) {
  if (entry.device && store.integer(column("devices.id"), row) != *entry.device) return false;
  if (!entry.rank) return true;
  const std::uint32_t rank = store.index(column("devices.rank"), row);
  return rank != absent_index && store.small(column("ranks.id"), rank) == *entry.rank;
}

/// The idle time of the device of an entry, by the name of its line.
struct IdleTime {
  std::uint32_t device = 0;
  std::map<std::string, IntervalSet> by_line;
};

/// Nothing where the input states times of no events.
std::optional<IdleTime> idle_of(const LedgerEntry& entry, const FactStore& store) {
  const auto starts = store.integers(column("idle.start"));
  const auto durs = store.integers(column("idle.dur"));
  const auto devices = store.indices(column("idle.device"));
  if (starts.empty() || durs.empty()) return std::nullopt;
  std::map<std::uint32_t, std::vector<Interval>> spans;  // by cause
  std::optional<std::uint32_t> device;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint32_t row = devices.empty() ? 0 : devices[i];
    if (row != device && !is_of_device(entry, store, row)) continue;
    device = row;
    spans[store.index(column("idle.cause"), i)].push_back({starts[i], starts[i] + durs[i]});
  }
  if (!device) return std::nullopt;
  IdleTime idle{*device, {}};
  for (auto& [cause, of_cause] : spans) {
    const std::string_view name = cause == absent_index ? unknown_cause : store.strings[cause];
    idle.by_line[std::string(idle_prefix) + std::string(name)] = IntervalSet::of(std::move(of_cause));
  }
  return idle;
}

/// The first ranked finding of which a judgement does so; empty when there is none.
template <class Explains>
std::string first_that(const std::vector<Finding>& findings, const LoadedRules& rules,
                       const std::vector<std::vector<Judgement>>& judgements, Explains explains) {
  for (const Finding& finding : findings)
    for (std::size_t r = 0; r < rules.rules.size(); ++r)
      if (rules.rules[r].rule->id == finding.rule &&
          std::any_of(judgements[r].begin(), judgements[r].end(), [&](const Judgement& judgement) {
            return judgement.outcome == Outcome::fired && judgement.draft->impact && explains(judgement);
          }))
        return finding.rule;
  return {};
}

/// What a finding claims to be paid once.
struct OneOffClaim {
  const std::string* rule;
  const Judgement* judgement;
};

/// As the findings are ranked: a cause before what it explains.
void collect_one_off(const std::vector<Finding>& findings, const LoadedRules& rules,
                     const std::vector<std::vector<Judgement>>& judgements, std::vector<OneOffClaim>& out) {
  for (const Finding& finding : findings) {
    for (std::size_t r = 0; r < rules.rules.size(); ++r)
      if (rules.rules[r].rule->id == finding.rule)
        for (const Judgement& judgement : judgements[r])
          if (judgement.outcome == Outcome::fired && judgement.draft->one_off)
            out.push_back({&rules.rules[r].rule->id, &judgement});
    collect_one_off(finding.symptoms, rules, judgements, out);
  }
}

}  // namespace

void explain_ledger(std::vector<LedgerEntry>& ledger, const FactStore& store, const LoadedRules& rules,
                    const std::vector<std::vector<Judgement>>& judgements, const std::vector<Finding>& findings) {
  for (LedgerEntry& entry : ledger) {
    const auto idle = entry.basis == "timeline" ? idle_of(entry, store) : std::nullopt;
    for (LedgerLine& line : entry.lines) {
      if (!line.name.starts_with(idle_prefix) || line.ns == 0) continue;
      if (entry.basis == "phases") {
        const Range time{Number(line.low_ns), Number(line.ns)};
        line.rule = first_that(findings, rules, judgements, [&](const Judgement& judgement) {
          const Range& amount = judgement.draft->impact->amount;
          const std::uint32_t device = judgement.subject.device;
          return device != absent_index && is_of_device(entry, store, device) && amount.low == time.low &&
                 amount.high == time.high;
        });
      } else if (idle && idle->by_line.contains(line.name)) {
        const IntervalSet& time = idle->by_line.at(line.name);
        line.rule = first_that(findings, rules, judgements, [&](const Judgement& judgement) {
          const auto& intervals = judgement.draft->impact->intervals;
          return judgement.subject.device == idle->device && intervals &&
                 2 * (*intervals & time).length() >= time.length();
        });
      }
    }
  }
}

void add_one_off_costs(std::vector<LedgerEntry>& ledger, const FactStore& store, const LoadedRules& rules,
                       const std::vector<std::vector<Judgement>>& judgements, const std::vector<Finding>& findings) {
  std::vector<OneOffClaim> claims;
  collect_one_off(findings, rules, judgements, claims);
  if (claims.empty()) return;
  for (LedgerEntry& entry : ledger) {
    const auto idle = entry.basis == "timeline" ? idle_of(entry, store) : std::nullopt;
    if (!idle) continue;
    IntervalSet left;
    for (const auto& [line, time] : idle->by_line) left = left | time;
    const IntervalSet all = left;
    for (const auto& [rule, judgement] : claims) {
      if (judgement->subject.device != idle->device) continue;
      const OneOffTime& paid = *judgement->draft->one_off;
      const IntervalSet claimed = left & paid.time;
      if (claimed.empty()) continue;
      left = left - claimed;
      entry.one_off.push_back({.what = paid.what, .ns = claimed.length(), .judged = true, .rule = *rule, .steps = {}});
    }
    if (left == all) continue;
    entry.rest_ns = *entry.wall_ns - (all - left).length();
    for (LedgerLine& line : entry.lines) {
      const auto time = idle->by_line.find(line.name);
      line.rest_ns = time == idle->by_line.end() ? line.ns : (time->second & left).length();
    }
  }
}

}  // namespace kdiag
