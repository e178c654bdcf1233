// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/ncu/ncu_totals.hpp"

#include <algorithm>

#include "adapters/names/kernel_class.hpp"
#include "base/intervals.hpp"

namespace kdiag::adapters {

void NcuTotals::add(std::int64_t device, std::string_view kernel, const NcuTimes& times) {
  summarised_ = summarised_ || times.launches > 1;
  Total& total = totals_[{device, std::string(kernel)}];
  total.calls = add_times(total.calls, times.launches);
  std::int64_t time = 0;
  if (!times.mean || __builtin_mul_overflow(*times.mean, times.launches, &time)) total.time.reset();
  if (total.time) total.time = add_times(*total.time, time);
  const auto join = [](std::optional<std::int64_t>& known, const std::optional<std::int64_t>& more, auto choose) {
    known = known && more ? std::optional(choose(*known, *more)) : std::nullopt;
  };
  join(total.shortest, times.shortest, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  join(total.longest, times.longest, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

void NcuTotals::write(Batch& batch) {
  for (const auto& [of, total] : totals_) {
    const Row row = batch.add(table("kernel_stats"));
    batch.set(row, column("kernel_stats.name"), of.second);
    batch.set(row, column("kernel_stats.class"), kernel_class(of.second));
    batch.set(row, column("kernel_stats.device"), batch.device(of.first));
    batch.set(row, column("kernel_stats.calls"), total.calls);
    if (total.time) batch.set(row, column("kernel_stats.total"), *total.time);
    if (total.time) batch.set(row, column("kernel_stats.mean"), (*total.time + total.calls / 2) / total.calls);
    if (total.shortest) batch.set(row, column("kernel_stats.min"), *total.shortest);
    if (total.longest) batch.set(row, column("kernel_stats.max"), *total.longest);
  }
  totals_.clear();
  summarised_ = false;
}

}  // namespace kdiag::adapters
