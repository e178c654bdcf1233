// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_comparison_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace kdiag {
namespace {

/// Lengths of the cycles in scope by number.
std::unordered_map<std::int64_t, std::int64_t> cycle_lengths(const FactStore& store) {
  std::unordered_map<std::int64_t, std::int64_t> lengths;
  std::unordered_map<std::int64_t, int> seen;
  for (std::size_t row = 0; row < store.rows(table("steps")); ++row) {
    const std::int64_t index = store.integer(column("steps.index"), row), dur = store.integer(column("steps.dur"), row);
    if (index == absent_integer || dur == absent_integer || dur <= 0) continue;
    const std::string_view kind = store.text(column("steps.kind"), row);
    if (kind == "warmup" || kind == "partial") continue;
    if (store.scope.steps && (index < store.scope.steps->start || index >= store.scope.steps->end)) continue;
    if (seen[index]++ == 0) lengths.emplace(index, dur);
    else lengths.erase(index);
  }
  return lengths;
}

/// "GPU 7", as LatencyPrism's reports have it.
std::string compared_device(const FactStore& store, std::size_t function) {
  const std::uint32_t device = store.index(column("functions.device"), function);
  if (device == absent_index) return "Host";
  const std::string kind(store.text(column("devices.kind"), device));
  const std::int64_t id = store.integer(column("devices.id"), device);
  return (kind.empty() ? "device" : kind) + (id == absent_integer ? "" : " " + std::to_string(id));
}

class SampleCollector {
 public:
  SampleCollector(const FactStore& store, double work, CancelFlag cancel)
      : store_(store), work_(work), cancel_(cancel), lengths_(cycle_lengths(store)) {}

  std::vector<MetricSamples> collect() {
    std::vector<bool> measured(store_.rows(table("functions")));
    for (std::size_t row = 0; row < store_.rows(table("function_metrics")); ++row) {
      if ((row & 0xFFFU) == 0) stop_if(cancel_);
      const std::uint32_t function = store_.index(column("function_metrics.function"), row);
      const double value = store_.real(column("function_metrics.value"), row);
      const std::string_view metric = store_.text(column("function_metrics.metric"), row);
      if (function == absent_index || value != value || metric.empty()) continue;
      measured[function] = true;
      add(function, metric, value);
    }
    std::set<Key> with_metric;
    for (std::size_t row = 0; row < measured.size(); ++row) {
      if ((row & 0xFFFU) == 0) stop_if(cancel_);
      if (measured[row]) with_metric.insert(key_of(row, {}));
    }
    for (std::size_t row = 0; row < measured.size(); ++row) {
      if ((row & 0xFFFU) == 0) stop_if(cancel_);
      if (with_metric.count(key_of(row, {})) == 0) add(row, {}, {});
    }
    std::vector<MetricSamples> out;
    for (auto& [key, samples] : samples_) out.push_back(std::move(samples));
    return out;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // function, device, metric

  Key key_of(std::size_t function, std::string_view metric) const {
    return {std::string(store_.text(column("functions.name"), function)), compared_device(store_, function),
            std::string(metric)};
  }

  void add(std::size_t function, std::string_view metric, std::optional<double> value) {
    const std::int64_t cycle = store_.integer(column("functions.cycle"), function);
    const std::int64_t total = store_.integer(column("functions.total"), function);
    const auto length = lengths_.find(cycle);
    if (length == lengths_.end() || total == absent_integer) return;
    const Key key = key_of(function, metric);
    MetricSamples& samples = samples_[key];
    std::tie(samples.function, samples.device, samples.metric) = key;
    samples.cycles.push_back(cycle);
    samples.beta_by_cycle.push_back(100.0 * static_cast<double>(total) / static_cast<double>(length->second));
    samples.time_by_cycle.push_back(static_cast<double>(total) / work_);
    if (value) samples.mu_by_cycle.push_back(*value);
  }

  const FactStore& store_;
  double work_;
  CancelFlag cancel_;
  std::unordered_map<std::int64_t, std::int64_t> lengths_;
  std::map<Key, MetricSamples> samples_;
};

/// Fills columns of `comparisons`; one without any value stays absent.
class ComparisonColumns {
 public:
  ComparisonColumns(FactStore& store, std::span<const FunctionComparison> rows) : store_(store), rows_(rows) {
    store_.clear(table("comparisons"));
    store_.resize(table("comparisons"), rows.size());
  }

  /// `value_of` gives a text; empty is absent.
  template <class ValueOf>
  void texts(ColumnId id, ValueOf value_of) {
    fill<std::uint32_t>(id, absent_index, [&](const FunctionComparison& row) -> std::optional<std::uint32_t> {
      const std::string_view text = value_of(row);
      return text.empty() ? std::nullopt : std::optional(store_.strings.intern(text));
    });
  }
  template <class ValueOf>
  void counts(ColumnId id, ValueOf value_of) {
    fill<std::int64_t>(id, absent_integer, [&](const FunctionComparison& row) {
      return std::optional(static_cast<std::int64_t>(value_of(row)));
    });
  }
  /// `value_of` gives an optional number.
  template <class ValueOf>
  void numbers(ColumnId id, ValueOf value_of, double unit = 1) {
    fill<double>(id, absent_real, [&](const FunctionComparison& row) -> std::optional<double> {
      const std::optional<double> value = value_of(row);
      return value ? std::optional(*value * unit) : std::nullopt;
    });
  }

