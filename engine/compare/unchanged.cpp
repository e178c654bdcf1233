// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/unchanged.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <kdiag/format.hpp>

#include "base/number.hpp"
#include "engine/compare/verdict.hpp"

namespace kdiag {
namespace {

// Judgement.
// Of the cycle: ledger lines that are named when they stay as they were; of the difference: such that are told there.
constexpr double worth_a_word = 0.05;
constexpr double nearly_all_calls = 0.995;  // of the calls in common; of fewer the share is told
constexpr double same_clock = 0.01;

std::string count_phrase(std::int64_t count, const std::string& noun) {
  return format_count(count) + " " + noun + (count == 1 ? "" : "s");
}

void add_same_names(std::vector<std::string>& same, const std::string& what, const std::vector<NamedWork>& work,
                    const CycleCounts& counts, double limit) {
  const std::optional<double> alike = similarity_by_name(work, counts);
  if (!alike || *alike < limit) return;
  std::int64_t calls = 0;
  for (const NamedWork& own : work) calls = add_times(calls, own.calls_abnormal);
  const auto per_cycle = Number(static_cast<double>(calls) / counts.abnormal).rounded();
  same.push_back(what + " (" + count_phrase(static_cast<std::int64_t>(work.size()), "name") + ", " +
                 count_phrase(per_cycle, "call") + (counts.abnormal > 1 ? " per cycle" : "") +
                 (*alike < nearly_all_calls ? ", " + format_share(*alike) + " in common" : "") + ")");
}

void add_same_lines(std::vector<std::string>& same, const Comparison& comparison) {
  const double limit = comparison.cycle.noise_floor.value_or(least_noise_floor);
  for (const DecompositionEntry& part : comparison.decomposition) {
    const double before = static_cast<double>(part.normal_ns.value_or(0));
    if (before < worth_a_word * static_cast<double>(comparison.decomposed.normal_ns)) continue;
    if (std::abs(static_cast<double>(part.delta_ns)) > std::min(limit, worth_a_word) * before) continue;
    if (std::abs(part.share.value_or(0)) > worth_a_word) continue;  // it is told as a part of the difference
    same.push_back("time of " + part.name + " (" + format_duration(*part.normal_ns) + " and " +
                   format_duration(*part.abnormal_ns) + ")");
  }
}

/// Of all devices that both runs have.
void add_same_clock(std::vector<std::string>& same, const std::string& what, const ComparedPair& pair, ColumnId id) {
  const FactStore &normal = pair.normal.store(), &abnormal = pair.abnormal.store();
  std::int64_t as_before = 0, changed = 0;
  double clock = 0;
  for (std::uint32_t row = 0; row < abnormal.rows(table("devices")); ++row) {
    const Counterpart other = pair.match->device(row);
    const double after = abnormal.real(id, row), before = other ? normal.real(id, other.row) : after;
    if (!other || std::isnan(after) || std::isnan(before)) continue;
    const bool alike = std::abs(after - before) <= same_clock * before;
    ++(alike ? as_before : changed);
    if (alike) clock = after;
  }
  if (as_before == 0) return;
  if (as_before == 1 && changed == 0) same.push_back(what + " (" + format_value({clock, "Hz"}) + ")");
  else
    same.push_back(what + " of " +
                   (changed > 0 ? count_phrase(as_before, "other device") : count_phrase(as_before, "device")));
}

std::int64_t busy_time(const LedgerEntry& entry) {
  std::int64_t busy = 0;
  for (const LedgerLine& line : entry.lines)
    if (!line.name.starts_with("idle.")) busy += line.ns;
  return busy;
}

const LedgerEntry* ledger_of(const RunFacts& run, const FactStore& store, std::uint32_t device) {
  const std::int64_t id = store.integer(column("devices.id"), device);
  const std::uint32_t rank = store.index(column("devices.rank"), device);
  const std::int32_t rank_id = rank == absent_index ? absent_small : store.small(column("ranks.id"), rank);
  const auto found = std::find_if(run.ledger.begin(), run.ledger.end(), [&](const LedgerEntry& entry) {
    return entry.device.value_or(absent_integer) == id && entry.rank.value_or(absent_small) == rank_id;
  });
  return found == run.ledger.end() ? nullptr : &*found;
}

/// Devices beside the compared one.
void add_other_devices(std::vector<std::string>& same, const ComparedPair& pair, const CycleCounts& counts,
                       double limit) {
  if (pair.abnormal.device == absent_index) return;
  std::int64_t as_busy = 0, others = 0;
  for (std::uint32_t row = 0; row < pair.abnormal.store().rows(table("devices")); ++row) {
    const Counterpart other = pair.match->device(row);
    if (row == pair.abnormal.device || !other) continue;
    const LedgerEntry* before = ledger_of(*pair.normal.run, pair.normal.store(), other.row);
    const LedgerEntry* after = ledger_of(*pair.abnormal.run, pair.abnormal.store(), row);
    if (before == nullptr || after == nullptr || busy_time(*before) == 0) continue;
    ++others;
    const double was = static_cast<double>(busy_time(*before)) / counts.normal;
    const double is = static_cast<double>(busy_time(*after)) / counts.abnormal;
    if (std::abs(is - was) <= limit * was) ++as_busy;
  }
  if (as_busy > 0)
    same.push_back("busy time of " + (as_busy == others ? "the " : std::to_string(as_busy) + " of ") +
                   count_phrase(others, "other device"));
}

}  // namespace

std::vector<std::string> unchanged(const ComparedPair& pair, const Work& work, const CycleCounts& counts,
                                   const Comparison& comparison) {
  std::vector<std::string> same;
  add_same_names(same, "operators", work.operators, counts, same_work);
  add_same_names(same, "kernels", work.kernels, counts, same_work);
  add_same_names(same, "functions of the device", work.device_functions, work.device_cycles, same_functions);
  add_same_lines(same, comparison);
  add_same_clock(same, "SM clock", pair, column("devices.sm_clock_avg"));
  add_same_clock(same, "memory clock", pair, column("devices.mem_clock_avg"));
  const double limit = std::min(comparison.cycle.noise_floor.value_or(least_noise_floor), worth_a_word);
  add_other_devices(same, pair, counts, limit);
  return same;
}

}  // namespace kdiag
