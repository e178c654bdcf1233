// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "engine/compare/cycles/cycle_facts.hpp"
#include "engine/compare/function_comparison.hpp"
#include "engine/compare/function_comparison_facts.hpp"
#include "engine/compare/kernel_samples.hpp"

namespace kdiag {
namespace {

std::vector<FunctionComparison> compared_functions(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel) {
  auto rows = compare_functions(function_samples(pair.normal.store(), cycles.work_normal, cancel),
                                function_samples(pair.abnormal.store(), cycles.work_abnormal, cancel), cancel)
                  .rows;
  if (!rows.empty()) return rows;
  const SidesSamples kernels = kernel_samples(pair, cycles, cancel);
  return compare_functions(kernels.normal, kernels.abnormal, cancel).rows;
}

}  // namespace

std::shared_ptr<const FactStore> with_comparisons(const ComparedPair& pair, const EqualCycles& equal,
                                                  CancelFlag cancel) {
  const Cycles& cycles = equal.cycles;
  const std::shared_ptr<const FactStore>& facts = pair.abnormal.run->store;
  if (facts->present(table("comparisons"))) return facts;
  const std::vector<FunctionComparison> rows = compared_functions(pair, cycles, cancel);
  auto store = std::make_shared<FactStore>(FactStore::extending(facts));
  add_comparable(*store, !equal.obstacle);
  if (!equal.obstacle && cover_runs(pair, cycles)) add_cycles(*store, whole_counts(pair, cycles), cycles);
  if (!rows.empty()) add_comparisons(*store, rows);
  return store;
}

std::vector<FunctionEntry> function_rows(const FactStore& store) {
  std::vector<FunctionEntry> rows;
  for (std::uint32_t row = 0; row < store.rows(table("comparisons")); ++row) {
    const auto text = [&](ColumnId id) { return std::string(store.text(id, row)); };
    const auto number = [&](ColumnId id) -> std::optional<double> {
      const double value = store.real(id, row);
      return std::isnan(value) ? std::nullopt : std::optional(value);
    };
    const auto count = [&](ColumnId id) -> std::optional<std::int64_t> {
      const std::int64_t value = store.integer(id, row);
      return value == absent_integer ? std::nullopt : std::optional(value);
    };
    rows.push_back({.function = text(column("comparisons.function")),
                    .metric = text(column("comparisons.metric")),
                    .device = text(column("comparisons.device")),
                    .suspicion = number(column("comparisons.suspicion")),
                    .beta_normal = number(column("comparisons.beta_normal")),
                    .beta_abnormal = number(column("comparisons.beta_abnormal")),
                    .z_beta = number(column("comparisons.z_beta")),
                    .p_beta = number(column("comparisons.p_beta")),
                    .u_beta = number(column("comparisons.u_beta")),
                    .mu_normal = number(column("comparisons.mu_normal")),
                    .mu_abnormal = number(column("comparisons.mu_abnormal")),
                    .z_mu = number(column("comparisons.z_mu")),
                    .z_log_mu = number(column("comparisons.z_log_mu")),
                    .p_mu = number(column("comparisons.p_mu")),
                    .u_mu = number(column("comparisons.u_mu")),
                    .q = number(column("comparisons.q")),
                    .effect = number(column("comparisons.effect")),
                    .beta_change_low = number(column("comparisons.beta_change_low")),
                    .beta_change_high = number(column("comparisons.beta_change_high")),
                    .mu_change_low = number(column("comparisons.mu_change_low")),
                    .mu_change_high = number(column("comparisons.mu_change_high")),
                    .q_mu = number(column("comparisons.q_mu")),
                    .effect_mu = number(column("comparisons.effect_mu")),
                    .z_beta_resolution = number(column("comparisons.z_beta_resolution")),
                    .z_mu_resolution = number(column("comparisons.z_mu_resolution")),
                    .suspicion_resolution = number(column("comparisons.suspicion_resolution")),
                    .cycles_normal = count(column("comparisons.cycles_normal")),
                    .cycles_abnormal = count(column("comparisons.cycles_abnormal")),
                    .match = text(column("comparisons.match")),
                    .time_kind = text(column("comparisons.time_kind"))});
  }
  // One cycle has no suspicion: what changed most comes first.
  const auto rank = [](const FunctionEntry& row) {
    return std::pair(row.suspicion.value_or(-1), std::abs(row.beta_abnormal.value_or(0) - row.beta_normal.value_or(0)));
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const FunctionEntry& a, const FunctionEntry& b) { return rank(a) > rank(b); });
  return rows;
}

}  // namespace kdiag
