// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/ledger_claims.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr std::string_view idle_prefix = "idle.";
constexpr std::string_view unknown_cause = "unknown";
constexpr Interval all_time{-latest_instant, latest_instant};

using Judgements = std::vector<std::vector<Judgement>>;  // by rule index, then subject

/// Whether half of a time and more lies in another.
bool mostly(const IntervalSet& time, const IntervalSet& in) {
  const std::int64_t inside = (in & time).length();
  return inside >= time.length() - inside;
}

/// The row of `devices` that each entry of a ledger is of.
class DeviceRows {
 public:
  explicit DeviceRows(const FactStore& store) {
    for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
      Key key;
      if (const std::int64_t id = store.integer(column("devices.id"), row); id != absent_integer) key.second = id;
      if (const std::uint32_t rank = store.index(column("devices.rank"), row); rank != absent_index)
        if (const std::int32_t known = store.small(column("ranks.id"), rank); known != absent_small) key.first = known;
      rows_.emplace(key, row);
    }
  }
  std::uint32_t of(const LedgerEntry& entry) const {
    const auto found = rows_.find({entry.rank, entry.device});
    return found == rows_.end() ? absent_index : found->second;
  }

 private:
  using Key = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;  // ids of rank and device
  std::map<Key, std::uint32_t> rows_;
};

/// The idle time of the device of an entry; `idle.end()` for entries that are no timeline.
IdleTime::const_iterator idle_of(const LedgerEntry& entry, const DeviceRows& devices, const IdleTime& idle) {
  return entry.basis == LedgerBasis::timeline ? idle.find(devices.of(entry)) : idle.end();
}

/// What the rule of a finding judged. A run has few findings: no index of all rules is worth its making.
const std::vector<Judgement>& behind(const Finding& finding, const LoadedRules& rules, const Judgements& judgements) {
  const auto found = std::find_if(rules.rules.begin(), rules.rules.end(),
                                  [&](const CheckedRule& checked) { return checked.rule->id == finding.rule; });
  return judgements[static_cast<std::size_t>(found - rules.rules.begin())];
}

/// What the findings claim on each device, as they are ranked.
class ClaimsByDevice {
 public:
  ClaimsByDevice(const std::vector<Finding>& findings, const LoadedRules& rules, const Judgements& judgements) {
    for (const Finding& finding : findings)
      for (const Judgement& judgement : behind(finding, rules, judgements))
        if (judgement.outcome == Outcome::fired && judgement.draft->impact)
          of_[judgement.subject.device].push_back({&finding, &*judgement.draft->impact});
  }
  /// The rule of the first finding with a claim on the device that does so; empty when there is none.
  template <class Explains>
  std::string first_that(std::uint32_t device, Explains explains) const {
    const auto found = of_.find(device);
    if (found == of_.end()) return {};
    for (const auto& [finding, claim] : found->second)
      if (explains(*claim)) return finding->rule;
    return {};
  }

 private:
  std::map<std::uint32_t, std::vector<std::pair<const Finding*, const Claim*>>> of_;
};

// --- What is paid once ----------------------------------------------------------------------------------------------

/// What a rule claims to be paid once, by row of `devices`.
struct OneOffClaim {
  std::string rule, what;
  std::map<std::uint32_t, IntervalSet> time;
};

class Claims {
 public:
  Claims(const LoadedRules& rules, const Judgements& judgements) : rules_(rules), judgements_(judgements) {}

  /// As the findings are ranked: a cause before what it explains.
  void collect(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      const std::vector<Judgement>& fired = of(finding);
      add(finding.rule, fired);
      causes_.push_back(&fired);
      collect(finding.symptoms);
      causes_.pop_back();
    }
  }
  const std::vector<OneOffClaim>& all() const { return claims_; }

  const std::vector<Judgement>& of(const Finding& finding) const { return behind(finding, rules_, judgements_); }

 private:
  void add(const std::string& rule, const std::vector<Judgement>& judgements) {
    std::map<std::uint32_t, std::vector<Interval>> spans;
    const std::string* what = nullptr;
    for (const Judgement& judgement : judgements) {
      if (judgement.outcome != Outcome::fired || !judgement.draft->one_off) continue;
      what = &judgement.draft->one_off->what;
      std::vector<Interval>& of_device = spans[judgement.subject.device];
      for (const Interval& span : (judgement.draft->one_off->time - again(judgement.subject)).intervals())
        of_device.push_back(span);
    }
    if (what == nullptr) return;
    OneOffClaim& claim = claims_.emplace_back(OneOffClaim{rule, *what, {}});
    for (auto& [device, of_device] : spans) claim.time[device] = IntervalSet::of(std::move(of_device));
  }

  /// What the causes above explain of a subject and do not claim to be paid once; all time where it is not known when.
  IntervalSet again(const Subject& subject) const {
    std::vector<Interval> spans;
    for (const std::vector<Judgement>* cause : causes_)
      for (const Judgement& judgement : *cause) {
        if (judgement.outcome != Outcome::fired || !judgement.draft->impact) continue;
        if (!contains(judgement.subject, subject) && !contains(subject, judgement.subject)) continue;
        const Draft& draft = *judgement.draft;
        if (!draft.impact->intervals) return all_time;
        const IntervalSet rest =
            draft.one_off ? *draft.impact->intervals - draft.one_off->time : *draft.impact->intervals;
        spans.insert(spans.end(), rest.intervals().begin(), rest.intervals().end());
      }
    return IntervalSet::of(std::move(spans));
  }

  const LoadedRules& rules_;
  const Judgements& judgements_;
  std::vector<const std::vector<Judgement>*> causes_;  ///< above what is collected, the outermost first
  std::vector<OneOffClaim> claims_;
};

