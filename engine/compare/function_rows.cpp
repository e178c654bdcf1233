// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/compare/function_comparison.hpp"
#include "engine/compare/function_comparison_facts.hpp"
#include "engine/derive/scope.hpp"

namespace kdiag {
namespace {

constexpr std::size_t most_kernels = 50;

// --- Stated by the input --------------------------------------------------------------------------------------------

std::vector<FunctionEntry> stated_rows(const FactStore& store) {
  std::vector<FunctionEntry> rows;
  for (std::uint32_t row = 0; row < store.rows(table("comparisons")); ++row) {
    const auto text = [&](ColumnId id) { return std::string(store.text(id, row)); };
    const auto number = [&](ColumnId id) -> std::optional<double> {
      const double value = store.real(id, row);
      return std::isnan(value) ? std::nullopt : std::optional(value);
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
                    .effect = number(column("comparisons.effect"))});
  }
  return rows;
}

// --- Computed from cycles -------------------------------------------------------------------------------------------

std::vector<FunctionEntry> computed_rows(const std::vector<MetricSamples>& normal,
                                         const std::vector<MetricSamples>& abnormal) {
  std::vector<FunctionEntry> rows;
  for (const FunctionComparison& row : compare_functions(normal, abnormal).rows) {
    FunctionEntry entry{.function = row.function, .metric = row.metric, .device = row.device};
    entry.suspicion = row.suspicion();
    entry.beta_normal = row.beta.normal / 100;
    entry.beta_abnormal = row.beta.abnormal / 100;
    entry.z_beta = row.beta.z;
    entry.p_beta = row.beta.welch_p;
    entry.u_beta = row.beta.u_p;
    entry.q = row.beta.q;
    entry.effect = row.beta.effect;
    entry.z_log_mu = row.z_log_mu;
    if (row.mu) {
      entry.mu_normal = row.mu->normal;
      entry.mu_abnormal = row.mu->abnormal;
      entry.z_mu = row.mu->z;
      entry.p_mu = row.mu->welch_p;
      entry.u_mu = row.mu->u_p;
    }
    rows.push_back(std::move(entry));
  }
  return rows;
}

/// The kernels of a side's device: what share of each step they took. A step without a kernel counts as 0 for it.
std::vector<MetricSamples> kernel_samples(const PairSide& side, const std::vector<Cycle>& steps,
                                          const std::string& device) {
  const FactStore& store = side.store();
  const auto step_of = store.indices(column("kernels.step"));
  const auto dur = store.integers(column("kernels.dur"));
  const auto name = store.indices(column("kernels.name"));
  if (step_of.empty() || dur.empty() || name.empty()) return {};
  std::map<std::int64_t, std::size_t> places;  // by index of the step
  for (const Cycle& step : steps) places.emplace(step.index, places.size());
  if (places.size() != steps.size()) return {};  // indices that occur twice tell no steps apart

  struct Kernel {
    std::int64_t total = 0;
    std::vector<double> by_step;
  };
  std::map<std::uint32_t, Kernel> kernels;
  for (const std::uint32_t row : rows_in_scope(store, table("kernels"))) {
    if (store.index(column("kernels.device"), row) != side.device || step_of[row] == absent_index ||
        name[row] == absent_index || dur[row] < 0)
      continue;
    const auto place = places.find(store.integer(column("steps.index"), step_of[row]));
    if (place == places.end()) continue;
    Kernel& kernel = kernels[name[row]];
    kernel.by_step.resize(steps.size());
    kernel.by_step[place->second] += static_cast<double>(dur[row]);
    kernel.total = add_times(kernel.total, dur[row]);
  }
  std::vector<MetricSamples> samples;
  for (const auto& [id, kernel] : kernels) {
    MetricSamples own;
    own.function = store.strings[id];
    own.device = device;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].ns <= 0) continue;
      own.cycles.push_back(steps[i].index);
      own.beta_by_cycle.push_back(100 * kernel.by_step[i] / static_cast<double>(steps[i].ns));
    }
    samples.push_back(std::move(own));
  }
  const auto share = [](const MetricSamples& own) {
    double sum = 0;
    for (const double beta : own.beta_by_cycle) sum += beta;
    return sum;
  };
  std::stable_sort(samples.begin(), samples.end(),
                   [&](const MetricSamples& a, const MetricSamples& b) { return share(a) > share(b); });
  if (samples.size() > most_kernels) samples.resize(most_kernels);
  return samples;
}

std::string device_label(const PairSide& side) {
  const std::string_view kind = side.store().text(column("devices.kind"), side.device);
  const std::int64_t id = side.store().integer(column("devices.id"), side.device);
  return std::string(kind.empty() ? "device" : kind) + " " + std::to_string(id == absent_integer ? 0 : id);
}

}  // namespace

std::vector<FunctionEntry> function_rows(const ComparedPair& pair, const Cycles& cycles) {
  std::vector<FunctionEntry> rows = stated_rows(pair.abnormal.store());
  if (rows.empty())
    rows = computed_rows(function_samples(pair.normal.store()), function_samples(pair.abnormal.store()));
  const bool stepped = cycles.basis == "steps" && std::min(cycles.normal.size(), cycles.abnormal.size()) > 1;
  if (rows.empty() && stepped && pair.normal.device != absent_index && pair.abnormal.device != absent_index) {
    const std::string device = device_label(pair.abnormal);
    rows = computed_rows(kernel_samples(pair.normal, cycles.normal, device),
                         kernel_samples(pair.abnormal, cycles.abnormal, device));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const FunctionEntry& a, const FunctionEntry& b) {
    return a.suspicion.value_or(-1) > b.suspicion.value_or(-1);
  });
  return rows;
}

}  // namespace kdiag