 private:
  template <class T, class ValueOf>
  void fill(ColumnId id, T absent, ValueOf value_of) {
    std::vector<T> values(rows_.size(), absent);
    bool any = false;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const std::optional<T> value = value_of(rows_[row]);
      if (value) values[row] = *value;
      any = any || value;
    }
    if (any) store_.replace(id, std::move(values), "derived");
  }

  FactStore& store_;
  std::span<const FunctionComparison> rows_;
};

using statistics::Change;
using OptionalReal = std::optional<double>;

/// The column ids of one quantity of a row.
struct ChangeColumns {
  ColumnId normal, abnormal, z, z_resolution, welch_p, u_p, low, high;
};
constexpr ChangeColumns beta_columns{column("comparisons.beta_normal"),     column("comparisons.beta_abnormal"),
                                     column("comparisons.z_beta"),          column("comparisons.z_beta_resolution"),
                                     column("comparisons.p_beta"),          column("comparisons.u_beta"),
                                     column("comparisons.beta_change_low"), column("comparisons.beta_change_high")};
constexpr ChangeColumns mu_columns{column("comparisons.mu_normal"),     column("comparisons.mu_abnormal"),
                                   column("comparisons.z_mu"),          column("comparisons.z_mu_resolution"),
                                   column("comparisons.p_mu"),          column("comparisons.u_mu"),
                                   column("comparisons.mu_change_low"), column("comparisons.mu_change_high")};

/// `change_of` gives a pointer, null when the row has no such quantity.
template <class ChangeOf>
void write_change(ComparisonColumns& columns, const ChangeColumns& ids, ChangeOf change_of, double unit) {
  const auto number = [&](ColumnId id, auto value_of, double in_unit = 1) {
    columns.numbers(
        id,
        [&](const FunctionComparison& row) {
          const Change* change = change_of(row);
          return change ? OptionalReal(value_of(*change)) : std::nullopt;
        },
        in_unit);
  };
  number(
      ids.normal, [](const Change& c) { return OptionalReal(c.normal); }, unit);
  number(
      ids.abnormal, [](const Change& c) { return OptionalReal(c.abnormal); }, unit);
  number(ids.z, [](const Change& c) { return c.z; });
  number(ids.z_resolution, [](const Change& c) { return c.z_resolution; });
  number(ids.welch_p, [](const Change& c) { return c.welch_p; });
  number(ids.u_p, [](const Change& c) { return c.u_p; });
  number(
      ids.low, [](const Change& c) { return c.interval ? OptionalReal(c.interval->low) : std::nullopt; }, unit);
  number(
      ids.high, [](const Change& c) { return c.interval ? OptionalReal(c.interval->high) : std::nullopt; }, unit);
}

}  // namespace

std::vector<MetricSamples> function_samples(const FactStore& store, double work, CancelFlag cancel) {
  return SampleCollector(store, work, cancel).collect();
}

void add_comparisons(FactStore& store, std::span<const FunctionComparison> rows) {
  using Row = FunctionComparison;
  ComparisonColumns columns(store, rows);
  columns.texts(column("comparisons.function"), [](const Row& r) -> std::string_view { return r.function; });
  columns.texts(column("comparisons.metric"), [](const Row& r) -> std::string_view { return r.metric; });
  columns.texts(column("comparisons.device"), [](const Row& r) -> std::string_view { return r.device; });
  columns.texts(column("comparisons.match"), [](const Row& r) { return name_of(r.match); });
  columns.texts(column("comparisons.time_kind"), [](const Row& r) { return name_of(r.time); });
  columns.counts(column("comparisons.cycles_normal"), [](const Row& r) { return r.beta.normal_values; });
  columns.counts(column("comparisons.cycles_abnormal"), [](const Row& r) { return r.beta.abnormal_values; });
  columns.numbers(column("comparisons.suspicion"), [](const Row& r) { return r.suspicion(); });
  columns.numbers(column("comparisons.suspicion_resolution"), [](const Row& r) { return r.suspicion_resolution(); });
  columns.numbers(column("comparisons.z_log_mu"), [](const Row& r) { return r.z_log_mu; });
  columns.numbers(column("comparisons.q"), [](const Row& r) { return r.q; });
  columns.numbers(column("comparisons.effect"), [](const Row& r) { return r.effect; });
  columns.numbers(column("comparisons.q_mu"), [](const Row& r) { return r.mu ? r.mu->q : std::nullopt; });
  columns.numbers(column("comparisons.effect_mu"), [](const Row& r) { return r.mu ? r.mu->effect : std::nullopt; });
  constexpr double percent = 0.01;
  write_change(
      columns, beta_columns, [](const Row& r) { return &r.beta; }, percent);
  write_change(
      columns, mu_columns, [](const Row& r) { return r.mu ? &*r.mu : nullptr; }, 1);
}

}  // namespace kdiag