/// What remains of a device without what was counted as paid once.
struct Remainder {
  IntervalSet paid;
  std::int64_t wall_ns = 0;
};

/// Says of findings what their impact on their own subject is without the costs that were counted; `remainders` by row
/// of `devices`.
void set_costs_apart(std::vector<Finding>& findings, const Claims& claims, const RunContext& run,
                     const std::map<std::uint32_t, Remainder>& remainders) {
  constexpr std::int64_t hundred = 100;  // what causes leave of all but a hundredth is nearly the whole (judgement)
  for (Finding& finding : findings) {
    for (const Judgement& judgement : claims.of(finding)) {
      if (judgement.outcome != Outcome::fired || !judgement.draft->impact) continue;
      if (run.id(judgement.subject) != finding.subject.id) continue;
      const auto remainder = remainders.find(judgement.subject.device);
      if (remainder == remainders.end() || !finding.impact_ns) continue;
      // Where it is not known when, and of what causes leave, it is not known what of it is paid once.
      const auto& intervals = judgement.draft->impact->intervals;
      const auto is_all = [&](std::int64_t ns) { return std::abs(ns - *finding.impact_ns) <= ns / hundred; };
      if (!intervals || !is_all(intervals->length()) || !is_all(judgement.draft->impact->amount.high.rounded()))
        continue;
      const std::int64_t rest = std::min((*intervals - remainder->second.paid).length(), *finding.impact_ns);
      finding.without_one_off = Finding::WithoutOneOff{rest, remainder->second.wall_ns};
      finding.paid_once = rest == 0 && *finding.impact_ns > 0;
      if (!finding.gain || finding.paid_once) continue;
      // What is paid once is won once.
      for (auto* const end : {&finding.gain->low_ns, &finding.gain->high_ns})
        if (*end) *end = std::min(**end, rest);
    }
    set_costs_apart(finding.symptoms, claims, run, remainders);
  }
}

}  // namespace

IdleTime idle_time(const FactStore& store) {
  const auto starts = store.integers(column("idle.start"));
  const auto durs = store.integers(column("idle.dur"));
  const auto devices = store.indices(column("idle.device"));
  IdleTime idle;
  if (starts.empty() || durs.empty()) return idle;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Interval>> spans;  // by device and cause
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint32_t device = devices.empty() ? 0 : devices[i];
    if (const auto span = span_of(starts[i], durs[i]))
      spans[{device, store.index(column("idle.cause"), i)}].push_back(*span);
  }
  for (auto& [key, of_line] : spans) {
    const auto& [device, cause] = key;
    const std::string_view name = cause == absent_index ? unknown_cause : store.strings[cause];
    idle[device][std::string(idle_prefix) + std::string(name)] = IntervalSet::of(std::move(of_line));
  }
  return idle;
}

void explain_ledger(std::vector<LedgerEntry>& ledger, const FactStore& store, const IdleTime& idle,
                    const LoadedRules& rules, const Judgements& judgements, const std::vector<Finding>& findings) {
  const DeviceRows devices(store);
  const ClaimsByDevice claims(findings, rules, judgements);
  for (LedgerEntry& entry : ledger) {
    const auto idle_here = idle_of(entry, devices, idle);
    for (LedgerLine& line : entry.lines) {
      if (!line.name.starts_with(idle_prefix) || line.ns == 0) continue;
      if (entry.basis == LedgerBasis::phases) {
        const Range time{Number(line.low_ns), Number(line.ns)};
        const std::uint32_t device = devices.of(entry);
        if (device == absent_index) continue;
        line.rule = claims.first_that(
            device, [&](const Claim& claim) { return claim.amount.low == time.low && claim.amount.high == time.high; });
      } else if (idle_here != idle.end() && idle_here->second.contains(line.name)) {
        const IntervalSet& time = idle_here->second.at(line.name);
        line.rule = claims.first_that(
            idle_here->first, [&](const Claim& claim) { return claim.intervals && mostly(time, *claim.intervals); });
      }
    }
  }
}

void add_one_off_costs(std::vector<LedgerEntry>& ledger, std::vector<Finding>& findings, const RunContext& run,
                       const IdleTime& idle, const LoadedRules& rules, const Judgements& judgements) {
  Claims claims(rules, judgements);
  claims.collect(findings);
  if (claims.all().empty()) return;
  const DeviceRows devices(run.store());
  std::map<std::uint32_t, Remainder> remainders;
  for (LedgerEntry& entry : ledger) {
    const auto idle_here = idle_of(entry, devices, idle);
    if (idle_here == idle.end()) continue;
    const auto& [device, lines] = *idle_here;
    std::vector<Interval> spans;
    for (const auto& [line, time] : lines) spans.insert(spans.end(), time.intervals().begin(), time.intervals().end());
    IntervalSet left = IntervalSet::of(std::move(spans));
    IntervalSet paid;
    for (const OneOffClaim& claim : claims.all()) {
      const auto claimed = claim.time.find(device);
      if (claimed == claim.time.end()) continue;
      const IntervalSet cost = left & claimed->second;
      if (cost.empty()) continue;
      left = left - cost;
      paid = paid | cost;
      entry.one_off.push_back(
          {.what = claim.what, .ns = cost.length(), .judged = true, .rule = claim.rule, .steps = {}});
    }
    if (paid.empty()) continue;
    entry.rest_ns = *entry.wall_ns - paid.length();
    remainders[device] = {paid, *entry.rest_ns};
    for (LedgerLine& line : entry.lines) {
      const auto time = lines.find(line.name);
      line.rest_ns = time == lines.end() ? line.ns : (time->second & left).length();
    }
  }
  set_costs_apart(findings, claims, run, remainders);
}

}  // namespace kdiag
