// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/cycle_facts.hpp"

#include <cstdint>
#include <vector>

#include "base/number.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

std::int64_t median_of(const std::vector<Cycle>& cycles) {
  std::vector<double> times;
  for (const Cycle& cycle : cycles) times.push_back(static_cast<double>(cycle.ns));
  const auto median = statistics::median(times);
  return median ? Number(*median).rounded() : absent_integer;
}

}  // namespace

void add_cycles(FactStore& store, const CycleCounts& counts, const Cycles& cycles) {
  if (cycles.basis == CycleBasis::none || cycles.basis == CycleBasis::run || store.rows(table("runs")) == 0) return;
  const std::size_t rows = store.rows(table("runs"));
  const auto set = [&](ColumnId id, std::int64_t value) {
    store.replace(id, std::vector<std::int64_t>(rows, value), "derived");
  };
  store.replace(column("runs.cycle_basis"),
                std::vector<std::uint32_t>(rows, store.strings.intern(name_of(cycles.basis))), "derived");
  set(column("runs.cycles_normal"), Number(counts.normal).rounded());
  set(column("runs.cycles_abnormal"), Number(counts.abnormal).rounded());
  set(column("runs.cycle_time_normal"), median_of(cycles.normal));
  set(column("runs.cycle_time_abnormal"), median_of(cycles.abnormal));
  if (!cycles.name_normal.empty())
    store.replace(column("runs.cycle_work"), std::vector<double>(rows, cycles.work_abnormal / cycles.work_normal),
                  "derived");
}

void add_comparable(FactStore& store, bool comparable) {
  store.replace(column("runs.comparable"),
                std::vector<std::uint32_t>(store.rows(table("runs")), std::uint32_t{comparable}), "derived");
}

bool is_comparable(const FactStore& store) { return store.index(column("runs.comparable"), 0) != 0; }

bool has_cycles(const FactStore& store) { return store.has(column("runs.cycle_basis")); }

}  // namespace kdiag
